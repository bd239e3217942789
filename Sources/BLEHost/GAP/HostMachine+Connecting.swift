import BLEWire

// Pending connections: the user's side, and one step at a time towards what is wanted.
extension HostMachine {
    mutating func connect(
        _ address: DeviceAddress, _ settings: ConnectionSettings, at now: Instant, into out: inout [HostOutput]
    ) {
        let peer = address.withoutIdentity
        guard isOn else { return out.append(.event(.connectFailed(address, .notPoweredOn))) }
        if let why = settings.fault { return out.append(.event(.connectFailed(address, .invalidParameters(why)))) }
        if let index = links.index(ofPeer: peer), !links.all[index].isEnding {
            return out.append(.event(.connectFailed(address, .hci(.connectionAlreadyExists))))
        }
        if let index = connecting.index(of: peer) {
            connecting.pending[index].settings = settings
        } else {
            let retries = configuration.connecting.establishmentRetries
            connecting.pending.append(.init(address: peer, settings: settings, retries: retries))
        }
        stepConnecting(at: now, into: &out)
        stepScan(at: now, into: &out)
    }

    mutating func cancelConnect(_ address: DeviceAddress, at now: Instant, into out: inout [HostOutput]) {
        let peer = address.withoutIdentity
        if let index = connecting.index(of: peer) {
            connecting.pending.remove(at: index)
            privacy.forgetHeard(peer)
            out.append(.event(.connectFailed(address, .cancelled)))
            stepConnecting(at: now, into: &out)
            stepScan(at: now, into: &out)
        } else if let index = links.index(ofPeer: peer), links.all[index].origin != nil {
            links.all[index].origin = nil
            out.append(.event(.connectFailed(address, .cancelled)))
            endLink(at: index, reason: .remoteUserTerminated)
        } else {
            trace(.debug, "gap", "no connection to \(address) is pending", into: &out)
        }
    }

    var usesAcceptList: Bool {
        configuration.connecting.usesFilterAcceptList && controller.supports(LEAddDeviceToFilterAcceptList.self)
    }

    /// Whether scan and initiating have to take turns.
    var takesTurns: Bool {
        guard let wanted = scan.wanted else { return false }
        return connecting.takesTurnsWithScan || !controller.states.scansWhileInitiating(active: wanted.isActive)
    }

    /// Brings the initiator one command nearer to what is wanted.
    mutating func stepConnecting(at now: Instant, into out: inout [HostOutput]) {
        guard isOn else { return }
        switch connecting.phase {
        case .preparing, .creating, .cancelling:
            return
        case .initiating:
            if privacy.holds || nextBatch != connecting.batch { return cancelAttempt(at: now) }
            // A hidden peer may have another address by then.
            let othersWait =
                connecting.readyCount > connecting.batch.count || takesTurns
                || connecting.batch.first.map(isHidden) ?? false
            if !othersWait {
                connecting.turnEnds = .never
            } else if connecting.turnEnds == .never {
                connecting.turnEnds = now + configuration.connecting.initiatingTurn
            }
        case .idle:
            if privacy.holds { return }
            let batch = nextBatch
            if batch.isEmpty || !takesTurns { connecting.scanTurnEnds = .never }
            if batch.isEmpty {
                scan.isPaused = false
                return stepScan(at: now, into: &out)
            }
            if connecting.pausedUntil != .never || connecting.scanTurnEnds != .never { return }
            scan.isPaused = takesTurns
            if scan.isPaused, scan.running != nil || scan.isBusy { return stepScan(at: now, into: &out) }
            connecting.phase = .preparing
            stepPreparing(at: now, into: &out)
        }
    }

    /// Brings the Filter Accept List one entry nearer to the attempt, then begins it.
    private mutating func stepPreparing(at now: Instant, into out: inout [HostOutput]) {
        let batch = nextBatch
        connecting.batch = batch
        guard let first = batch.first, let settings = connecting.settings(of: first) else {
            connecting.phase = .idle
            return stepConnecting(at: now, into: &out)
        }
        if batch.count > 1 {
            if let surplus = connecting.listed.first(where: { !batch.contains($0) }) {
                let command = LERemoveDeviceFromFilterAcceptList(address: surplus)
                return send(command, for: .removeFromAcceptList(surplus))
            }
            if let missing = batch.first(where: { !connecting.listed.contains($0) }) {
                return send(LEAddDeviceToFilterAcceptList(address: missing), for: .addToAcceptList(missing))
            }
        }
        connecting.phase = .creating
        let peer = batch.count > 1 ? nil : privacy.heardAddress(of: first) ?? first
        let addresses = peer.map { [$0] } ?? batch
        sendCreateConnection(peer, settings, onCoded: addresses.contains { scan.onCoded.contains($0) })
    }

    private mutating func cancelAttempt(at now: Instant) {
        connecting.phase = .cancelling
        connecting.turnEnds = .never
        connecting.cancelEnds = now + configuration.controller.commandTimeout
        send(LECreateConnectionCancel(), for: .cancelConnection)
    }

