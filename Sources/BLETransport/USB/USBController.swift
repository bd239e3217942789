#if USB
    import CUSB

    /// A Bluetooth controller on USB that this process has: interface, endpoints. [Vol 4, Part B, 2]
    ///
    /// *Limits*: one interface, for commands, events and ACL data; the one for synchronous data is left alone. Used by
    /// one thread at a time.
    struct USBController: @unchecked Sendable {
        let context: OpaquePointer
        let handle: OpaquePointer
        let interface: Int32
        let endpoints: Endpoints

        /// The addresses of the endpoints, and the sizes of what comes in.
        struct Endpoints {
            var eventsIn: UInt8
            var eventSize: Int
            var dataIn: UInt8
            var dataSize: Int
            var dataOut: UInt8
        }

        static func open(_ selection: USBSelection) throws(TransportError) -> USBController {
            var context: OpaquePointer?
            let result = libusb_init(&context)
            guard result == 0, let context else { throw usbError(selection, code: result) }
            do throws(TransportError) {
                return try open(selection, context)
            } catch {
                libusb_exit(context)
                throw error
            }
        }

        /// Gives the interface back to the kernel's driver. No transfer may be under way.
        func close() {
            libusb_release_interface(handle, interface)
            libusb_close(handle)
            libusb_exit(context)
        }

        private static func open(
            _ selection: USBSelection, _ context: OpaquePointer
        ) throws(TransportError) -> USBController {
            var list: UnsafeMutablePointer<OpaquePointer?>?
            let count = libusb_get_device_list(context, &list)
            guard count >= 0, let list else { throw usbError(selection, code: Int32(clamping: count)) }
            defer { libusb_free_device_list(list, 1) }
            var number: UInt8 = 0
            for device in (0..<count).compactMap({ list[$0] }) {
                guard let (interface, endpoints) = find(selection, device) else { continue }
                if case .number(let wanted) = selection, wanted != number {
                    number += 1
                    continue
                }
                let handle = try claim(device, interface, selection)
                return USBController(context: context, handle: handle, interface: interface, endpoints: endpoints)
            }
            throw usbError(selection, code: USBFailure.notFound.rawValue)
        }

        private static func claim(
            _ device: OpaquePointer, _ interface: Int32, _ selection: USBSelection
        ) throws(TransportError) -> OpaquePointer {
            var handle: OpaquePointer?
            let result = libusb_open(device, &handle)
            guard result == 0, let handle else { throw usbError(selection, code: result) }
            libusb_set_auto_detach_kernel_driver(handle, 1)
            let claimed = libusb_claim_interface(handle, interface)
            guard claimed == 0 else {
                libusb_close(handle)
                throw usbError(selection, code: claimed)
            }
            return handle
        }

        /// The interface that is meant, if the device has it: one with the codes for Bluetooth [Vol 4, Part B, 3], or, of a
        /// device that is named, one that has the endpoints.
        private static func find(_ selection: USBSelection, _ device: OpaquePointer) -> (Int32, Endpoints)? {
            var description = libusb_device_descriptor()
            guard libusb_get_device_descriptor(device, &description) == 0 else { return nil }
            let device16 = (description.idVendor, description.idProduct)
            if case .product(let vendor, let product) = selection, device16 != (vendor, product) { return nil }
            var configuration: UnsafeMutablePointer<libusb_config_descriptor>?
            guard libusb_get_active_config_descriptor(device, &configuration) == 0, let configuration else {
                return nil
            }
            defer { libusb_free_config_descriptor(configuration) }
            for index in 0..<Int(configuration.pointee.bNumInterfaces) {
                let interface = configuration.pointee.interface[index]
                guard interface.num_altsetting > 0 else { continue }
                let setting = interface.altsetting[0]
                let isBluetooth =
                    (setting.bInterfaceClass, setting.bInterfaceSubClass, setting.bInterfaceProtocol) == (0xE0, 1, 1)
                var isNamed = false
                if case .product = selection { isNamed = true }
                if isBluetooth || isNamed, let endpoints = Endpoints(setting) {
                    return (Int32(setting.bInterfaceNumber), endpoints)
                }
            }
            return nil
        }
    }

    extension USBController.Endpoints {
        /// Those of the interface; nil where one is missing.
        init?(_ setting: libusb_interface_descriptor) {
            var events: libusb_endpoint_descriptor?
            var dataIn: libusb_endpoint_descriptor?
            var dataOut: libusb_endpoint_descriptor?
            for index in 0..<Int(setting.bNumEndpoints) {
                let endpoint = setting.endpoint[index]
                let isIn = endpoint.bEndpointAddress & 0x80 != 0
                switch (endpoint.bmAttributes & 3, isIn) {
                case (3, true): events = events ?? endpoint
                case (2, true): dataIn = dataIn ?? endpoint
                case (2, false): dataOut = dataOut ?? endpoint
                default: break
                }
            }
            guard let events, let dataIn, let dataOut else { return nil }
            eventsIn = events.bEndpointAddress
            eventSize = max(1, Int(events.wMaxPacketSize & 0x7FF))
            self.dataIn = dataIn.bEndpointAddress
            dataSize = max(1, Int(dataIn.wMaxPacketSize & 0x7FF))
            self.dataOut = dataOut.bEndpointAddress
        }
    }
#endif
