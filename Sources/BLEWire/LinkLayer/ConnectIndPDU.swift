/// CONNECT_IND: makes a link with the advertiser. [Vol 6, Part B, 2.3.3.1]
package struct LLConnectInd: LLAdvertisingPDU {
    package static let name: StaticString = "CONNECT_IND"
    package static let section = SpecSection(6, "B", "2.3.3.1")
    package static var type: AdvertisingPDUType { .connectInd }

    package var initiator: UInt64 = 0
    package var advertiser: UInt64 = 0
    package var accessAddress: UInt32 = 0
    package var crcInit: UInt32 = 0
    /// Units of 1.25 ms.
    package var windowSize: UInt8 = 1
    /// Units of 1.25 ms.
    package var windowOffset: UInt16 = 0
    /// Units of 1.25 ms.
    package var interval: UInt16 = 24
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var timeout: UInt16 = 72
    package var channelMap: UInt64 = ChannelMap.all.bits
    /// Hop in bits 0 to 4, SCA in bits 5 to 7.
    package var hopAndSleepClockAccuracy: UInt8 = 5

    package init() {}

    package var hopIncrement: UInt8 { hopAndSleepClockAccuracy & 0x1F }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u48("InitA", &initiator)
        try v.u48("AdvA", &advertiser)
        try v.u32("AA", &accessAddress)
        try v.u24("CRCInit", &crcInit)
        try v.u8("WinSize", &windowSize)
        try v.u16("WinOffset", &windowOffset)
        try v.u16("Interval", &interval)
        try v.u16("Latency", &latency)
        try v.u16("Timeout", &timeout)
        try v.u40("ChM", &channelMap)
        try v.u8("Hop and SCA", &hopAndSleepClockAccuracy)
    }

    /// Whether a link may be made of these values: a receiver ignores the PDU otherwise.
    /// [Vol 6, Part B, 2.3.3.1], [Vol 6, Part B, 4.5.2]
    package var isValid: Bool {
        guard (6...3200).contains(interval), latency <= 499, (10...3200).contains(timeout) else { return false }
        // The time-out is longer than two events that the peripheral may not leave out.
        guard Int(timeout) * 4 > (1 + Int(latency)) * Int(interval) else { return false }
        // 1.25 ms to the lesser of 10 ms and one unit less than the interval.
        guard windowSize >= 1, windowSize <= 8, windowSize < interval else { return false }
        guard windowOffset <= interval else { return false }
        guard ChannelMap(bits: channelMap).isUsable else { return false }
        return (5...16).contains(hopIncrement)
    }
}
