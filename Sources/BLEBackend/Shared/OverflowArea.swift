package import BLEWire

/// Services that found no room in an advertisement, hashed into a mask of 128 bits: whoever looks for one of them looks
/// whether its bit is set. [contract 113]
///
/// It travels as manufacturer data of Apple's company identifier, type 1, as phones have it. The hash that they use isn't
/// published; ours is another one, so only devices of ours find each other by it, and a service may be found where it
/// isn't: one in 128 for each that is there.
package struct OverflowArea: Equatable {
    /// Apple, least significant octet first, and the type.
    private static let head: [UInt8] = [0x4C, 0x00, 0x01]
    private static let maskLength = 16

    private var mask = [UInt8](repeating: 0, count: maskLength)

    package init(_ services: [BluetoothUUID]) {
        for service in services {
            let bit = Self.bit(of: service)
            mask[bit / 8] |= 1 << (bit % 8)
        }
    }

    /// nil where the manufacturer data is something else.
    package init?(manufacturerData data: [UInt8]) {
        guard data.count == Self.head.count + Self.maskLength, data.starts(with: Self.head) else { return nil }
        mask = Array(data.dropFirst(Self.head.count))
    }

    package var manufacturerData: [UInt8] { Self.head + mask }

    /// Whether the service may be among those that were put in.
    package func mayContain(_ service: BluetoothUUID) -> Bool {
        let bit = Self.bit(of: service)
        return mask[bit / 8] & 1 << (bit % 8) != 0
    }

    /// The 128-bit form, folded by FNV-1a (32 bits) to a bit's number; the short forms of a UUID have the same.
    private static func bit(of service: BluetoothUUID) -> Int {
        var hash: UInt32 = 0x811C_9DC5
        for shift in stride(from: UInt128(0), to: 128, by: 8) {
            hash = (hash ^ UInt32(truncatingIfNeeded: service.full >> shift & 0xFF)) &* 0x0100_0193
        }
        return Int((hash ^ hash >> 16) & 0x7F)
    }
}
