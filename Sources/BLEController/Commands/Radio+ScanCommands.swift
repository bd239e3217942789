import BLEWire

/// Legacy scanning commands. [Vol 4, Part E, 7.8.10]
extension Radio {
    mutating func executeScanning(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leSetScanParameters(let command):
            let status = setParameters(command, controller)
            complete(command, status, controller, into: &out)
        case .leSetScanEnable(let command): enable(command, controller, at: now, into: &out)
        default: return false
        }
        return true
    }

    private mutating func setParameters(_ command: LESetScanParameters, _ controller: Int) -> HCIStatus {
        guard !controllers[controller].scanner.isEnabled else { return .commandDisallowed }
        guard command.window <= command.interval else { return .invalidParameters }
        guard controllers[controller].supports(command.ownAddressType) else { return .unsupportedFeature }
        controllers[controller].scanner.parameters = command
        controllers[controller].scanner.on1M = .init(interval: command.interval, window: command.window)
        return .success
    }

    private mutating func enable(
        _ command: LESetScanEnable, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        if command.isEnabled {
            let own = controllers[controller].scanner.parameters.ownAddressType
            guard controllers[controller].ownAddress(own.withoutPrivacy) != nil else {
                return complete(command, .invalidParameters, controller, into: &out)
            }
            // Enabling a scan that runs begins it anew. [Vol 4, Part E, 7.8.11]
            stopScanning(controller, at: now)
            controllers[controller].scanner.isExtended = false
            startScanning(controller, filtersDuplicates: command.filterDuplicates, at: now)
        } else {
            stopScanning(controller, at: now)
        }
        complete(command, controller, into: &out)
        tellState(of: controller, into: &out)
    }
}

extension LEOwnAddressType {
    /// What stands in where there is no private address for a peer. [Vol 4, Part E, 7.8.10]
    var withoutPrivacy: LEOwnAddressType { LEOwnAddressType(rawValue: rawValue & 1) }
}
