import BLEWire

/// HCI_LE_Extended_Create_Connection. [Vol 4, Part E, 7.8.66]
extension Radio {
    mutating func executeExtendedConnecting(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        guard case .leExtendedCreateConnection(let command) = command else { return false }
        let status = judge(command, controller)
        accept(command, status, controller, into: &out)
        guard status == .success else { return true }
        var initiator = controllers[controller].initiator
        let phys = PHYSet(rawValue: command.initiatingPHYs)
        let settings = command.parametersByPHY
        // What is said for one PHY holds for those that nothing is said for. [Vol 4, Part E, 7.8.66]
        initiator.parameters = settings.on1M ?? settings.onCoded ?? initiator.parameters
        initiator.parametersOn2M = settings.on2M
        initiator.parametersOnCoded = settings.onCoded
        initiator.listensOn1M = phys.contains(.le1M)
        initiator.isExtended = true
        controllers[controller].initiator = initiator
        startInitiating(controller, at: now)
        tellState(of: controller, into: &out)
        return true
    }

    private func judge(_ command: LEExtendedCreateConnection, _ controller: Int) -> HCIStatus {
        let phys = PHYSet(rawValue: command.initiatingPHYs)
        // 2M has no primary channels, so there must be another one to listen on.
        guard phys.isSubset(of: controllers[controller].profile.supportedPHYs) else { return .unsupportedFeature }
        guard !phys.isDisjoint(with: [.le1M, .leCoded]) else { return .invalidParameters }
        let settings = command.parametersByPHY
        for parameters in [settings.on1M, settings.on2M, settings.onCoded] {
            guard let parameters else { continue }
            let status = judge(parameters, controller)
            if status != .success { return status }
        }
        return .success
    }
}

extension LEExtendedCreateConnection {
    /// The same as legacy commands would say it, one for each PHY that is named.
    fileprivate var parametersByPHY:
        (on1M: LECreateConnection?, on2M: LECreateConnection?, onCoded: LECreateConnection?)
    {
        var rest = settings[...]
        let parts = [PHYSet.le1M, .le2M, .leCoded].map { phy -> LECreateConnection? in
            guard PHYSet(rawValue: initiatingPHYs).contains(phy), let one = rest.popFirst() else { return nil }
            return LECreateConnection(
                scanInterval: one.scanInterval, scanWindow: one.scanWindow, usesAcceptList: usesAcceptList, peer: peer,
                ownAddressType: ownAddressType, intervalMinimum: one.intervalMinimum,
                intervalMaximum: one.intervalMaximum, latency: one.latency,
                supervisionTimeout: one.supervisionTimeout, minimumCELength: one.minimumCELength,
                maximumCELength: one.maximumCELength)
        }
        return (parts[0], parts[1], parts[2])
    }
}
