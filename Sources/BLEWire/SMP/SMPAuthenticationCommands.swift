// Commands that authenticate both sides and make the keys. [Vol 3, Part H, 3.5]

/// Pairing Confirm: binds its sender to a value that follows.
/// [Vol 3, Part H, 3.5.3]
package struct SMPPairingConfirm: SMPPDU {
    package static let name: StaticString = "Pairing Confirm"
    package static let section = SpecSection(3, "H", "3.5.3")
    package static var code: SMPCode { .pairingConfirm }

    package var value: Key128 = 0

    package init() {}
    package init(value: Key128) {
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.key("Confirm value", &value)
    }
}

/// Pairing Random: the value that the confirm value was made with.
/// [Vol 3, Part H, 3.5.4]
package struct SMPPairingRandom: SMPPDU {
    package static let name: StaticString = "Pairing Random"
    package static let section = SpecSection(3, "H", "3.5.4")
    package static var code: SMPCode { .pairingRandom }

    package var value: Key128 = 0

    package init() {}
    package init(value: Key128) {
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.key("Random value", &value)
    }
}

/// Pairing Public Key: a point on P-256. Whether it lies on the curve is for its receiver to judge.
/// [Vol 3, Part H, 3.5.6]
package struct SMPPairingPublicKey: SMPPDU {
    package static let name: StaticString = "Pairing Public Key"
    package static let section = SpecSection(3, "H", "3.5.6")
    package static var code: SMPCode { .pairingPublicKey }

    /// Coordinates, 32 octets each, least significant first.
    package var x: [UInt8] = Array(repeating: 0, count: 32)
    package var y: [UInt8] = Array(repeating: 0, count: 32)

    package init() {}
    package init(x: [UInt8], y: [UInt8]) {
        self.x = x
        self.y = y
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.octets("Public Key X", &x, count: 32)
        try v.octets("Public Key Y", &y, count: 32)
    }
}

/// Pairing DHKey Check: shows that its sender has the same secret.
/// [Vol 3, Part H, 3.5.7]
package struct SMPPairingDHKeyCheck: SMPPDU {
    package static let name: StaticString = "Pairing DHKey Check"
    package static let section = SpecSection(3, "H", "3.5.7")
    package static var code: SMPCode { .pairingDHKeyCheck }

    package var value: Key128 = 0

    package init() {}
    package init(value: Key128) {
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.key("DHKey Check", &value)
    }
}

/// Pairing Keypress Notification: how far the entry of a passkey is.
/// [Vol 3, Part H, 3.5.8]
package struct SMPPairingKeypressNotification: SMPPDU {
    package static let name: StaticString = "Pairing Keypress Notification"
    package static let section = SpecSection(3, "H", "3.5.8")
    package static var code: SMPCode { .pairingKeypressNotification }

    package var type: SMPKeypress = SMPKeypress(rawValue: 0)

    package init() {}
    package init(type: SMPKeypress) {
        self.type = type
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Notification Type", &type)
    }
}
