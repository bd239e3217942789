/// A result of libusb that isn't success: what can stand in the way of a controller. (The numbers are part of its interface.)
package enum USBFailure: Int32, Sendable {
    case noRight = -3
    case noDevice = -4
    case notFound = -5
    case busy = -6
    case notSupported = -12
}

/// Says what stood in the way of a USB controller.
package func usbError(_ selection: USBSelection, code: Int32) -> TransportError {
    let layer = selection.description
    switch USBFailure(rawValue: code) {
    case .noRight:
        return TransportError(
            .unauthorized, layer: layer, cause: "no right to open the device",
            remedy: "run the program as root, or give the user the device: a udev rule with TAG+=\"uaccess\"")
    case .noDevice, .notFound:
        return TransportError(
            .unavailable, layer: layer, cause: "there is no such Bluetooth controller on USB",
            remedy: "plug it in, or see `lsusb` for those there are")
    case .busy:
        return TransportError(
            .unavailable, layer: layer, cause: "another program has the device", remedy: "end that program")
    case .notSupported:
        return TransportError(
            .unsupported, layer: layer, cause: "the system can't hand over the device",
            remedy: "use the kernel's adapter: RAVNING_ADAPTER=hci:N")
    case nil:
        return TransportError(
            .unavailable, layer: layer, cause: "the device can't be opened (libusb \(code))",
            remedy: "unplug it and plug it in again")
    }
}
