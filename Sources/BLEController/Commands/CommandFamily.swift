import BLEWire

extension HCIOpcode {
    /// The family of a command that belongs to one. Those that only read numbers belong to none here, so that a host that
    /// looks around isn't bound by it. [Vol 4, Part E, 3.1.1]
    var family: CommandFamily? {
        switch self {
        case .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData,
            .leSetScanResponseData, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable,
            .leCreateConnection:
            .legacy
        case .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leRemoveAdvertisingSet,
            .leClearAdvertisingSets, .leSetPeriodicAdvertisingParameters, .leSetPeriodicAdvertisingData,
            .leSetPeriodicAdvertisingEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection, .lePeriodicAdvertisingCreateSync:
            .extended
        default: nil
        }
    }
}

extension Controller {
    /// Whether the host may use a command beside those that it has used. [Vol 4, Part E, 3.1.1]
    mutating func mayUse(_ opcode: HCIOpcode) -> Bool {
        guard let family = opcode.family else { return true }
        if self.family == nil { self.family = family }
        return self.family == family
    }
}
