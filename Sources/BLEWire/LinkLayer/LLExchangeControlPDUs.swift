// Control PDUs by which the sides get to know each other.
// [Vol 6, Part B, 5.1.4], [Vol 6, Part B, 5.1.5], [Vol 6, Part B, 5.1.8]

/// LL_FEATURE_REQ: the central shows its features and asks for the peripheral's. [Vol 6, Part B, 2.4.2.9]
package struct LLFeatureReq: LLControlPDU {
    package static let name: StaticString = "LL_FEATURE_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.9")
    package static var opcode: LLOpcode { .featureReq }

    package var features: LEFeatures = LEFeatures(rawValue: 0)

    package init() {}
    package init(features: LEFeatures) {
        self.features = features
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("FeatureSet", &features)
    }
}

/// LL_FEATURE_RSP: the features that both sides have. [Vol 6, Part B, 2.4.2.10]
package struct LLFeatureRsp: LLControlPDU {
    package static let name: StaticString = "LL_FEATURE_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.10")
    package static var opcode: LLOpcode { .featureRsp }

    package var features: LEFeatures = LEFeatures(rawValue: 0)

    package init() {}
    package init(features: LEFeatures) {
        self.features = features
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("FeatureSet", &features)
    }
}

/// LL_PERIPHERAL_FEATURE_REQ: the peripheral shows its features and asks for the central's. [Vol 6, Part B, 2.4.2.15]
package struct LLPeripheralFeatureReq: LLControlPDU {
    package static let name: StaticString = "LL_PERIPHERAL_FEATURE_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.15")
    package static var opcode: LLOpcode { .peripheralFeatureReq }

    package var features: LEFeatures = LEFeatures(rawValue: 0)

    package init() {}
    package init(features: LEFeatures) {
        self.features = features
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("FeatureSet", &features)
    }
}

/// LL_VERSION_IND: version and maker of the controller, once a link from each side. [Vol 6, Part B, 2.4.2.13]
package struct LLVersionInd: LLControlPDU {
    package static let name: StaticString = "LL_VERSION_IND"
    package static let section = SpecSection(6, "B", "2.4.2.13")
    package static var opcode: LLOpcode { .versionInd }

    package var version: UInt8 = 0
    package var company: UInt16 = 0
    package var subversion: UInt16 = 0

    package init() {}
    package init(version: UInt8, company: UInt16, subversion: UInt16) {
        self.version = version
        self.company = company
        self.subversion = subversion
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Version", &version)
        try v.u16("Company_Identifier", &company)
        try v.u16("Subversion", &subversion)
    }
}

/// LL_PING_REQ: asks for a packet back. [Vol 6, Part B, 2.4.2.19]
package struct LLPingReq: LLControlPDU {
    package static let name: StaticString = "LL_PING_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.19")
    package static var opcode: LLOpcode { .pingReq }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// LL_PING_RSP: the packet back. [Vol 6, Part B, 2.4.2.20]
package struct LLPingRsp: LLControlPDU {
    package static let name: StaticString = "LL_PING_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.20")
    package static var opcode: LLOpcode { .pingRsp }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}
