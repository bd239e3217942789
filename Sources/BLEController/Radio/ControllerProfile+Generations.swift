import BLEWire

extension ControllerProfile {
    /// What a chip of a version of the Core Specification usually has.
    package enum Generation: String, CaseIterable, Sendable {
        /// 1M, packets of 27 octets, no privacy in the controller.
        case core4_0 = "4.0"
        /// Long packets, LE Secure Connections, LL Privacy.
        case core4_2 = "4.2"
        /// 2M and extended advertising.
        case core5_0 = "5.0"
        /// Everything that is here.
        case core5_4 = "5.4"
    }

    /// Makes the profile that of such a chip. What no version decides, such as its address, stays.
    package mutating func become(_ generation: Generation) {
        let rank = Generation.allCases.firstIndex(of: generation) ?? 0
        version = [6, 8, 9, 13][rank]
        maximumDataLength = rank >= 1 ? 251 : 27
        aclPacketLength = maximumDataLength
        supportsPrivacy = rank >= 1
        supports2M = rank >= 2
        supportsChannelSelection2 = rank >= 2
        supportsExtendedAdvertising = rank >= 2
        supportsCoded = rank >= 3
        supportsPeriodicAdvertising = rank >= 3
    }
}
