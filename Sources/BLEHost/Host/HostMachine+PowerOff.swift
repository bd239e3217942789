import BLEWire

// The ways down: by wish, by a controller that fails, by a transport that goes.
extension HostMachine {
    mutating func powerOff(at now: Instant, into out: inout [HostOutput]) {
        power.isWanted = false
        switch power.phase {
        case .off, .failed:
            power.phase = .off
            tell(.poweredOff, into: &out)
        case .starting: resetToStop(into: &out)
        case .on:
            power.phase = .stopping
            dropWishes(.notPoweredOn, into: &out)
            if links.isEmpty { return resetToStop(into: &out) }
            power.stopBy = now + configuration.controller.powerOffTimeout
            // Others are told why. [Vol 1, Part F, 2.21]
            for index in links.all.indices { endLink(at: index, reason: .remotePowerOff) }
        case .stopping: break
        }
    }

    /// Links have ended or had their time: the controller is put to rest.
    mutating func resetToStop(into out: inout [HostOutput]) {
        power.phase = .stopping
        power.stopBy = .never
        dropLinks(.remotePowerOff, into: &out)
        commands.removeAll()
        send(HCIReset(), for: .powerOffReset)
    }

    mutating func stopped(at now: Instant, into out: inout [HostOutput]) {
        power.phase = .off
        power.stopBy = .never
        commands.removeAll()
        tell(.poweredOff, into: &out)
        if power.isWanted { powerOn(at: now, into: &out) }
    }

    /// The controller doesn't answer, or says that it has failed: it's reset, and powered on again.
    mutating func controllerFailed(_ error: HostError, at now: Instant, into out: inout [HostOutput]) {
        switch power.phase {
        case .off, .failed: return
        case .stopping:
            dropLinks(.hardwareFailure, into: &out)
            return stopped(at: now, into: &out)
        case .starting, .on: break
        }
        power.failures += 1
        // Not on from here: nothing is sent for what ends now.
        power.phase = .starting(.reset)
        let isGivenUp = power.failures > configuration.controller.resetAttempts
        let end = isGivenUp ? " once too often; plug it in again, or name another adapter" : ""
        trace(.error, "hci", "the controller has failed\(end): \(error)", into: &out)
        if isGivenUp { power.phase = .failed }
        tell(isGivenUp ? .unsupported(error) : .resetting(error), into: &out)
        dropWishes(error, into: &out)
        dropLinks(.hardwareFailure, into: &out)
        commands.removeAll()
        if !isGivenUp { startPowerOn() }
    }

    mutating func transportClosed(_ reason: String, at now: Instant, into out: inout [HostOutput]) {
        guard power.isTransportOpen else { return }
        power.isTransportOpen = false
        let wasUp = power.phase != .off || power.isWanted
        power.phase = .off
        power.stopBy = .never
        commands.removeAll()
        let error = HostError.transport(reason)
        if power.isWanted {
            tell(.resetting(error), into: &out)
        } else if wasUp {
            tell(.poweredOff, into: &out)
        }
        dropWishes(error, into: &out)
        dropLinks(.hardwareFailure, into: &out)
    }

    mutating func transportOpened(at now: Instant, into out: inout [HostOutput]) {
        if power.isTransportOpen, power.phase != .failed { return }
        power.isTransportOpen = true
        power.failures = 0
        if power.isWanted { startPowerOn() }
    }

    /// What was asked for and isn't there yet, ends.
    private mutating func dropWishes(_ error: HostError, into out: inout [HostOutput]) {
        if scan.owesAnswer { out.append(.event(.scanStarted(error))) }
        if advertising.owesAnswer { out.append(.event(.advertisingStarted(error))) }
        let pending = connecting.pending
        let (wishes, trains) = (periodic.wishes, periodic.trains)
        scan = ScanControl()
        advertising = AdvertisingControl()
        connecting = ConnectionQueue()
        periodic = PeriodicControl()
        for entry in pending { out.append(.event(.connectFailed(entry.address, error))) }
        for wish in wishes { out.append(.event(.periodic(wish.token, .failed(error)))) }
        for train in trains { out.append(.event(.periodic(train.token, .ended(error)))) }
    }

    /// Links that are there no more, without an event of the controller.
    private mutating func dropLinks(_ reason: HCIStatus, into out: inout [HostOutput]) {
        while !links.isEmpty { removeLink(at: 0, reason: reason, at: .start, into: &out) }
        deadlines.removeAll()
    }
}
