package import BLEWire

/// One of the two devices of a link, as far as a capture tells.
package enum Endpoint: Hashable, Sendable {
    /// The device that the capture was made on.
    case local
    case device(DeviceAddress)
    /// The other device of a link that was there before the capture began.
    case unknown(ConnectionHandle)
}

extension Endpoint: CustomStringConvertible {
    package var description: String {
        switch self {
        case .local: "this device"
        case .device(let address): address.description
        case .unknown(let handle): "the device behind connection \(handle)"
        }
    }
}

/// What a link has carried: an ATT PDU with its time and its way.
struct SeenATT {
    var unixNanoseconds: Int64
    var sender: Endpoint
    var receiver: Endpoint
    var pdu: [UInt8]
}
