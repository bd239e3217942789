/// The header of a PDU on a data channel. [Vol 6, Part B, 2.4]
package struct DataHeader: FieldStructure, Equatable {
    /// What the payload is. [Vol 6, Part B, 2.4]
    package struct LLID: WireCode {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let reserved = LLID(rawValue: 0b00)
        /// A continuation of an L2CAP PDU, or an empty PDU.
        package static let continuation = LLID(rawValue: 0b01)
        /// The start of an L2CAP PDU, or a complete one.
        package static let start = LLID(rawValue: 0b10)
        package static let control = LLID(rawValue: 0b11)
    }

    /// LLID in bits 0 and 1, NESN bit 2, SN bit 3, MD bit 4, CP bit 5; the others are reserved.
    package var flags: UInt8 = 0
    /// Octets of the payload and, on an encrypted link, of the MIC.
    package var length: UInt8 = 0

    package init() {}
    package init(llid: LLID, nesn: UInt8, sn: UInt8, moreData: Bool, length: UInt8) {
        flags = llid.rawValue & 0b11 | (nesn & 1) << 2 | (sn & 1) << 3 | (moreData ? 0x10 : 0)
        self.length = length
    }

    package var llid: LLID { LLID(rawValue: flags & 0b11) }
    /// The sequence number that the sender expects next.
    package var nesn: UInt8 { flags >> 2 & 1 }
    package var sn: UInt8 { flags >> 3 & 1 }
    /// MD: the sender has more to send in this event.
    package var moreData: Bool { flags & 0x10 != 0 }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Flags", &flags)
        try v.u8("Length", &length)
    }
}
