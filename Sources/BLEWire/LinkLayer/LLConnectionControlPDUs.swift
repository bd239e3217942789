// Control PDUs that change or end the link itself.
// [Vol 6, Part B, 5.1.1], [Vol 6, Part B, 5.1.2], [Vol 6, Part B, 5.1.6]

/// LL_CONNECTION_UPDATE_IND: the central gives the link other parameters at an instant. [Vol 6, Part B, 2.4.2.1]
package struct LLConnectionUpdateInd: LLControlPDU {
    package static let name: StaticString = "LL_CONNECTION_UPDATE_IND"
    package static let section = SpecSection(6, "B", "2.4.2.1")
    package static var opcode: LLOpcode { .connectionUpdateInd }

    /// Units of 1.25 ms.
    package var windowSize: UInt8 = 1
    /// Units of 1.25 ms.
    package var windowOffset: UInt16 = 0
    /// Units of 1.25 ms.
    package var interval: UInt16 = 24
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var timeout: UInt16 = 72
    /// connEventCount of the first event that has them.
    package var instant: UInt16 = 0

    package init() {}
    package init(
        windowSize: UInt8, windowOffset: UInt16, interval: UInt16, latency: UInt16, timeout: UInt16, instant: UInt16
    ) {
        self.windowSize = windowSize
        self.windowOffset = windowOffset
        self.interval = interval
        self.latency = latency
        self.timeout = timeout
        self.instant = instant
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("WinSize", &windowSize)
        try v.u16("WinOffset", &windowOffset)
        try v.u16("Interval", &interval)
        try v.u16("Latency", &latency)
        try v.u16("Timeout", &timeout)
        try v.u16("Instant", &instant)
    }
}

/// LL_CHANNEL_MAP_IND: the central changes the channels in use at an instant. [Vol 6, Part B, 2.4.2.2]
package struct LLChannelMapInd: LLControlPDU {
    package static let name: StaticString = "LL_CHANNEL_MAP_IND"
    package static let section = SpecSection(6, "B", "2.4.2.2")
    package static var opcode: LLOpcode { .channelMapInd }

    package var channelMap: UInt64 = ChannelMap.all.bits
    package var instant: UInt16 = 0

    package init() {}
    package init(channelMap: UInt64, instant: UInt16) {
        self.channelMap = channelMap
        self.instant = instant
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u40("ChM", &channelMap)
        try v.u16("Instant", &instant)
    }
}

/// LL_TERMINATE_IND: ends the link. [Vol 6, Part B, 2.4.2.3]
package struct LLTerminateInd: LLControlPDU {
    package static let name: StaticString = "LL_TERMINATE_IND"
    package static let section = SpecSection(6, "B", "2.4.2.3")
    package static var opcode: LLOpcode { .terminateInd }

    package var reason: HCIStatus = HCIStatus.remoteUserTerminated

    package init() {}
    package init(reason: HCIStatus) {
        self.reason = reason
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("ErrorCode", &reason)
    }
}

/// LL_MIN_USED_CHANNELS_IND: the peripheral asks for at least so many channels on some PHYs. [Vol 6, Part B, 2.4.2.24]
package struct LLMinUsedChannelsInd: LLControlPDU {
    package static let name: StaticString = "LL_MIN_USED_CHANNELS_IND"
    package static let section = SpecSection(6, "B", "2.4.2.24")
    package static var opcode: LLOpcode { .minUsedChannelsInd }

    package var phys: PHYSet = PHYSet.le1M
    package var minimum: UInt8 = 2

    package init() {}
    package init(phys: PHYSet, minimum: UInt8) {
        self.phys = phys
        self.minimum = minimum
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("PHYS", &phys)
        try v.u8("MinUsedChannels", &minimum)
    }
}
