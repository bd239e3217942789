import BLEWire

/// Periodic advertising. [Vol 6, Part B, 4.4.2.12]
extension Radio {
    func isPeriodicOn(_ advertiser: Int) -> Bool { false }
    mutating func removePeriodic(of advertiser: Int) {}
    func addSync(_ advertiser: Int, to fields: inout LLExtendedHeader) {}
    mutating func considerSync(
        _ fields: LLExtendedHeader, _ identity: DeviceAddress, of advertiser: Int, by listener: Int, at now: Instant
    ) {}
}
