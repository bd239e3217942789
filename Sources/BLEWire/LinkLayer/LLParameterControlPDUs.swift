// Control PDUs that ask for other connection parameters. [Vol 6, Part B, 5.1.7]

/// The values that both LL_CONNECTION_PARAM_REQ and LL_CONNECTION_PARAM_RSP carry. [Vol 6, Part B, 2.4.2.16]
package struct LLConnectionParameters: FieldStructure, Equatable {
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 24
    /// Units of 1.25 ms.
    package var intervalMaximum: UInt16 = 24
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var timeout: UInt16 = 72
    /// The interval should be a multiple of it, in units of 1.25 ms; 0 is no wish.
    package var preferredPeriodicity: UInt8 = 0
    package var referenceEventCount: UInt16 = 0
    /// Where anchor points would suit, the best first; 0xFFFF is none.
    package var offsets: [UInt16] = [0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Interval_Min", &intervalMinimum)
        try v.u16("Interval_Max", &intervalMaximum)
        try v.u16("Latency", &latency)
        try v.u16("Timeout", &timeout)
        try v.u8("PreferredPeriodicity", &preferredPeriodicity)
        try v.u16("ReferenceConnEventCount", &referenceEventCount)
        if offsets.count < 6 { offsets += [UInt16](repeating: 0xFFFF, count: 6 - offsets.count) }
        try v.u16("Offset0", &offsets[0])
        try v.u16("Offset1", &offsets[1])
        try v.u16("Offset2", &offsets[2])
        try v.u16("Offset3", &offsets[3])
        try v.u16("Offset4", &offsets[4])
        try v.u16("Offset5", &offsets[5])
    }

    /// Whether the values are within what a link may have. [Vol 6, Part B, 2.4.2.16]
    package var isValid: Bool {
        guard intervalMinimum >= 6, intervalMinimum <= intervalMaximum, intervalMaximum <= 3200 else { return false }
        guard latency <= 499, (10...3200).contains(timeout) else { return false }
        return Int(timeout) * 4 > (1 + Int(latency)) * Int(intervalMaximum)
    }
}

/// LL_CONNECTION_PARAM_REQ: asks the other side for other parameters. [Vol 6, Part B, 2.4.2.16]
package struct LLConnectionParamReq: LLControlPDU {
    package static let name: StaticString = "LL_CONNECTION_PARAM_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.16")
    package static var opcode: LLOpcode { .connectionParamReq }

    package var parameters: LLConnectionParameters = LLConnectionParameters()

    package init() {}
    package init(parameters: LLConnectionParameters) {
        self.parameters = parameters
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try parameters.visitFields(&v)
    }
}

/// LL_CONNECTION_PARAM_RSP: the peripheral's answer to the central's request. [Vol 6, Part B, 2.4.2.17]
package struct LLConnectionParamRsp: LLControlPDU {
    package static let name: StaticString = "LL_CONNECTION_PARAM_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.17")
    package static var opcode: LLOpcode { .connectionParamRsp }

    package var parameters: LLConnectionParameters = LLConnectionParameters()

    package init() {}
    package init(parameters: LLConnectionParameters) {
        self.parameters = parameters
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try parameters.visitFields(&v)
    }
}
