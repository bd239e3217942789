import BLEWire

/// Commands for periodic advertising. [Vol 4, Part E, 7.8.61]
extension Radio {
    mutating func executePeriodic(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leSetPeriodicAdvertisingParameters(let command):
            let status = setParameters(command, controller)
            complete(command, status, controller, into: &out)
        case .leSetPeriodicAdvertisingData(let command):
            let status = setData(command, controller)
            complete(command, status, controller, into: &out)
        case .leSetPeriodicAdvertisingEnable(let command):
            let status = enable(command, controller, at: now)
            complete(command, status, controller, into: &out)
        case .lePeriodicAdvertisingCreateSync(let command):
            let status = judge(command, controller)
            accept(command, status, controller, into: &out)
            if status == .success { controllers[controller].periodic.wanted = command }
        case .lePeriodicAdvertisingCreateSyncCancel(let command): cancel(command, controller, into: &out)
        case .lePeriodicAdvertisingTerminateSync(let command):
            let index = sync(command.handle.rawValue, of: controller)
            if let index { releaseSync(index) }
            complete(command, index == nil ? .unknownAdvertisingIdentifier : .success, controller, into: &out)
        default: return executePeriodicList(command, controller, into: &out)
        }
        return true
    }

    // MARK: Advertiser

    /// Not for sets that can be answered, nor for those without an address. [Vol 4, Part E, 7.8.61]
    private mutating func setParameters(_ command: LESetPeriodicAdvertisingParameters, _ controller: Int) -> HCIStatus {
        guard let set = place(ofSet: command.handle, controller) else { return .unknownAdvertisingIdentifier }
        guard !isPeriodicOn(set) else { return .commandDisallowed }
        guard advertisers[set].isExtended, advertisers[set].extendedMode == .neither, !advertisers[set].isAnonymous,
            command.intervalMinimum <= command.intervalMaximum
        else { return .invalidParameters }
        let place = train(of: set)
        trains[place].parameters = command
        return .success
    }

    private mutating func setData(_ command: LESetPeriodicAdvertisingData, _ controller: Int) -> HCIStatus {
        guard let set = place(ofSet: command.handle, controller) else { return .unknownAdvertisingIdentifier }
        guard let place = advertisers[set].set.periodic else { return .commandDisallowed }
        switch command.operation {
        case .unchanged: return trains[place].isEnabled ? .success : .commandDisallowed
        case .complete:
            trains[place].fragments = nil
            trains[place].data = command.data
        default:
            guard !trains[place].isEnabled else { return .commandDisallowed }
            let before = command.operation == .firstFragment ? [] : trains[place].fragments
            guard let before, !command.data.isEmpty else { return .invalidParameters }
            let isLast = command.operation == .lastFragment
            let data = before + command.data
            guard data.count <= controllers[controller].profile.maximumAdvertisingDataLength else {
                trains[place].fragments = nil
                return .memoryCapacityExceeded
            }
            trains[place].fragments = isLast ? nil : data
            if isLast { trains[place].data = data }
        }
        return .success
    }

    /// It begins with its set, if that doesn't advertise yet. [Vol 4, Part E, 7.8.63]
    private mutating func enable(
        _ command: LESetPeriodicAdvertisingEnable, _ controller: Int, at now: Instant
    ) -> HCIStatus {
        guard let set = place(ofSet: command.handle, controller) else { return .unknownAdvertisingIdentifier }
        guard let place = advertisers[set].set.periodic, trains[place].fragments == nil else {
            return .commandDisallowed
        }
        // An ADI is what this controller doesn't send here.
        guard command.enable & 2 == 0 else { return .unsupportedFeature }
        if command.enable & 1 == 0 {
            stopPeriodic(place)
        } else {
            trains[place].isEnabled = true
            startPeriodic(of: set, at: now)
        }
        return .success
    }

    // MARK: Receiver

    private func judge(_ command: LEPeriodicAdvertisingCreateSync, _ controller: Int) -> HCIStatus {
        guard controllers[controller].periodic.wanted == nil else { return .commandDisallowed }
        // Reports can't be switched on later, so they aren't off at first.
        guard command.options & ~1 == 0 else { return .unsupportedFeature }
        guard syncs.count(where: { $0.isUsed && $0.controller == controller }) < 16 else {
            return .memoryCapacityExceeded
        }
        let isKnown = syncs.contains { sync in
            sync.isUsed && sync.controller == controller && sync.setIdentifier == command.setIdentifier
                && sync.advertiser.unresolved == command.advertiser.unresolved
        }
        return command.options & 1 == 0 && isKnown ? .connectionAlreadyExists : .success
    }

    /// It ends in the event that the host waits for. [Vol 4, Part E, 7.8.68]
    private mutating func cancel(
        _ command: LEPeriodicAdvertisingCreateSyncCancel, _ controller: Int, into out: inout [RadioOutput]
    ) {
        guard let wanted = controllers[controller].periodic.wanted.take() else {
            return complete(command, .commandDisallowed, controller, into: &out)
        }
        complete(command, controller, into: &out)
        let event = LEPeriodicAdvertisingSyncEstablished(
            status: .operationCancelledByHost, setIdentifier: wanted.setIdentifier, advertiser: wanted.advertiser)
        send(
            .lePeriodicAdvertisingSyncEstablished(event), .periodicAdvertisingSyncEstablished, to: controller,
            into: &out)
    }

    // MARK: Periodic Advertiser List [Vol 4, Part E, 7.8.70]

    private mutating func executePeriodicList(
        _ command: HCICommand, _ controller: Int, into out: inout [RadioOutput]
    ) -> Bool {
        // Not while it is in use.
        let isBusy = controllers[controller].periodic.wanted != nil
        switch command {
        case .leAddDeviceToPeriodicAdvertiserList(let command):
            let entry = PeriodicSearch.Listed(
                address: command.advertiser, setIdentifier: command.setIdentifier)
            let list = controllers[controller].periodic.list
            let status: HCIStatus =
                isBusy
                ? .commandDisallowed
                : list.contains(entry)
                    ? .invalidParameters
                    : list.count < controllers[controller].profile.periodicAdvertiserListSize
                        ? .success : .memoryCapacityExceeded
            if status == .success { controllers[controller].periodic.list.append(entry) }
            complete(command, status, controller, into: &out)
        case .leRemoveDeviceFromPeriodicAdvertiserList(let command):
            let entry = PeriodicSearch.Listed(
                address: command.advertiser, setIdentifier: command.setIdentifier)
            let isKnown = controllers[controller].periodic.list.contains(entry)
            if isKnown, !isBusy { controllers[controller].periodic.list.removeAll { $0 == entry } }
            let status: HCIStatus =
                isBusy ? .commandDisallowed : isKnown ? .success : .unknownAdvertisingIdentifier
            complete(command, status, controller, into: &out)
        case .leClearPeriodicAdvertiserList(let command):
            if !isBusy { controllers[controller].periodic.list = [] }
            complete(command, isBusy ? .commandDisallowed : .success, controller, into: &out)
        case .leReadPeriodicAdvertiserListSize(let command):
            let size = UInt8(clamping: controllers[controller].profile.periodicAdvertiserListSize)
            complete(command, .init(status: .success, size: size), controller, into: &out)
        default: return false
        }
        return true
    }
}