    mutating func connectionTimersFired(at now: Instant, into out: inout [HostOutput]) {
        if connecting.turnEnds <= now {
            connecting.turnEnds = .never
            if connecting.phase == .initiating {
                for peer in connecting.batch { privacy.forgetHeard(peer) }
                connecting.rotate()
                if takesTurns { connecting.scanTurnEnds = now + configuration.connecting.scanningTurn }
                if takesTurns || nextBatch != connecting.batch { cancelAttempt(at: now) }
            }
        }
        if connecting.scanTurnEnds <= now { connecting.scanTurnEnds = .never }
        if connecting.pausedUntil <= now { connecting.pausedUntil = .never }
        if connecting.retryDue <= now { connecting.release(at: now) }
        if connecting.cancelEnds <= now {
            trace(.warning, "gap", "no LE Connection Complete after a cancel", into: &out)
            attemptEnded()
        }
        stepConnecting(at: now, into: &out)
    }

    /// The initiator is at rest; the scan may have its turn.
    private mutating func attemptEnded() {
        connecting.phase = .idle
        connecting.turnEnds = .never
        connecting.cancelEnds = .never
        scan.isPaused = false
    }

    /// A command of the initiator was answered.
    mutating func connectingAnswered(
        _ purpose: CommandPurpose, status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        switch purpose {
        case .removeFromAcceptList(let address):
            connecting.listed.removeAll { $0 == address }
            stepPreparing(at: now, into: &out)
        case .addToAcceptList(let address):
            if status == .success {
                connecting.listed.append(address)
            } else {
                trace(.notice, "gap", "the Filter Accept List takes no more: \(status.text)", into: &out)
                connecting.listSize = connecting.listed.count
            }
            stepPreparing(at: now, into: &out)
        case .createConnection:
            guard connecting.phase == .creating else { return }
            if status == .success {
                connecting.phase = .initiating
            } else {
                creationRefused(status, at: now, into: &out)
            }
            stepConnecting(at: now, into: &out)
        default:
            // The cancel. Refused: the connection came first, and its event with it. [Vol 4, Part E, 7.8.13]
            guard connecting.phase == .cancelling, status != .success else { return }
            attemptEnded()
            afterAttempt(at: now, into: &out)
        }
    }

    private mutating func creationRefused(_ status: HCIStatus, at now: Instant, into out: inout [HostOutput]) {
        let batch = connecting.batch
        attemptEnded()
        if status == .commandDisallowed {
            if scan.running != nil, !connecting.takesTurnsWithScan {
                trace(.notice, "gap", "the controller doesn't initiate while it scans: they take turns", into: &out)
                connecting.takesTurnsWithScan = true
                return
            }
            if connecting.disallowedCount < configuration.connecting.disallowedRetries {
                connecting.disallowedCount += 1
                connecting.pausedUntil = now + configuration.connecting.disallowedPause
                trace(.info, "gap", "the controller refuses to initiate: tried again", into: &out)
                return
            }
        }
        connecting.disallowedCount = 0
        fail(batch, status, at: now, into: &out)
    }

    private mutating func fail(
        _ batch: [DeviceAddress], _ status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        for address in batch {
            guard let index = connecting.index(of: address) else { continue }
            attemptFailed(connecting.pending.remove(at: index), status: status, at: now, into: &out)
        }
    }

    /// An attempt for one peer came to nothing: tried again where that makes sense, else told.
    mutating func attemptFailed(
        _ pending: ConnectionQueue.Pending, status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        if status == .failedToBeEstablished, pending.retries > 0, isOn {
            trace(.info, "gap", "\(pending.address) wasn't reached (0x3E), \(pending.retries) tries left", into: &out)
            var again = pending
            again.retries -= 1
            // The peer may take the link for real until its supervision time-out, and wouldn't answer before.
            again.heldUntil = now + .milliseconds(Int64(pending.settings.parameters.supervisionTimeout) * 10)
            connecting.pending.append(again)
            connecting.retryDue = min(connecting.retryDue, again.heldUntil)
        } else {
            out.append(.event(.connectFailed(pending.address, .hci(status))))
        }
    }

    /// LE Connection Complete, as initiator. [Vol 4, Part E, 7.7.65.1]
    mutating func attemptCompleted(
        status: HCIStatus, info: LinkInfo, at now: Instant, into out: inout [HostOutput]
    ) {
        let phase = connecting.phase
        let batch = connecting.batch
        privacy.forgetHeard(info.peer)
        if status == .success {
            if phase == .initiating || phase == .cancelling { attemptEnded() }
            connecting.disallowedCount = 0
            linkCreated(info, at: now, into: &out)
        } else if phase == .cancelling {
            attemptEnded()
            if status != .unknownConnectionIdentifier { fail(batch, status, at: now, into: &out) }
        } else if phase == .initiating {
            attemptEnded()
            fail(batch.contains(info.peer) ? [info.peer] : batch, status, at: now, into: &out)
        } else {
            trace(.debug, "hci", "an LE Connection Complete with \(status.text) nobody waits for", into: &out)
        }
        afterAttempt(at: now, into: &out)
    }

    private mutating func afterAttempt(at now: Instant, into out: inout [HostOutput]) {
        stepConnecting(at: now, into: &out)
        stepScan(at: now, into: &out)
    }
}

extension ConnectionSettings {
    /// What is wrong with them. [Vol 4, Part E, 7.8.12]
    var fault: String? {
        let range: ClosedRange<UInt16> = 0x0004...0x4000
        guard range.contains(scanInterval), range.contains(scanWindow), scanWindow <= scanInterval else {
            return "a scan window of \(scanWindow) in an interval of \(scanInterval)"
        }
        return parameters.isValid ? nil : "connection parameters out of their limits"
    }
}
