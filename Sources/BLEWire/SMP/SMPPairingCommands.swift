// Commands that begin and end a pairing. [Vol 3, Part H, 3.5]

/// Pairing Request: the central begins.
/// [Vol 3, Part H, 3.5.1]
package struct SMPPairingRequest: SMPPDU {
    package static let name: StaticString = "Pairing Request"
    package static let section = SpecSection(3, "H", "3.5.1")
    package static var code: SMPCode { .pairingRequest }

    package var features: SMPPairingFeatures = SMPPairingFeatures()

    package init() {}
    package init(features: SMPPairingFeatures) {
        self.features = features
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try features.visitFields(&v)
    }
}

/// Pairing Response: the peripheral agrees.
/// [Vol 3, Part H, 3.5.2]
package struct SMPPairingResponse: SMPPDU {
    package static let name: StaticString = "Pairing Response"
    package static let section = SpecSection(3, "H", "3.5.2")
    package static var code: SMPCode { .pairingResponse }

    package var features: SMPPairingFeatures = SMPPairingFeatures()

    package init() {}
    package init(features: SMPPairingFeatures) {
        self.features = features
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try features.visitFields(&v)
    }
}

/// Pairing Failed: the pairing has ended.
/// [Vol 3, Part H, 3.5.5]
package struct SMPPairingFailed: SMPPDU {
    package static let name: StaticString = "Pairing Failed"
    package static let section = SpecSection(3, "H", "3.5.5")
    package static var code: SMPCode { .pairingFailed }

    package var reason: SMPReason = SMPReason(rawValue: 0)

    package init() {}
    package init(reason: SMPReason) {
        self.reason = reason
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Reason", &reason)
    }
}

/// Security Request: the peripheral wants the link to be encrypted.
/// [Vol 3, Part H, 3.6.7]
package struct SMPSecurityRequest: SMPPDU {
    package static let name: StaticString = "Security Request"
    package static let section = SpecSection(3, "H", "3.6.7")
    package static var code: SMPCode { .securityRequest }

    package var authentication: SMPAuthentication = []

    package init() {}
    package init(authentication: SMPAuthentication) {
        self.authentication = authentication
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("AuthReq", &authentication)
    }
}
