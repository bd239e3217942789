#if BlueZ
    import BLEWire
    import CSystemd
    package import Dispatch
    import Glibc

    /// Takes what comes over a bus. Called on the bus's queue.
    package protocol SdBusClient: AnyObject {
        func received(_ signal: DBusSignal)
        func received(_ call: IncomingCall)
        func received(_ result: Result<[DBusValue], DBusFailure>, of call: CallNumber)
        /// The connection is gone, once.
        func busClosed(_ failure: DBusFailure)
    }

    /// One connection to a message bus by sd-bus, driven on one serial queue.
    ///
    /// *Limits*: everything is called on the queue. Method calls on us are handed to the client, whatever their object;
    /// each is to be answered once. What is of `org.freedesktop.DBus.Peer` the library answers itself.
    package final class SdBus: @unchecked Sendable {
        private let bus: OpaquePointer
        private let queue: DispatchQueue
        private weak var client: (any SdBusClient)?
        let sockets: SocketTable

        private let reading: any DispatchSourceRead
        private let writing: any DispatchSourceWrite
        private let timer: any DispatchSourceTimer
        /// A suspended source must be resumed before it is let go.
        private var isWriting = false
        private var isProcessing = false
        private var isClosed = false
        private var pending: [CallNumber: Unmanaged<PendingReply>] = [:]
        /// Calls on us that aren't answered: their messages.
        private var unanswered: [IncomingCall.Number: OpaquePointer] = [:]
        private var nextIncoming: UInt64 = 1

        /// A call of ours whose answer the library is to tell. It holds the bus, so that none is told to nobody.
        private final class PendingReply {
            let bus: SdBus
            let number: CallNumber
            init(_ bus: SdBus, _ number: CallNumber) {
                self.bus = bus
                self.number = number
            }
        }

        /// Connects to the system bus, or to the one at the address.
        package init(
            address: String? = nil, queue: DispatchQueue, client: any SdBusClient,
            onSocket: @escaping (SocketEvent) -> Void = { _ in }
        ) throws(DBusFailure) {
            var opened: OpaquePointer?
            let result = address.map { Self.open($0, &opened) } ?? sd_bus_open_system(&opened)
            guard result >= 0, let opened else { throw DBusFailure.library(result, "the system bus") }
            let descriptor = sd_bus_get_fd(opened)
            guard descriptor >= 0 else {
                sd_bus_close_unref(opened)
                throw DBusFailure.library(descriptor, "the system bus")
            }
            bus = opened
            self.queue = queue
            self.client = client
            sockets = SocketTable(queue: queue, onEvent: onSocket)
            reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            timer = DispatchSource.makeTimerSource(queue: queue)
            sd_bus_add_filter(bus, nil, Self.filter, Unmanaged.passUnretained(self).toOpaque())
            // The sources hold the bus until `close`.
            let pump: @Sendable () -> Void = { [self] in self.pump() }
            reading.setEventHandler(handler: pump)
            writing.setEventHandler(handler: pump)
            timer.setEventHandler(handler: pump)
            reading.resume()
            timer.resume()
            queue.async(execute: pump)
        }

        private static func open(_ address: String, _ opened: inout OpaquePointer?) -> Int32 {
            var result = sd_bus_new(&opened)
            if result >= 0 { result = sd_bus_set_address(opened, address) }
            if result >= 0 { result = sd_bus_set_bus_client(opened, 1) }
            if result >= 0 { result = sd_bus_start(opened) }
            if result < 0, let bus = opened {
                sd_bus_unref(bus)
                opened = nil
            }
            return result
        }

        package var uniqueName: String {
            var name: UnsafePointer<CChar>?
            sd_bus_get_unique_name(bus, &name)
            return name.map { String(cString: $0) } ?? ""
        }

        /// Ends the connection; calls that wait are not answered any more.
        package func close() {
            guard !isClosed else { return }
            isClosed = true
            if !isWriting { writing.resume() }
            // What was queued a moment ago still leaves: the goodbye of a program that ends.
            sd_bus_flush(bus)
            let pending = pending.values
            self.pending = [:]
            // The descriptor's number may be another one's at once: first nobody may wait for it any more.
            let sources = DispatchGroup()
            sources.enter()
            sources.enter()
            reading.setCancelHandler { sources.leave() }
            writing.setCancelHandler { sources.leave() }
            sources.notify(queue: queue) { [self] in
                sd_bus_close_unref(bus)
                for reply in pending { reply.release() }
            }
            reading.cancel()
            writing.cancel()
            timer.cancel()
            sockets.closeAll()
            for message in unanswered.values { sd_bus_message_unref(message) }
            unanswered = [:]
        }

        // MARK: - Going out

        /// Asks for signals that match the rule. [D-Bus Specification, Match Rules]
        package func match(_ rule: String) throws(DBusFailure) {
            try send(
                CallNumber(rawValue: 0),
                DBusCall(DBusName.bus, DBusName.busPath, DBusName.bus, "AddMatch", [.string(rule)]))
        }

        /// Takes a name on the bus. [D-Bus Specification, RequestName]
        package func requestName(_ name: String) throws(DBusFailure) {
            try send(
                CallNumber(rawValue: 0),
                DBusCall(DBusName.bus, DBusName.busPath, DBusName.bus, "RequestName", [.string(name), .uint32(4)]))
        }

        /// Sends a call; the client is told its answer under the number. Number 0: the answer is dropped.
        package func send(_ number: CallNumber, _ call: DBusCall) throws(DBusFailure) {
            guard !isClosed else { throw DBusFailure.local("the bus is closed") }
            var message: OpaquePointer?
            try check(
                sd_bus_message_new_method_call(
                    bus, &message, call.destination, call.path, call.interface, call.member), call.member)
            defer { sd_bus_message_unref(message) }
            guard let message else { return }
            try SdBusMessage(message: message, sockets: sockets).append(call.arguments)
            if number.rawValue == 0 {
                try check(sd_bus_message_set_expect_reply(message, 0), call.member)
                try check(sd_bus_send(bus, message, nil), call.member)
                return pump()
            }
            let reply = Unmanaged.passRetained(PendingReply(self, number))
            let result = sd_bus_call_async(
                bus, nil, message, Self.replied, reply.toOpaque(), UInt64(call.patience.nanoseconds / 1000))
            guard result >= 0 else {
                reply.release()
                throw DBusFailure.library(result, call.member)
            }
            pending[number] = reply
            pump()
        }

        package func answer(_ number: IncomingCall.Number, _ result: Result<[DBusValue], DBusFailure>) {
            guard let call = unanswered.removeValue(forKey: number) else { return }
            defer { sd_bus_message_unref(call) }
            var message: OpaquePointer?
            switch result {
            case .success(let values):
                guard sd_bus_message_new_method_return(call, &message) >= 0, let reply = message else { return }
                do throws(DBusFailure) {
                    try SdBusMessage(message: reply, sockets: sockets).append(values)
                } catch {
                    sd_bus_message_unref(message)
                    message = Self.errorMessage(error, for: call)
                }
            case .failure(let failure): message = Self.errorMessage(failure, for: call)
            }
            guard let message else { return }
            sd_bus_send(bus, message, nil)
            sd_bus_message_unref(message)
            pump()
        }

        private static func errorMessage(_ failure: DBusFailure, for call: OpaquePointer) -> OpaquePointer? {
            var error = sd_bus_error()
            defer { sd_bus_error_free(&error) }
            sd_bus_error_set(&error, failure.name, failure.message)
            var message: OpaquePointer?
            sd_bus_message_new_method_error(call, &message, &error)
            return message
        }

        package func send(_ signal: DBusSignal) throws(DBusFailure) {
            guard !isClosed else { return }
            var message: OpaquePointer?
            try check(
                sd_bus_message_new_signal(bus, &message, signal.path, signal.interface, signal.member), signal.member)
            defer { sd_bus_message_unref(message) }
            guard let message else { return }
            try SdBusMessage(message: message, sockets: sockets).append(signal.arguments)
            try check(sd_bus_send(bus, message, nil), signal.member)
            pump()
        }

        private func check(_ result: Int32, _ what: String) throws(DBusFailure) {
            guard result >= 0 else { throw DBusFailure.library(result, what) }
        }

        // MARK: - Coming in

        /// Works until there is nothing to do: libdispatch tells data and hang-up that come together only once.
        private func pump() {
            guard !isClosed, !isProcessing else { return }
            isProcessing = true
            var result: Int32
            repeat { result = sd_bus_process(bus, nil) } while result > 0 && !isClosed
            isProcessing = false
            if isClosed { return }
            if result < 0 {
                let failure = DBusFailure.library(result, "the system bus")
                let client = client
                close()
                client?.busClosed(failure)
                return
            }
            arm()
        }

        private func arm() {
            let wantsToWrite = sd_bus_get_events(bus) & Int32(POLLOUT) != 0
            if wantsToWrite != isWriting {
                isWriting = wantsToWrite
                if wantsToWrite { writing.resume() } else { writing.suspend() }
            }
            var due: UInt64 = 0
            guard sd_bus_get_timeout(bus, &due) >= 0, due != .max else {
                return timer.schedule(deadline: .distantFuture)
            }
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
            timer.schedule(deadline: .now() + .microseconds(due > microseconds ? Int(due - microseconds) : 0))
        }

        private static let replied: sd_bus_message_handler_t = { message, context, _ in
            guard let context, let message else { return 0 }
            let reply = Unmanaged<PendingReply>.fromOpaque(context).takeUnretainedValue()
            reply.bus.takeReply(message, of: reply.number)
            return 1
        }

        private func takeReply(_ message: OpaquePointer, of number: CallNumber) {
            guard let reply = pending.removeValue(forKey: number) else { return }
            defer { reply.release() }
            var result: Result<[DBusValue], DBusFailure>
            if let error = sd_bus_message_get_error(message)?.pointee, let name = error.name {
                result = .failure(
                    DBusFailure(String(cString: name), error.message.map { String(cString: $0) } ?? ""))
            } else {
                result = values(of: message)
            }
            client?.received(result, of: number)
        }

        private func values(of message: OpaquePointer) -> Result<[DBusValue], DBusFailure> {
            do throws(DBusFailure) {
                return .success(try SdBusMessage(message: message, sockets: sockets).read())
            } catch {
                return .failure(error)
            }
        }

        private static let filter: sd_bus_message_handler_t = { message, context, _ in
            guard let context, let message else { return 0 }
            return Unmanaged<SdBus>.fromOpaque(context).takeUnretainedValue().take(message)
        }

        private func take(_ message: OpaquePointer) -> Int32 {
            func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
            let sender = text(sd_bus_message_get_sender(message)), path = text(sd_bus_message_get_path(message))
            let interface = text(sd_bus_message_get_interface(message))
            let member = text(sd_bus_message_get_member(message))
            if sd_bus_message_is_signal(message, nil, nil) > 0 {
                // What can't be read isn't BlueZ's.
                guard case .success(let values) = values(of: message) else { return 0 }
                client?.received(DBusSignal(sender: sender, path, interface, member, values))
                return 1
            }
            guard sd_bus_message_is_method_call(message, nil, nil) > 0, interface != DBusName.peer else { return 0 }
            let number = IncomingCall.Number(rawValue: nextIncoming)
            nextIncoming += 1
            unanswered[number] = sd_bus_message_ref(message)
            switch values(of: message) {
            case .success(let values):
                client?.received(IncomingCall(number, sender: sender, path, interface, member, values))
            case .failure(let failure): answer(number, .failure(failure))
            }
            return 1
        }
    }
#endif
