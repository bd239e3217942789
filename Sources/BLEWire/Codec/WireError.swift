/// Why octets could not be read as the PDU that they claim to be, or a value not be written.
///
/// The field is the specification's name of it, the offset counts octets from the start of the PDU.
package enum WireError: Error, Equatable, Sendable {
    /// The octets end before the field does.
    case truncated(field: String, offset: Int, needed: Int, available: Int)
    /// The value of the field is outside what the specification allows.
    case outOfRange(field: String, offset: Int, value: UInt64)
    /// Octets are left over after the last field.
    case trailing(offset: Int, count: Int)
    /// A field holds more octets or elements than its length can express or the specification allows.
    case tooLong(field: String, count: Int, limit: Int)
    /// The opcode, code or type names no PDU that is known here.
    case unknown(what: String, value: UInt64)
}

extension WireError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated(let field, let offset, let needed, let available):
            "\(field) at octet \(offset) needs \(needed) octets, \(available) are there"
        case .outOfRange(let field, let offset, let value):
            "\(field) at octet \(offset) has the value \(value), which is not allowed"
        case .trailing(let offset, let count):
            "\(count) octets are left over from octet \(offset) on"
        case .tooLong(let field, let count, let limit):
            "\(field) holds \(count), the limit is \(limit)"
        case .unknown(let what, let value):
            "unknown \(what) 0x" + String(value, radix: 16)
        }
    }
}
