import BLEWire

/// Commands that make and end links. [Vol 4, Part E, 7.8.12], [Vol 4, Part E, 7.1.6]
extension Radio {
    mutating func executeConnecting(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leCreateConnection(let command):
            let status = judge(command, controller)
            accept(command, status, controller, into: &out)
            guard status == .success else { return true }
            controllers[controller].initiator.use(command)
            startInitiating(controller, at: now)
            tellState(of: controller, into: &out)
        case .leCreateConnectionCancel(let command): cancel(command, controller, at: now, into: &out)
        case .disconnect(let command):
            let status = disconnect(command, controller, at: now)
            accept(command, status, controller, into: &out)
        default: return false
        }
        return true
    }

    func judge(_ command: LECreateConnection, _ controller: Int) -> HCIStatus {
        guard !controllers[controller].initiator.isEnabled else { return .commandDisallowed }
        guard command.scanWindow <= command.scanInterval, command.intervalMinimum <= command.intervalMaximum,
            command.minimumCELength <= command.maximumCELength,
            Int(command.supervisionTimeout) * 4 > (1 + Int(command.latency)) * Int(command.intervalMaximum)
        else { return .invalidParameters }
        guard controllers[controller].supports(command.ownAddressType) else { return .unsupportedFeature }
        guard controllers[controller].ownAddress(command.ownAddressType.withoutPrivacy) != nil else {
            return .invalidParameters
        }
        if !command.usesAcceptList, isLinked(controller, with: command.peer) { return .connectionAlreadyExists }
        return controllers[controller].hasRoomAsCentral ? .success : .connectionLimitExceeded
    }

    /// The attempt ends in a Connection Complete that says so. [Vol 4, Part E, 7.8.13]
    private mutating func cancel(
        _ command: LECreateConnectionCancel, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard controllers[controller].initiator.isEnabled else {
            return complete(command, .commandDisallowed, controller, into: &out)
        }
        stopInitiating(controller, at: now)
        complete(command, controller, into: &out)
        tellState(of: controller, into: &out)
        var event = LEConnectionComplete()
        event.status = .unknownConnectionIdentifier
        event.peer = controllers[controller].initiator.parameters.peer
        tellConnection(event, to: controller, into: &out)
    }

    private mutating func disconnect(
        _ command: HCIDisconnect, _ controller: Int, at now: Instant
    ) -> HCIStatus {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return .unknownConnectionIdentifier
        }
        // The reasons that a host may give. [Vol 4, Part E, 7.1.6]
        guard [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(command.reason.rawValue) else {
            return .invalidParameters
        }
        guard !ends[end].isTerminating else { return .commandDisallowed }
        ends[end].terminate(command.reason, at: now)
        armTimer(end)
        return .success
    }
}
