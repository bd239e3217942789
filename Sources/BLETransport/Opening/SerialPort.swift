import CLinuxSupport
import Glibc

/// Opens a serial line to a controller: 8 data bits, no parity, one stop bit, RTS/CTS. [Vol 4, Part A, 3]
func openSerialPort(_ device: String, _ baud: UInt32) throws(TransportError) -> Int32 {
    let descriptor = Glibc.open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { throw serialError(device, baud, code: errno) }
    let result = cls_serial_configure(descriptor, baud, 1)
    if result < 0 {
        close(descriptor)
        throw serialError(device, baud, code: -result)
    }
    return descriptor
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
