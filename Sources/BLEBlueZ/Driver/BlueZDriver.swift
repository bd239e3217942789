#if BlueZ
    import BLEBackend
    import BLEWire
    import Dispatch

    /// Drives a `BlueZBackend` on the system bus, on a serial queue.
    ///
    /// *Threading*: the backend is driven on the queue; all methods here may be called from any thread. A driver that was
    /// made is to be stopped before it's let go.
    package final class BlueZDriver: BlueZWaker, SdBusClient, @unchecked Sendable {
        private let backend: BlueZBackend
        private let address: String?
        private let queue = DispatchQueue(label: "ravning bluez", qos: .userInitiated)
        private let timer: any DispatchSourceTimer
        private var bus: SdBus?
        private var outputs: [BusOutput] = []
        private var isPerforming = false
        private var isStopped = false

        /// - Parameter address: of the bus; nil = the system's.
        package init(backend: BlueZBackend, address: String? = nil) {
            self.backend = backend
            self.address = address
            timer = DispatchSource.makeTimerSource(queue: queue)
        }

        package func start() {
            timer.setEventHandler { @Sendable [weak self] in self?.drain() }
            timer.resume()
            queue.async { [self] in
                backend.start(waker: self, at: Self.now, into: &outputs)
                performOutputs()
            }
        }

        package func wake() { queue.async { [weak self] in self?.drain() } }

        /// Ends the connection to the bus for good: BlueZ then ends what this program had asked for.
        package func stop() {
            queue.sync {
                isStopped = true
                timer.cancel()
                bus?.close()
                bus = nil
            }
        }

        private static var now: Instant { Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }

        private func drain() {
            guard !isStopped else { return }
            backend.drain(at: Self.now, into: &outputs)
            performOutputs()
        }

        private func take(_ input: BusInput) {
            guard !isStopped else { return }
            Diagnostics.log(.trace, "bluez", "\(input.trace)")
            backend.receive(input, at: Self.now, into: &outputs)
            performOutputs()
        }

        package func received(_ signal: DBusSignal) { take(.signal(signal)) }
        package func received(_ call: IncomingCall) { take(.call(call)) }
        package func received(_ result: Result<[DBusValue], DBusFailure>, of call: CallNumber) {
            take(.reply(call, result))
        }
        package func busClosed(_ failure: DBusFailure) {
            bus = nil
            take(.busClosed(failure))
        }

        /// Carries out what the machine wants done. What comes of it at once may want more: then that is done after it.
        private func performOutputs() {
            guard !isPerforming else { return }
            isPerforming = true
            while !outputs.isEmpty {
                let batch = outputs
                outputs = []
                for output in batch { perform(output) }
            }
            isPerforming = false
            guard !isStopped else { return }
            guard let deadline = backend.nextDeadline else { return timer.schedule(deadline: .distantFuture) }
            timer.schedule(deadline: DispatchTime(uptimeNanoseconds: UInt64(max(deadline.nanoseconds, 0))))
        }

        private func perform(_ output: BusOutput) {
            Diagnostics.log(.trace, "bluez", "\(output.trace)")
            do throws(DBusFailure) {
                switch output {
                case .open: open()
                case .match(let rule): try bus?.match(rule)
                case .call(let number, let call): send(number, call)
                case .answer(let number, let result): bus?.answer(number, result)
                case .signal(let signal): try bus?.send(signal)
                case .openSocket(let number): _ = bus?.sockets.open(number)
                case .send(let number, let octets): bus?.sockets.send(octets, to: number)
                case .closeSocket(let number): bus?.sockets.close(number)
                }
            } catch {
                Diagnostics.log(.warning, "bluez", "\(error)")
            }
        }

        private func send(_ number: CallNumber, _ call: DBusCall) {
            do throws(DBusFailure) {
                guard let bus else { throw DBusFailure.local("there is no connection to the bus") }
                try bus.send(number, call)
            } catch {
                take(.reply(number, .failure(error)))
            }
        }

        private func open() {
            do throws(DBusFailure) {
                bus = try SdBus(address: address, queue: queue, client: self) { [weak self] event in
                    self?.take(.socket(event))
                }
                take(.busOpened)
            } catch {
                take(.busFailed(error))
            }
        }
    }
#endif
