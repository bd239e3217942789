// Control PDUs that refuse others. [Vol 6, Part B, 5.3], [Vol 6, Part B, 5.1]

/// LL_UNKNOWN_RSP: a control PDU that isn't known or not supported. [Vol 6, Part B, 2.4.2.8]
package struct LLUnknownRsp: LLControlPDU {
    package static let name: StaticString = "LL_UNKNOWN_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.8")
    package static var opcode: LLOpcode { .unknownRsp }

    package var unknown: LLOpcode = LLOpcode(rawValue: 0)

    package init() {}
    package init(unknown: LLOpcode) {
        self.unknown = unknown
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("UnknownType", &unknown)
    }
}

/// LL_REJECT_IND: refuses what was asked last. [Vol 6, Part B, 2.4.2.14]
package struct LLRejectInd: LLControlPDU {
    package static let name: StaticString = "LL_REJECT_IND"
    package static let section = SpecSection(6, "B", "2.4.2.14")
    package static var opcode: LLOpcode { .rejectInd }

    package var reason: HCIStatus = HCIStatus.unsupportedRemoteFeature

    package init() {}
    package init(reason: HCIStatus) {
        self.reason = reason
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("ErrorCode", &reason)
    }
}

/// LL_REJECT_EXT_IND: refuses the PDU that it names. [Vol 6, Part B, 2.4.2.18]
package struct LLRejectExtInd: LLControlPDU {
    package static let name: StaticString = "LL_REJECT_EXT_IND"
    package static let section = SpecSection(6, "B", "2.4.2.18")
    package static var opcode: LLOpcode { .rejectExtInd }

    package var rejected: LLOpcode = LLOpcode(rawValue: 0)
    package var reason: HCIStatus = HCIStatus.unsupportedRemoteFeature

    package init() {}
    package init(rejected: LLOpcode, reason: HCIStatus) {
        self.rejected = rejected
        self.reason = reason
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("RejectOpcode", &rejected)
        try v.field("ErrorCode", &reason)
    }
}
