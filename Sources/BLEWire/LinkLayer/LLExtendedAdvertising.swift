/// The payload of every PDU of extended and periodic advertising: ADV_EXT_IND, AUX_ADV_IND, AUX_SCAN_RSP, AUX_SYNC_IND,
/// AUX_CHAIN_IND and, with a type of its own, AUX_CONNECT_RSP. [Vol 6, Part B, 2.3.4]
///
/// The fields between the length and the data are an `LLExtendedHeader`, here still in octets.
package struct LLExtendedAdvertising: LLAdvertisingPDU {
    package static let name: StaticString = "Common Extended Advertising Payload"
    package static let section = SpecSection(6, "B", "2.3.4")
    package static var type: AdvertisingPDUType { .advExtInd }

    /// AdvMode: what a scanner or an initiator may do. [Vol 6, Part B, 2.3.4.2]
    package struct Mode: WireCode {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let neither = Mode(rawValue: 0)
        package static let connectable = Mode(rawValue: 1)
        package static let scannable = Mode(rawValue: 2)
    }

    /// The length of the extended header in bits 0 to 5, AdvMode in bits 6 and 7.
    package var lengthAndMode: UInt8 = 0
    /// 63 octets at most.
    package var header: [UInt8] = []
    /// AdvData, 254 octets at most.
    package var data: [UInt8] = []

    package init() {}

    /// Throws where the header is longer than its length can say.
    package init(mode: Mode, header fields: LLExtendedHeader, data: [UInt8] = []) throws(WireError) {
        header = fields.isEmpty ? [] : try fields.encoded()
        guard header.count <= 0x3F else {
            throw .tooLong(field: "Extended Header", count: header.count, limit: 0x3F)
        }
        lengthAndMode = UInt8(truncatingIfNeeded: header.count) | mode.rawValue << 6
        self.data = data
    }

    package var mode: Mode { Mode(rawValue: lengthAndMode >> 6) }

    /// The fields of the header; throws where they don't fit into it.
    package func fields() throws(WireError) -> LLExtendedHeader {
        header.isEmpty ? LLExtendedHeader() : try LLExtendedHeader(decoding: header)
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Extended Header Length and AdvMode", &lengthAndMode)
        try v.octets("Extended Header", &header, count: Int(lengthAndMode & 0x3F))
        try v.rest("AdvData", &data, limit: 254)
    }
}

/// AUX_CONNECT_RSP: accepts an AUX_CONNECT_REQ. [Vol 6, Part B, 2.3.3.2]
package struct LLAuxConnectRsp: LLAdvertisingPDU {
    package static let name: StaticString = "AUX_CONNECT_RSP"
    package static let section = SpecSection(6, "B", "2.3.3.2")
    package static var type: AdvertisingPDUType { .auxConnectRsp }

    package var lengthAndMode: UInt8 = 13
    /// Those of AdvA and TargetA.
    package var flags: LLExtendedHeader.Flags = [.advertiser, .target]
    package var advertiser: UInt64 = 0
    package var target: UInt64 = 0

    package init() {}
    package init(advertiser: UInt64, target: UInt64) {
        self.init()
        self.advertiser = advertiser
        self.target = target
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Extended Header Length and AdvMode", &lengthAndMode, in: 13...13)
        try v.field("Extended Header Flags", &flags, in: 3...3)
        try v.u48("AdvA", &advertiser)
        try v.u48("TargetA", &target)
    }
}
