/// What a device lets a person do in a pairing. [Vol 3, Part H, 3.5.1]
package struct SMPIOCapability: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let displayOnly = SMPIOCapability(rawValue: 0x00)
    package static let displayYesNo = SMPIOCapability(rawValue: 0x01)
    package static let keyboardOnly = SMPIOCapability(rawValue: 0x02)
    package static let noInputNoOutput = SMPIOCapability(rawValue: 0x03)
    package static let keyboardDisplay = SMPIOCapability(rawValue: 0x04)
}

extension SMPIOCapability: NamedCode {
    package var codeName: String? {
        let names = ["DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"]
        return rawValue < names.count ? names[Int(rawValue)] : nil
    }
}

/// AuthReq: what a device wants of a pairing. [Vol 3, Part H, 3.5.1]
package struct SMPAuthentication: WireCode, OptionSet {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bonding_Flags, two bits: the keys are to be kept.
    package static let bonding = SMPAuthentication(rawValue: 0x01)
    /// Protection against a man in the middle.
    package static let mitm = SMPAuthentication(rawValue: 0x04)
    package static let secureConnections = SMPAuthentication(rawValue: 0x08)
    package static let keypress = SMPAuthentication(rawValue: 0x10)
    /// The function h7 may be used for keys of the other transport.
    package static let ct2 = SMPAuthentication(rawValue: 0x20)
}

/// Which keys a device distributes. [Vol 3, Part H, 3.6.1]
package struct SMPKeyDistribution: WireCode, OptionSet {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// LTK, EDIV and Rand; means nothing in LE Secure Connections.
    package static let encryption = SMPKeyDistribution(rawValue: 0x01)
    /// IRK and identity address.
    package static let identity = SMPKeyDistribution(rawValue: 0x02)
    /// CSRK.
    package static let signing = SMPKeyDistribution(rawValue: 0x04)
    /// The BR/EDR link key, derived from the LTK.
    package static let link = SMPKeyDistribution(rawValue: 0x08)
}

/// What happens to the digits of a passkey. [Vol 3, Part H, 3.5.8]
package struct SMPKeypress: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let started = SMPKeypress(rawValue: 0x00)
    package static let digitEntered = SMPKeypress(rawValue: 0x01)
    package static let digitErased = SMPKeypress(rawValue: 0x02)
    package static let cleared = SMPKeypress(rawValue: 0x03)
    package static let completed = SMPKeypress(rawValue: 0x04)

    /// Whether the specification gives it a meaning.
    package var isDefined: Bool { rawValue <= 4 }
}

/// What both commands that begin a pairing say. [Vol 3, Part H, 3.5.1]
package struct SMPPairingFeatures: FieldStructure, Hashable {
    package var ioCapability = SMPIOCapability.noInputNoOutput
    /// Data of the peer has come out of band.
    package var hasOOBData = false
    package var authentication: SMPAuthentication = []
    /// Octets of the longest encryption key. The receiver judges it: what is too long and what is too short have
    /// answers of their own. [Vol 3, Part H, 3.5.5]
    package var maximumKeySize: UInt8 = 16
    package var initiatorKeys: SMPKeyDistribution = []
    package var responderKeys: SMPKeyDistribution = []

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("IO Capability", &ioCapability, in: 0...4)
        var flag: UInt8 = hasOOBData ? 1 : 0
        try v.u8("OOB data flag", &flag, in: 0...1)
        hasOOBData = flag == 1
        try v.field("AuthReq", &authentication)
        try v.u8("Maximum Encryption Key Size", &maximumKeySize)
        try v.field("Initiator Key Distribution", &initiatorKeys)
        try v.field("Responder Key Distribution", &responderKeys)
    }
}
