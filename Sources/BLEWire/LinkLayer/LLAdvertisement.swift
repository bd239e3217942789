/// A PDU that advertises, read without copying its data: what a scanner hears most often. [Vol 6, Part B, 2.3.1]
///
/// It says the same as `LLAdvertisingPacket`, with the data as a range of the octets.
package struct LLAdvertisement: Equatable, Sendable {
    package let header: AdvertisingHeader
    /// AdvA
    package let advertiser: DeviceAddress
    /// TargetA of ADV_DIRECT_IND.
    package let target: DeviceAddress?
    /// Where AdvData or ScanRspData is in the octets.
    package let data: Range<Int>

    /// Reads header and payload of the first `count` octets; nil for another PDU, or one that isn't well formed.
    package init?(_ octets: [UInt8], count: Int) {
        guard count >= 8, count <= octets.count, Int(octets[1]) == count - 2 else { return nil }
        var header = AdvertisingHeader()
        header.flags = octets[0]
        header.length = octets[1]
        switch header.type {
        case .advInd, .advNonconnInd, .advScanInd, .scanRsp:
            guard count <= 8 + 31 else { return nil }
            target = nil
            data = 8..<count
        case .advDirectInd:
            guard count == 14 else { return nil }
            target = DeviceAddress(Self.address(octets, 8), header.receiverKind)
            data = 14..<14
        default: return nil
        }
        self.header = header
        advertiser = DeviceAddress(Self.address(octets, 2), header.transmitterKind)
    }

    private static func address(_ octets: [UInt8], _ start: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in (start..<start + 6).reversed() { bits = bits << 8 | UInt64(octets[index]) }
        return bits
    }
}
