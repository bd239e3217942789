#if USB
    import BLEWire
    import BLELocking
    import Glibc

    /// Opens a controller on USB: takes it from the kernel's driver, which gets it back when the transport closes.
    func openUSBController(_ selection: USBSelection) throws(TransportError) -> any HCITransport {
        let controller = try USBController.open(selection)
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            let code = errno
            controller.close()
            throw TransportError(
                .unavailable, layer: selection.description, cause: systemMessage(code), remedy: "see `ulimit -n`")
        }
        let ending = USBEnding()
        let bridge = USBBridge(controller, StreamTransport(descriptor: ends[1], side: .controller), ending)
        let loop = EventLoop(name: "usb", clock: MonotonicClock(), client: bridge)
        USBLoops.giveBackAtExit(loop)
        return USBTransport(StreamTransport(descriptor: ends[0]), loop, ending)
    }

    /// Why the thread that has the device has ended.
    final class USBEnding: Sendable {
        let reason = Locked<String?>(nil)
    }

    /// The threads that have a device. A program that ends by `exit` gives back what it has: unlike a socket, a device doesn't
    /// return to the kernel's driver by itself.
    private enum USBLoops {
        private static let all = Locked<[EventLoop<USBBridge>]>([])
        private static let registration: Int32 = atexit { for loop in all.withLock({ $0 }) { loop.stop() } }

        static func giveBackAtExit(_ loop: EventLoop<USBBridge>) {
            _ = registration
            all.withLock { $0.append(loop) }
        }

        static func forget(_ loop: EventLoop<USBBridge>) { all.withLock { $0.removeAll { $0 === loop } } }
    }

    /// HCI over USB: a stream to the thread that has the device.
    final class USBTransport: HCITransport {
        private let stream: StreamTransport
        private let loop: EventLoop<USBBridge>
        /// Why the thread has closed its end.
        private let ending: USBEnding
        private var isClosed = false

        init(_ stream: StreamTransport, _ loop: EventLoop<USBBridge>, _ ending: USBEnding) {
            self.stream = stream
            self.loop = loop
            self.ending = ending
        }

        deinit { close() }

        var descriptor: Int32 { stream.descriptor }
        var wantsWrite: Bool { stream.wantsWrite }
        func receive(into packets: inout [[UInt8]]) -> TransportStatus { explained(stream.receive(into: &packets)) }
        func send(_ packets: [[UInt8]]) -> TransportStatus { explained(stream.send(packets)) }
        func flush() -> TransportStatus { explained(stream.flush()) }

        /// Waits until the kernel's driver has the device again: who opens it next finds it free.
        func close() {
            if isClosed { return }
            isClosed = true
            stream.close()
            loop.stop()
            USBLoops.forget(loop)
        }

        private func explained(_ status: TransportStatus) -> TransportStatus {
            guard case .closed = status, let reason = ending.reason.withLock({ $0 }) else { return status }
            return .closed(reason: reason)
        }
    }
#else
    /// This build has no USB.
    func openUSBController(_ selection: USBSelection) throws(TransportError) -> any HCITransport {
        throw TransportError(
            .unsupported, layer: selection.description, cause: "this program was built without USB",
            remedy: "install libusb-1.0-0-dev and build with `--traits default,USB`, or use hci:N")
    }
#endif
