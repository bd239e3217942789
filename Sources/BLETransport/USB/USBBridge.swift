#if USB
    import BLELocking
    import BLEWire
    import CUSB
    import Glibc

    /// Moves HCI packets between a USB controller and the host's stream.
    ///
    /// *Role*: commands go to the control endpoint, data to a bulk one; events come from the interrupt endpoint, data from
    /// the other bulk one. [Vol 4, Part B, 2]
    ///
    /// *Limits*: used on its loop's thread. How many packets are under way to the controller is what HCI's flow control
    /// allows the host. The first failure of an endpoint ends the stream, with its cause; the device is let go at `stop`.
    final class USBBridge: LoopClient {
        private let controller: USBController
        private let stream: StreamTransport
        private let ending: USBEnding
        private var host: WatchedTransport?
        private var descriptors: WatchedDescriptors?
        private var watched: [Int32] = []
        private var events = USBAssembler(.event)
        private var data = USBAssembler(.aclData)
        private var found: [[UInt8]] = []
        private var incoming: [UnsafeMutablePointer<libusb_transfer>] = []
        /// Transfers that libusb has.
        private var underWay = 0
        private var isOver = false

        init(_ controller: USBController, _ stream: StreamTransport, _ ending: USBEnding) {
            self.controller = controller
            self.stream = stream
            self.ending = ending
        }

        var nextDeadline: Instant? { nil }

        func start(_ descriptors: WatchedDescriptors) {
            self.descriptors = descriptors
            host = WatchedTransport(stream, descriptors)
            watchDevice(descriptors)
            for _ in 0..<2 {
                listen(controller.endpoints.eventsIn, LIBUSB_TRANSFER_TYPE_INTERRUPT, controller.endpoints.eventSize)
                // A buffer holds whole packets of the endpoint, so that none is too long for it.
                let size = controller.endpoints.dataSize
                listen(controller.endpoints.dataIn, LIBUSB_TRANSFER_TYPE_BULK, (1028 + size - 1) / size * size)
            }
            if host == nil { end("its stream can't be watched") }
        }

        func ready(_ token: WatchToken, readable: Bool, writable: Bool) {
            if token == host?.token {
                if writable { handle(stream.flush()) }
                if readable { takeFromHost() }
            } else {
                takeFromDevice()
            }
            host?.update()
        }

        func woken() {}
        func timeReached() {}

        func stop() {
            // Where the program ends, its host isn't to see the controller go.
            isOver = true
            host?.unwatch()
            for transfer in incoming { libusb_cancel_transfer(transfer) }
            // What was cancelled still comes back; a controller that takes nothing any more may hold the rest.
            var patience = timeval(tv_sec: 0, tv_usec: 100_000)
            for _ in 0..<20 where underWay > 0 {
                libusb_handle_events_timeout_completed(controller.context, &patience, nil)
            }
            controller.close()
        }

        // MARK: The host's side

        private func takeFromHost() {
            var packets: [[UInt8]] = []
            var status = TransportStatus.more
            while status == .more { status = stream.receive(into: &packets) }
            for packet in packets { submit(packet) }
            handle(status)
        }

        private func handle(_ status: TransportStatus) {
            if case .closed(let reason) = status { end(reason) }
        }

        /// The stream ends, and says why to the other side.
        private func end(_ reason: String) {
            guard !isOver else { return }
            isOver = true
            ending.reason.withLock { $0 = reason }
            if let host { host.close() } else { stream.close() }
            host = nil
            // The thread would be woken again and again by a device that is gone.
            for descriptor in watched { descriptors?.remove(descriptor) }
        }

        // MARK: The device's side

        private func watchDevice(_ descriptors: WatchedDescriptors) {
            guard let list = libusb_get_pollfds(controller.context) else { return }
            defer { libusb_free_pollfds(list) }
            var index = 0
            while let one = list[index] {
                index += 1
                let descriptor = one.pointee.fd
                guard let token = descriptors.add(descriptor) else { continue }
                if Int32(one.pointee.events) & Int32(POLLOUT) != 0 {
                    descriptors.setWaitsToWrite(true, descriptor, token)
                }
                watched.append(descriptor)
            }
        }

        private func takeFromDevice() {
            var none = timeval()
            libusb_handle_events_timeout_completed(controller.context, &none, nil)
            guard !found.isEmpty, !isOver else { return }
            defer { found.removeAll(keepingCapacity: true) }
            handle(stream.send(found))
        }

        private static let completed: libusb_transfer_cb_fn = { transfer in
            guard let transfer, let bridge = transfer.pointee.user_data else { return }
            Unmanaged<USBBridge>.fromOpaque(bridge).takeUnretainedValue().completed(transfer)
        }

        /// Waits for what an endpoint brings.
        private func listen(_ endpoint: UInt8, _ type: libusb_transfer_type, _ size: Int) {
            guard let transfer = newTransfer(endpoint, type, [UInt8](repeating: 0, count: size)) else { return }
            incoming.append(transfer)
            give(transfer)
        }

        /// Sends a packet of the host's: a command as a class request to the device [Vol 4, Part B, 2], or data.
        private func submit(_ packet: [UInt8]) {
            let octets = Array(packet.dropFirst())
            let transfer: UnsafeMutablePointer<libusb_transfer>?
            switch packet.first.flatMap(H4Indicator.init(rawValue:)) {
            case .command:
                let setup: [UInt8] = [0x20, 0, 0, 0, 0, 0, UInt8(octets.count & 0xFF), UInt8(octets.count >> 8)]
                transfer = newTransfer(0, LIBUSB_TRANSFER_TYPE_CONTROL, setup + octets)
            case .aclData:
                transfer = newTransfer(controller.endpoints.dataOut, LIBUSB_TRANSFER_TYPE_BULK, octets)
            default: return end("USB carries commands and ACL data only")
            }
            guard let transfer else { return }
            transfer.pointee.flags = UInt8(LIBUSB_TRANSFER_FREE_TRANSFER.rawValue)
            give(transfer)
        }

        private func newTransfer(
            _ endpoint: UInt8, _ type: libusb_transfer_type, _ octets: [UInt8]
        ) -> UnsafeMutablePointer<libusb_transfer>? {
            guard let transfer = libusb_alloc_transfer(0), let buffer = malloc(octets.count) else {
                end("no memory for a transfer")
                return nil
            }
            octets.withUnsafeBytes { if let base = $0.baseAddress { memcpy(buffer, base, $0.count) } }
            transfer.pointee.dev_handle = controller.handle
            transfer.pointee.endpoint = endpoint
            transfer.pointee.type = UInt8(type.rawValue)
            transfer.pointee.length = Int32(octets.count)
            transfer.pointee.buffer = buffer.assumingMemoryBound(to: UInt8.self)
            transfer.pointee.callback = Self.completed
            transfer.pointee.user_data = Unmanaged.passUnretained(self).toOpaque()
            return transfer
        }

        private func give(_ transfer: UnsafeMutablePointer<libusb_transfer>) {
            let result = libusb_submit_transfer(transfer)
            if result == 0 {
                underWay += 1
            } else {
                end(
                    result == USBFailure.noDevice.rawValue ? Self.unplugged : "USB takes no transfer (libusb \(result))"
                )
                free(transfer.pointee.buffer)
                libusb_free_transfer(transfer)
                incoming.removeAll { $0 == transfer }
            }
        }

        private static let unplugged = "the controller was unplugged"

        private func completed(_ transfer: UnsafeMutablePointer<libusb_transfer>) {
            underWay -= 1
            let isIncoming = transfer.pointee.endpoint & 0x80 != 0
            if transfer.pointee.status != LIBUSB_TRANSFER_COMPLETED { fail(transfer.pointee) }
            guard isIncoming else { return free(transfer.pointee.buffer) }
            if !isOver {
                let octets = Array(
                    UnsafeBufferPointer(start: transfer.pointee.buffer, count: Int(transfer.pointee.actual_length)))
                if transfer.pointee.endpoint == controller.endpoints.eventsIn {
                    events.feed(octets, into: &found)
                } else {
                    data.feed(octets, into: &found)
                }
                give(transfer)
            } else {
                incoming.removeAll { $0 == transfer }
                free(transfer.pointee.buffer)
                libusb_free_transfer(transfer)
            }
        }

        private func fail(_ transfer: libusb_transfer) {
            switch transfer.status {
            case LIBUSB_TRANSFER_CANCELLED: break
            case LIBUSB_TRANSFER_NO_DEVICE: end(Self.unplugged)
            case LIBUSB_TRANSFER_STALL where transfer.endpoint == 0: end("the controller refused a command on USB")
            // This comes before the kernel knows that the device is gone.
            case LIBUSB_TRANSFER_ERROR: end("the controller doesn't answer on USB: it was unplugged, or is faulty")
            default:
                end("endpoint \(Hex.prefixed(transfer.endpoint)) failed (libusb status \(transfer.status.rawValue))")
            }
        }
    }
#endif
