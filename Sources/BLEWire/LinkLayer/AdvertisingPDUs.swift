// The payloads of the advertising PDUs. [Vol 6, Part B, 2.3.1] Addresses are bare here: whether they are random is
// said by TxAdd and RxAdd of the header.

/// A payload on an advertising channel; the header before it names its type.
package protocol LLAdvertisingPDU: WirePDU {
    static var type: AdvertisingPDUType { get }
}

/// ADV_IND: connectable and scannable undirected advertising. [Vol 6, Part B, 2.3.1.1]
package struct LLAdvInd: LLAdvertisingPDU {
    package static let name: StaticString = "ADV_IND"
    package static let section = SpecSection(6, "B", "2.3.1.1")
    package static var type: AdvertisingPDUType { .advInd }

    package var advertiser: UInt64 = 0
    package var data: [UInt8] = []

    package init() {}
    package init(advertiser: UInt64, data: [UInt8]) {
        self.advertiser = advertiser
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u48("AdvA", &advertiser)
        try v.rest("AdvData", &data, limit: 31)
    }
}

/// ADV_DIRECT_IND: connectable directed advertising. [Vol 6, Part B, 2.3.1.2]
package struct LLAdvDirectInd: LLAdvertisingPDU {
    package static let name: StaticString = "ADV_DIRECT_IND"
    package static let section = SpecSection(6, "B", "2.3.1.2")
    package static var type: AdvertisingPDUType { .advDirectInd }

    package var advertiser: UInt64 = 0
    package var target: UInt64 = 0

    package init() {}
    package init(advertiser: UInt64, target: UInt64) {
        self.advertiser = advertiser
        self.target = target
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u48("AdvA", &advertiser)
        try v.u48("TargetA", &target)
    }
}

/// ADV_NONCONN_IND: advertising that can be neither scanned nor connected to. [Vol 6, Part B, 2.3.1.3]
package struct LLAdvNonconnInd: LLAdvertisingPDU {
    package static let name: StaticString = "ADV_NONCONN_IND"
    package static let section = SpecSection(6, "B", "2.3.1.3")
    package static var type: AdvertisingPDUType { .advNonconnInd }

    package var advertiser: UInt64 = 0
    package var data: [UInt8] = []

    package init() {}
    package init(advertiser: UInt64, data: [UInt8]) {
        self.advertiser = advertiser
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u48("AdvA", &advertiser)
        try v.rest("AdvData", &data, limit: 31)
    }
}

/// ADV_SCAN_IND: advertising that can be scanned but not connected to. [Vol 6, Part B, 2.3.1.4]
package struct LLAdvScanInd: LLAdvertisingPDU {
    package static let name: StaticString = "ADV_SCAN_IND"
    package static let section = SpecSection(6, "B", "2.3.1.4")
    package static var type: AdvertisingPDUType { .advScanInd }

    package var advertiser: UInt64 = 0
    package var data: [UInt8] = []

    package init() {}
    package init(advertiser: UInt64, data: [UInt8]) {
        self.advertiser = advertiser
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u48("AdvA", &advertiser)
        try v.rest("AdvData", &data, limit: 31)
    }
}

/// SCAN_REQ: asks a scannable advertiser for its scan response. [Vol 6, Part B, 2.3.2.1]
package struct LLScanReq: LLAdvertisingPDU {
    package static let name: StaticString = "SCAN_REQ"
    package static let section = SpecSection(6, "B", "2.3.2.1")
    package static var type: AdvertisingPDUType { .scanReq }

    package var scanner: UInt64 = 0
    package var advertiser: UInt64 = 0

    package init() {}
    package init(scanner: UInt64, advertiser: UInt64) {
        self.scanner = scanner
        self.advertiser = advertiser
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u48("ScanA", &scanner)
        try v.u48("AdvA", &advertiser)
    }
}

/// SCAN_RSP: what an advertiser has to say to a scanner. [Vol 6, Part B, 2.3.2.2]
package struct LLScanRsp: LLAdvertisingPDU {
    package static let name: StaticString = "SCAN_RSP"
    package static let section = SpecSection(6, "B", "2.3.2.2")
    package static var type: AdvertisingPDUType { .scanRsp }

    package var advertiser: UInt64 = 0
    package var data: [UInt8] = []

    package init() {}
    package init(advertiser: UInt64, data: [UInt8]) {
        self.advertiser = advertiser
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u48("AdvA", &advertiser)
        try v.rest("ScanRspData", &data, limit: 31)
    }
}
