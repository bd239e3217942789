// Commands that distribute keys on the encrypted link. [Vol 3, Part H, 3.6]

/// Encryption Information: the sender's LTK of LE legacy pairing.
/// [Vol 3, Part H, 3.6.2]
package struct SMPEncryptionInformation: SMPPDU {
    package static let name: StaticString = "Encryption Information"
    package static let section = SpecSection(3, "H", "3.6.2")
    package static var code: SMPCode { .encryptionInformation }

    package var longTermKey: Key128 = 0

    package init() {}
    package init(longTermKey: Key128) {
        self.longTermKey = longTermKey
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.key("Long Term Key", &longTermKey)
    }
}

/// Central Identification: what names the LTK to its sender.
/// [Vol 3, Part H, 3.6.3]
package struct SMPCentralIdentification: SMPPDU {
    package static let name: StaticString = "Central Identification"
    package static let section = SpecSection(3, "H", "3.6.3")
    package static var code: SMPCode { .centralIdentification }

    package var diversifier: UInt16 = 0
    package var random: UInt64 = 0

    package init() {}
    package init(diversifier: UInt16, random: UInt64) {
        self.diversifier = diversifier
        self.random = random
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("EDIV", &diversifier)
        try v.u64("Rand", &random)
    }
}

/// Identity Information: the key that resolves the sender's private addresses; zero where it has none.
/// [Vol 3, Part H, 3.6.4]
package struct SMPIdentityInformation: SMPPDU {
    package static let name: StaticString = "Identity Information"
    package static let section = SpecSection(3, "H", "3.6.4")
    package static var code: SMPCode { .identityInformation }

    package var identityResolvingKey: Key128 = 0

    package init() {}
    package init(identityResolvingKey: Key128) {
        self.identityResolvingKey = identityResolvingKey
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.key("Identity Resolving Key", &identityResolvingKey)
    }
}

/// Identity Address Information: the sender's identity address.
/// [Vol 3, Part H, 3.6.5]
package struct SMPIdentityAddressInformation: SMPPDU {
    package static let name: StaticString = "Identity Address Information"
    package static let section = SpecSection(3, "H", "3.6.5")
    package static var code: SMPCode { .identityAddressInformation }

    package var address: DeviceAddress = DeviceAddress(0)

    package init() {}
    package init(address: DeviceAddress) {
        self.address = address
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        var type: UInt8 = address.isRandom ? 1 : 0
        try v.u8("AddrType", &type, in: 0...1)
        try v.u48("BD_ADDR", &address.bits)
        address.kind = type == 1 ? .randomDevice : .publicDevice
    }
}

/// Signing Information: the key that the sender signs data with.
/// [Vol 3, Part H, 3.6.6]
package struct SMPSigningInformation: SMPPDU {
    package static let name: StaticString = "Signing Information"
    package static let section = SpecSection(3, "H", "3.6.6")
    package static var code: SMPCode { .signingInformation }

    package var signatureKey: Key128 = 0

    package init() {}
    package init(signatureKey: Key128) {
        self.signatureKey = signatureKey
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.key("Signature Key", &signatureKey)
    }
}
