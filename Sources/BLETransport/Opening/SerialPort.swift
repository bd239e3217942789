import CLinuxSupport
import Glibc

/// Opens a serial line to a controller: 8 data bits, no parity, one stop bit, RTS/CTS unless the line has none.
/// [Vol 4, Part A, 3]
func openSerialPort(_ device: String, _ baud: UInt32, hasFlowControl: Bool) throws(TransportError) -> Int32 {
    let descriptor = Glibc.open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { throw serialError(device, baud, code: errno) }
    var result = cls_serial_configure(descriptor, baud, hasFlowControl ? 1 : 0)
    var actual: UInt32 = 0
    if result == 0 { result = cls_serial_baud(descriptor, &actual) }
    if result == 0, !isBaud(actual, near: baud) { result = -EINVAL }
    if result < 0 {
        close(descriptor)
        throw serialError(device, baud, code: -result)
    }
    return descriptor
}

/// Whether a rate that a device has chosen does for the one that was asked for: ten bits are read right as long as
/// both sides together are less than half a bit apart at the last one, so each may be off by 2.5 %.
package func isBaud(_ actual: UInt32, near wanted: UInt32) -> Bool {
    let difference = max(actual, wanted) - min(actual, wanted)
    return UInt64(difference) * 40 <= UInt64(wanted)
}

/// Says what stood in the way.
package func serialError(_ device: String, _ baud: UInt32, code: Int32) -> TransportError {
    let layer = "serial:\(device)@\(baud)"
    switch code {
    case EACCES, EPERM:
        return TransportError(
            .unauthorized, layer: layer, cause: "no right to open the device",
            remedy: "add the user to the device's group (dialout, mostly) and log in again")
    case ENOENT, ENODEV, ENXIO:
        return TransportError(
            .unavailable, layer: layer, cause: "there is no such device",
            remedy: "plug it in, or correct RAVNING_ADAPTER")
    case EBUSY:
        return TransportError(
            .unavailable, layer: layer, cause: "another program has the device", remedy: "end that program")
    case ENOTTY:
        return TransportError(
            .unsupported, layer: layer, cause: "it is no serial device", remedy: "correct RAVNING_ADAPTER")
    case EINVAL:
        return TransportError(
            .unsupported, layer: layer, cause: "the device can't do that baud rate", remedy: "correct the baud rate")
    default:
        return TransportError(
            .unavailable, layer: layer, cause: "can't open: \(systemMessage(code))", remedy: "correct RAVNING_ADAPTER")
    }
}
