import BLEWire

/// Commands about one link. [Vol 4, Part E, 7.8.18]
extension Radio {
    mutating func executeLink(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .readRemoteVersionInformation(let command):
            let end = begin(command, on: command.handle, controller, into: &out)
            start(.version, end, at: now, into: &out)
        case .leReadRemoteFeatures(let command): readFeatures(command, controller, at: now, into: &out)
        case .leConnectionUpdate(let command): update(command, controller, at: now, into: &out)
        case .leRemoteConnectionParameterRequestReply(let command): reply(command, controller, at: now, into: &out)
        case .leRemoteConnectionParameterRequestNegativeReply(let command):
            let status = refuse(command.handle, command.reason, controller)
            complete(command, command.handle, status, controller, into: &out)
        case .leSetHostChannelClassification(let command):
            let channels = ChannelMap(bits: command.channelMap)
            guard channels.isUsable, channels.bits == command.channelMap else {
                complete(command, .invalidParameters, controller, into: &out)
                return true
            }
            controllers[controller].defaults.channels = channels
            complete(command, controller, into: &out)
            for end in controllers[controller].links.ends
            where ends[end].role == .central && ends[end].timing.map != channels {
                start(.channelMap(channels), end, at: now, into: &out)
            }
        case .leReadChannelMap(let command):
            let end = controllers[controller].links[command.handle.rawValue]
            complete(
                command,
                .init(
                    status: end == nil ? .unknownConnectionIdentifier : .success, handle: command.handle,
                    channelMap: end.map { ends[$0].timing.map.bits } ?? 0),
                controller, into: &out)
        default: return false
        }
        return true
    }

    /// Answers by Command Status; the end of the link where there is one.
    func begin<Command: HCICommandPDU>(
        _ command: Command, on handle: ConnectionHandle, _ controller: Int, into out: inout [RadioOutput]
    ) -> Int? {
        let end = controllers[controller].links[handle.rawValue]
        accept(command, end == nil ? .unknownConnectionIdentifier : .success, controller, into: &out)
        return end
    }

    /// Begins a procedure of the link layer.
    mutating func start(
        _ procedure: LocalProcedure, _ end: Int?, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let end else { return }
        ends[end].start(procedure, at: now, into: &linkEvents)
        handleEvents(of: end, at: now, into: &out)
    }

    private mutating func readFeatures(
        _ command: LEReadRemoteFeatures, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return accept(command, .unknownConnectionIdentifier, controller, into: &out)
        }
        // Only since 4.1 may a peripheral ask. [Vol 6, Part B, 5.1.4.2]
        guard
            ends[end].role == .central
                || ends[end].local.features.contains(.peripheralInitiatedFeaturesExchange)
        else { return accept(command, .unsupportedRemoteFeature, controller, into: &out) }
        accept(command, .success, controller, into: &out)
        start(.features, end, at: now, into: &out)
    }

    /// A central decides; a peripheral asks. [Vol 4, Part E, 7.8.18]
    private mutating func update(
        _ command: LEConnectionUpdate, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return accept(command, .unknownConnectionIdentifier, controller, into: &out)
        }
        guard command.intervalMinimum <= command.intervalMaximum, command.minimumCELength <= command.maximumCELength,
            Int(command.supervisionTimeout) * 4 > (1 + Int(command.latency)) * Int(command.intervalMaximum)
        else { return accept(command, .invalidParameters, controller, into: &out) }
        if ends[end].role == .central {
            accept(command, .success, controller, into: &out)
            let wish = ParameterWish(
                interval: command.intervalMaximum, latency: command.latency, timeout: command.supervisionTimeout)
            return start(.update(wish), end, at: now, into: &out)
        }
        guard ends[end].local.features.contains(.connectionParametersRequest) else {
            return accept(command, .unsupportedRemoteFeature, controller, into: &out)
        }
        accept(command, .success, controller, into: &out)
        var parameters = LLConnectionParameters()
        parameters.intervalMinimum = command.intervalMinimum
        parameters.intervalMaximum = command.intervalMaximum
        parameters.latency = command.latency
        parameters.timeout = command.supervisionTimeout
        start(.requestParameters(parameters), end, at: now, into: &out)
    }

    // MARK: Replies to the peer's wish [Vol 4, Part E, 7.8.31]

    private mutating func reply(
        _ command: LERemoteConnectionParameterRequestReply, _ controller: Int, at now: Instant,
        into out: inout [RadioOutput]
    ) {
        let handle = command.handle
        guard let end = controllers[controller].links[handle.rawValue] else {
            return complete(command, handle, .unknownConnectionIdentifier, controller, into: &out)
        }
        guard ends[end].awaitsHost else {
            return complete(command, handle, .commandDisallowed, controller, into: &out)
        }
        guard command.intervalMinimum <= command.intervalMaximum,
            Int(command.supervisionTimeout) * 4 > (1 + Int(command.latency)) * Int(command.intervalMaximum)
        else { return complete(command, handle, .invalidParameters, controller, into: &out) }
        complete(command, handle, .success, controller, into: &out)
        if ends[end].role == .central {
            let wish = ParameterWish(
                interval: command.intervalMaximum, latency: command.latency, timeout: command.supervisionTimeout)
            beginUpdate(end, wish, at: now)
        } else {
            var parameters = LLConnectionParameters()
            parameters.intervalMinimum = command.intervalMinimum
            parameters.intervalMaximum = command.intervalMaximum
            parameters.latency = command.latency
            parameters.timeout = command.supervisionTimeout
            ends[end].answerParameters(parameters, at: now)
        }
        handleEvents(of: end, at: now, into: &out)
        armTimer(end)
    }

    private mutating func refuse(_ handle: ConnectionHandle, _ reason: HCIStatus, _ controller: Int) -> HCIStatus {
        guard let end = controllers[controller].links[handle.rawValue] else { return .unknownConnectionIdentifier }
        guard ends[end].awaitsHost else { return .commandDisallowed }
        ends[end].refuseParameters(reason)
        return .success
    }
}

extension LinkEnd {
    /// The peer has asked for parameters, and the host hasn't answered yet.
    fileprivate var awaitsHost: Bool { procedures.remote == .parameters && timing.pending.update == nil }
}
