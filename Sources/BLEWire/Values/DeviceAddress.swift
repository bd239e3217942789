/// A Bluetooth device address with its type. [Vol 6, Part B, 1.3]
package struct DeviceAddress: Hashable, Sendable {
    /// How the address is assigned, as HCI's Address_Type says it. [Vol 4, Part E, 7.7.65.2]
    package struct Kind: WireCode {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let publicDevice = Kind(rawValue: 0x00)
        package static let randomDevice = Kind(rawValue: 0x01)
        /// A resolvable address that the controller resolved to a public identity address.
        package static let publicIdentity = Kind(rawValue: 0x02)
        /// A resolvable address that the controller resolved to a static random identity address.
        package static let randomIdentity = Kind(rawValue: 0x03)
    }

    package var kind: Kind
    /// The 48 bits; the most significant octet is the one that is printed first.
    package var bits: UInt64

    package init(_ bits: UInt64, _ kind: Kind = .publicDevice) {
        self.bits = bits & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    package var isRandom: Bool { kind.rawValue & 1 == 1 }

    /// Whether it is a random address of the sub-type resolvable private. [Vol 6, Part B, 1.3.2.2]
    package var isResolvablePrivate: Bool { isRandom && bits >> 46 == 0b01 }
    /// The address as one asks for it: an identity address is a device address that the controller resolved.
    package var withoutIdentity: DeviceAddress { DeviceAddress(bits, isRandom ? .randomDevice : .publicDevice) }

    /// Whether it is a random address of the sub-type static. [Vol 6, Part B, 1.3.2.1]
    package var isRandomStatic: Bool { isRandom && bits >> 46 == 0b11 }
}

extension DeviceAddress: CustomStringConvertible {
    package var description: String {
        let digits = (0..<6).reversed().map { Hex.octet(UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0)))) }
        return digits.joined(separator: ":") + (isRandom ? " (random)" : "")
    }

    /// Reads `C0:11:22:33:44:55`; nil where the text isn't six octets in hexadecimal.
    package init?(_ text: some StringProtocol, _ kind: Kind = .publicDevice) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        var bits: UInt64 = 0
        for part in parts {
            guard let octets = Hex.octets(part), octets.count == 1 else { return nil }
            bits = bits << 8 | UInt64(octets[0])
        }
        self.init(bits, kind)
    }
}
