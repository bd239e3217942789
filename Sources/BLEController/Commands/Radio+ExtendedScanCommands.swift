import BLEWire

/// Commands for extended scanning. [Vol 4, Part E, 7.8.64]
extension Radio {
    mutating func executeExtendedScanning(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leSetExtendedScanParameters(let command):
            let status = setParameters(command, controller)
            complete(command, status, controller, into: &out)
        case .leSetExtendedScanEnable(let command): enable(command, controller, at: now, into: &out)
        default: return false
        }
        return true
    }

    private mutating func setParameters(_ command: LESetExtendedScanParameters, _ controller: Int) -> HCIStatus {
        guard !controllers[controller].scanner.isEnabled else { return .commandDisallowed }
        let phys = PHYSet(rawValue: command.scanningPHYs)
        // There is no primary channel at 2M. [Vol 4, Part E, 7.8.64]
        guard !phys.isEmpty, phys.isSubset(of: [.le1M, .leCoded]),
            phys.isSubset(of: controllers[controller].profile.supportedPHYs)
        else { return .unsupportedFeature }
        guard command.settings.allSatisfy({ $0.window <= $0.interval }) else { return .invalidParameters }
        guard controllers[controller].supports(command.ownAddressType) else { return .unsupportedFeature }
        let on1M = phys.contains(.le1M) ? command.settings.first : nil
        let onCoded = phys.contains(.leCoded) ? command.settings.last : nil
        controllers[controller].scanner.parameters.ownAddressType = command.ownAddressType
        controllers[controller].scanner.parameters.filterPolicy = command.filterPolicy
        controllers[controller].scanner.parameters.isActive = on1M?.isActive ?? false
        controllers[controller].scanner.isActiveOnCoded = onCoded?.isActive ?? false
        controllers[controller].scanner.on1M = on1M.map { .init(interval: $0.interval, window: $0.window) }
        controllers[controller].scanner.onCoded = onCoded.map { .init(interval: $0.interval, window: $0.window) }
        return .success
    }

    private mutating func enable(
        _ command: LESetExtendedScanEnable, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        if command.isEnabled {
            let own = controllers[controller].scanner.parameters.ownAddressType
            let duration = Delay.milliseconds(Int64(command.duration) * 10)
            let period = Delay.milliseconds(Int64(command.period) * 1280)
            // A duration within its period, and a filter that is renewed only where there are periods.
            guard controllers[controller].ownAddress(own.withoutPrivacy) != nil,
                command.period == 0 || duration < period && command.duration > 0,
                command.filterDuplicates < 2 || command.period > 0 && command.duration > 0
            else { return complete(command, .invalidParameters, controller, into: &out) }
            stopScanning(controller, at: now)
            controllers[controller].scanner.isExtended = true
            startScanning(controller, filtersDuplicates: command.filterDuplicates > 0, at: now)
            controllers[controller].scanner.period.duration = duration
            controllers[controller].scanner.period.period = period
            controllers[controller].scanner.period.refilters = command.filterDuplicates == 2
            controllers[controller].scanner.period.isPaused = false
            controllers[controller].scanner.period.start = now
            if command.duration > 0 {
                plan(.scanPeriod, controller, controllers[controller].scanner.period.stamp, at: now + duration)
            }
        } else {
            stopScanning(controller, at: now)
        }
        complete(command, controller, into: &out)
        tellState(of: controller, into: &out)
    }

    /// The duration of an extended scan is over, or its next period begins.
    mutating func stepScanPeriod(_ controller: Int, at now: Instant, into out: inout [RadioOutput]) {
        let period = controllers[controller].scanner.period
        if period.isPaused {
            controllers[controller].scanner.period.isPaused = false
            controllers[controller].scanner.period.start = now
            if period.refilters {
                let capacity = controllers[controller].profile.duplicateFilterSize
                controllers[controller].scanner.duplicates = DuplicateFilter(capacity: capacity)
            }
            stepScanWindow(controller, at: now)
            return plan(.scanPeriod, controller, period.stamp, at: now + period.duration)
        }
        guard period.period > .zero else {
            stopScanning(controller, at: now)
            send(.leScanTimeout(LEScanTimeout()), .scanTimeout, to: controller, into: &out)
            return tellState(of: controller, into: &out)
        }
        controllers[controller].scanner.period.isPaused = true
        controllers[controller].scanner.window.stop()
        updateListening(controller, at: now)
        plan(.scanPeriod, controller, period.stamp, at: period.start + period.period)
    }
}
