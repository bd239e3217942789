import BLEWire

/// What the ends of links say becomes events and data for their hosts.
extension Radio {
    /// Handles everything that an end has said, and what follows from it.
    mutating func handleEvents(of end: Int, at now: Instant, into out: inout [RadioOutput]) {
        // A packet of data is one event; procedures may bring forth others while they are handled.
        var position = 0
        while position < linkEvents.count {
            let event = linkEvents[position]
            position += 1
            guard ends[end].isOpen else { break }
            handle(event, of: end, at: now, into: &out)
        }
        linkEvents.removeAll(keepingCapacity: true)
    }

    private mutating func handle(
        _ event: LinkEvent, of end: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        let controller = ends[end].owner
        let handle = ends[end].handle
        switch event {
        case .data(let packet): deliver(packet, of: end, into: &out)
        case .completed(let count):
            controllers[controller].heldPackets -= count
            let packet = HCINumberOfCompletedPackets.packet(handle: handle, count: UInt16(clamping: count))
            out.append(.packet(ControllerID(rawValue: controller), packet))
        case .established:
            armTimer(end)
            startFirstProcedures(end, at: now)
        case .closed(let reason): close(end, reason, into: &out)
        case .proceduresChanged:
            ends[end].startNext(at: now, into: &linkEvents)
            armTimer(end)
        case .updateWanted(let wish): beginUpdate(end, wish, at: now)
        case .parametersRequested(let parameters): askHost(parameters, about: end, at: now, into: &out)
        case .parametersUpdated(let status):
            var event = LEConnectionUpdateComplete()
            event.status = status
            event.handle = handle
            event.interval = ends[end].timing.intervalUnits
            event.latency = ends[end].timing.latency
            event.supervisionTimeout = ends[end].timing.timeoutUnits
            send(.leConnectionUpdateComplete(event), .connectionUpdateComplete, to: controller, into: &out)
        case .lengthChanged:
            var event = ends[end].lengths.effective(ends[end].phys)
            event.handle = handle
            send(.leDataLengthChange(event), .dataLengthChange, to: controller, into: &out)
        case .phyUpdated(let status):
            let event = LEPHYUpdateComplete(
                status: status, handle: handle, transmitPHY: LEPHY(ends[end].phys.transmit),
                receivePHY: LEPHY(ends[end].phys.receive))
            send(.lePHYUpdateComplete(event), .phyUpdateComplete, to: controller, into: &out)
        case .featuresRead(let status):
            let event = LEReadRemoteFeaturesComplete(
                status: status, handle: handle, features: ends[end].remoteFeatures ?? [])
            send(.leReadRemoteFeaturesComplete(event), .readRemoteFeaturesComplete, to: controller, into: &out)
        case .encryptionRequested: answerEncryption(of: end, at: now, into: &out)
        case .sessionKeyMade: exportKeys(of: end, into: &out)
        case .encryptionChanged(let status, let isOn): tellEncryption(status, isOn: isOn, of: end, into: &out)
        case .keyRefreshed: tellKeyRefresh(of: end, into: &out)
        case .payloadTimeout: tellPayloadTimeout(of: end, into: &out)
        case .encryptionEnded: ends[end].handleDeferred(at: now, into: &linkEvents)
        case .versionRead(let status):
            let version = ends[end].remoteVersion ?? LLVersionInd()
            let event = HCIReadRemoteVersionInformationComplete(
                status: status, handle: handle, version: version.version, companyIdentifier: version.company,
                subversion: version.subversion)
            send(
                .readRemoteVersionInformationComplete(event), .readRemoteVersionComplete, to: controller, into: &out)
        }
    }

    /// What a controller does by itself on a new link: lengths that its host suggested. [Vol 6, Part B, 4.5.10]
    private mutating func startFirstProcedures(_ end: Int, at now: Instant) {
        let lengths = ends[end].lengths
        guard lengths.transmitOctets != 27 || lengths.transmitTime != 328,
            ends[end].local.features.contains(.dataPacketLengthExtension)
        else { return }
        ends[end].start(.dataLength, at: now, into: &linkEvents)
    }

    /// A central begins the Connection Update procedure, its anchor points where they fit.
    mutating func beginUpdate(_ end: Int, _ wish: ParameterWish, at now: Instant) {
        // The old anchor point of the event at the instant.
        let distance = Int64(ends[end].nextInstant &- ends[end].timing.counter)
        let anchor = ends[end].timing.anchor + ends[end].timing.interval * distance
        let offset = placeAnchor(
            of: ends[end].owner, without: end, notBefore: anchor, intervalUnits: wish.interval)
        ends[end].beginUpdate(wish, windowOffset: offset, into: &linkEvents)
    }

    /// The peer asks for parameters. Where nothing changes, or the host doesn't want to be asked, it isn't.
    /// [Vol 6, Part B, 5.1.7]
    private mutating func askHost(
        _ parameters: LLConnectionParameters, about end: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        let controller = ends[end].owner
        guard controllers[controller].host.allows(.remoteConnectionParameterRequest) else {
            return ends[end].refuseParameters(.unsupportedRemoteFeature)
        }
        let request = LERemoteConnectionParameterRequest(
            handle: ends[end].handle, intervalMinimum: parameters.intervalMinimum,
            intervalMaximum: parameters.intervalMaximum, latency: parameters.latency,
            supervisionTimeout: parameters.timeout)
        send(
            .leRemoteConnectionParameterRequest(request), .remoteConnectionParameterRequest, to: controller,
            into: &out)
    }
}

extension LEPHY {
    init(_ layer: PhysicalLayer) {
        switch layer {
        case .le1M: self = .le1M
        case .le2M: self = .le2M
        case .codedS8, .codedS2: self = .leCoded
        }
    }
}
