// Control PDUs that start and pause encryption. [Vol 6, Part B, 5.1.3]

/// LL_ENC_REQ: the central starts encryption. [Vol 6, Part B, 2.4.2.4]
package struct LLEncReq: LLControlPDU {
    package static let name: StaticString = "LL_ENC_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.4")
    package static var opcode: LLOpcode { .encReq }

    package var random: UInt64 = 0
    package var diversifier: UInt16 = 0
    package var sessionKeyDiversifier: UInt64 = 0
    package var initializationVector: UInt32 = 0

    package init() {}
    package init(random: UInt64, diversifier: UInt16, sessionKeyDiversifier: UInt64, initializationVector: UInt32) {
        self.random = random
        self.diversifier = diversifier
        self.sessionKeyDiversifier = sessionKeyDiversifier
        self.initializationVector = initializationVector
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u64("Rand", &random)
        try v.u16("EDIV", &diversifier)
        try v.u64("SKD_C", &sessionKeyDiversifier)
        try v.u32("IV_C", &initializationVector)
    }
}

/// LL_ENC_RSP: the peripheral's part of key and vector. [Vol 6, Part B, 2.4.2.5]
package struct LLEncRsp: LLControlPDU {
    package static let name: StaticString = "LL_ENC_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.5")
    package static var opcode: LLOpcode { .encRsp }

    package var sessionKeyDiversifier: UInt64 = 0
    package var initializationVector: UInt32 = 0

    package init() {}
    package init(sessionKeyDiversifier: UInt64, initializationVector: UInt32) {
        self.sessionKeyDiversifier = sessionKeyDiversifier
        self.initializationVector = initializationVector
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u64("SKD_P", &sessionKeyDiversifier)
        try v.u32("IV_P", &initializationVector)
    }
}

/// LL_START_ENC_REQ: the peripheral has the key. [Vol 6, Part B, 2.4.2.6]
package struct LLStartEncReq: LLControlPDU {
    package static let name: StaticString = "LL_START_ENC_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.6")
    package static var opcode: LLOpcode { .startEncReq }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// LL_START_ENC_RSP: this side encrypts now. [Vol 6, Part B, 2.4.2.7]
package struct LLStartEncRsp: LLControlPDU {
    package static let name: StaticString = "LL_START_ENC_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.7")
    package static var opcode: LLOpcode { .startEncRsp }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// LL_PAUSE_ENC_REQ: the central wants another key. [Vol 6, Part B, 2.4.2.11]
package struct LLPauseEncReq: LLControlPDU {
    package static let name: StaticString = "LL_PAUSE_ENC_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.11")
    package static var opcode: LLOpcode { .pauseEncReq }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// LL_PAUSE_ENC_RSP: this side has stopped encrypting. [Vol 6, Part B, 2.4.2.12]
package struct LLPauseEncRsp: LLControlPDU {
    package static let name: StaticString = "LL_PAUSE_ENC_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.12")
    package static var opcode: LLOpcode { .pauseEncRsp }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}
