import BLEWire

// Following periodic advertising: the user's side, and one step at a time towards what is wanted.
// [Vol 3, Part C, 9.5.4]
extension HostMachine {
    mutating func followPeriodic(
        _ token: OperationToken, _ settings: PeriodicSettings, at now: Instant, into out: inout [HostOutput]
    ) {
        func refuse(_ error: HostError) { out.append(.event(.periodic(token, .failed(error)))) }
        guard isOn else { return refuse(.notPoweredOn) }
        if let lack = controller.lackForPeriodicReception { return refuse(.unsupported(lack)) }
        if let why = settings.fault { return refuse(.invalidParameters(why)) }
        var wish = PeriodicControl.Wish(
            token: token, settings: settings, retries: configuration.following.establishmentRetries)
        wish.settings.address = settings.address.withoutIdentity
        periodic.wishes.append(wish)
        hearAnew(at: now, into: &out)
    }

    mutating func stopFollowing(_ token: OperationToken, at now: Instant, into out: inout [HostOutput]) {
        if let index = periodic.index(of: token) {
            periodic.wishes.remove(at: index)
            out.append(.event(.periodic(token, .failed(.cancelled))))
            stepPeriodic(at: now, into: &out)
            stepScan(at: now, into: &out)
        } else if let index = periodic.trains.firstIndex(where: { $0.token == token }) {
            let train = periodic.trains.remove(at: index)
            send(LEPeriodicAdvertisingTerminateSync(handle: train.handle), for: .reply)
            out.append(.event(.periodic(token, .ended(.cancelled))))
        } else {
            trace(.debug, "gap", "no train is followed under \(token.rawValue)", into: &out)
        }
    }

    /// An advertiser was heard that has a train; true where a wish is nearer to it by that.
    mutating func heardTrain(of peer: DeviceAddress, in report: AdvertisingReport) -> Bool {
        guard !periodic.wishes.isEmpty, let interval = report.periodicInterval, let set = report.setIdentifier else {
            return false
        }
        let address = report.address.withoutIdentity
        return periodic.hear(peer, .init(address: address, setIdentifier: set, interval: interval))
    }

    /// Brings the controller's search one command nearer to what is wanted.
    mutating func stepPeriodic(at now: Instant, into out: inout [HostOutput]) {
        guard isOn else { return }
        switch periodic.phase {
        case .creating, .cancelling: return
        case .searching:
            // Not while it is outstanding may the controller's list of keys change. [Vol 4, Part E, 7.8.38]
            if privacy.holds || !periodic.isAttemptWanted { return cancelSearch(at: now) }
            if !periodic.othersWait {
                periodic.turnEnds = .never
            } else if periodic.turnEnds == .never {
                periodic.turnEnds = now + configuration.following.turn
            }
        case .idle:
            if privacy.holds { return }
            while let wish = periodic.wishes.first(where: { $0.heard != nil }), let heard = wish.heard {
                let isFollowed = periodic.trains.contains { train in
                    train.advertiser == wish.settings.address && train.setIdentifier == heard.setIdentifier
                }
                if isFollowed {
                    fail(wish.token, .hci(.connectionAlreadyExists), into: &out)
                    continue
                }
                periodic.phase = .creating
                periodic.attempt = .init(token: wish.token, heard: heard)
                let command = LEPeriodicAdvertisingCreateSync(
                    setIdentifier: heard.setIdentifier, advertiser: heard.address, skip: wish.settings.skip,
                    timeout: wish.settings.timeout(interval: heard.interval))
                return send(command, for: .createSync)
            }
        }
    }

    private mutating func cancelSearch(at now: Instant) {
        periodic.phase = .cancelling
        periodic.turnEnds = .never
        periodic.cancelEnds = now + configuration.controller.commandTimeout
        send(LEPeriodicAdvertisingCreateSyncCancel(), for: .cancelSync)
    }

    /// A scan that hides what it has told already wouldn't tell of the advertiser again.
    private mutating func hearAnew(at now: Instant, into out: inout [HostOutput]) {
        let isAwaited = periodic.wishes.contains { $0.heard == nil }
        if isAwaited, scan.running?.filterDuplicates == true { scan.restarts = true }
        stepScan(at: now, into: &out)
    }

    private mutating func fail(_ token: OperationToken, _ error: HostError, into out: inout [HostOutput]) {
        guard let index = periodic.index(of: token) else { return }
        periodic.wishes.remove(at: index)
        out.append(.event(.periodic(token, .failed(error))))
    }

    /// The controller doesn't scan: nobody will be found.
    mutating func failPeriodicWishes(_ error: HostError, into out: inout [HostOutput]) {
        for wish in periodic.wishes { fail(wish.token, error, into: &out) }
    }

    mutating func periodicTimersFired(at now: Instant, into out: inout [HostOutput]) {
        if periodic.turnEnds <= now {
            periodic.turnEnds = .never
            if let attempt = periodic.attempt { periodic.sendBack(attempt.token) }
        }
        if periodic.cancelEnds <= now {
            trace(.warning, "gap", "no LE Periodic Advertising Sync Established after a cancel", into: &out)
            periodic.attemptEnded()
        }
        goOn(at: now, into: &out)
    }

    private mutating func goOn(at now: Instant, into out: inout [HostOutput]) {
        stepPeriodic(at: now, into: &out)
        hearAnew(at: now, into: &out)
    }

    // MARK: What the controller says

    /// A command of the search was answered.
    mutating func periodicAnswered(
        _ purpose: CommandPurpose, status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        if purpose == .createSync, periodic.phase == .creating {
            if status == .success {
                periodic.phase = .searching
            } else if let attempt = periodic.attempt {
                trace(.notice, "gap", "the controller refuses to look for a train: \(status.text)", into: &out)
                periodic.attemptEnded()
                fail(attempt.token, .hci(status), into: &out)
            }
        } else if purpose == .cancelSync, periodic.phase == .cancelling, status != .success {
            // The search had ended, and its event has come or is none of this host's. [Vol 4, Part E, 7.8.68]
            periodic.attemptEnded()
        } else {
            return
        }
        stepPeriodic(at: now, into: &out)
        stepScan(at: now, into: &out)
    }

    /// HCI_LE_Periodic_Advertising_Sync_Established. [Vol 4, Part E, 7.7.65.14]
    mutating func syncEstablished(
        _ event: LEPeriodicAdvertisingSyncEstablished, at now: Instant, into out: inout [HostOutput]
    ) {
        let isCancelling = periodic.phase == .cancelling
        guard let attempt = periodic.attempt, isCancelling || periodic.phase == .searching,
            isEnd(event, of: attempt, isCancelling: isCancelling)
        else {
            trace(.warning, "hci", "a train that isn't looked for: \(event.status.text)", into: &out)
            if event.status == .success { terminate(event.handle) }
            return
        }
        periodic.attemptEnded()
        if event.status == .success {
            follow(attempt, event, into: &out)
        } else if !isCancelling, let index = periodic.index(of: attempt.token) {
            if event.status == .failedToBeEstablished, periodic.wishes[index].retries > 0 {
                periodic.wishes[index].retries -= 1
                periodic.sendBack(attempt.token)
            } else {
                fail(attempt.token, .hci(event.status), into: &out)
            }
        }
        goOn(at: now, into: &out)
    }

    /// Whether the event is about the search at hand. Of one that failed only the status is told.
    private mutating func isEnd(
        _ event: LEPeriodicAdvertisingSyncEstablished, of attempt: PeriodicControl.Attempt, isCancelling: Bool
    ) -> Bool {
        switch event.status {
        case .success:
            let address = event.advertiser.withoutIdentity
            let isAdvertiser =
                address == attempt.heard.address || identity(of: address) == identity(of: attempt.heard.address)
            return event.setIdentifier == attempt.heard.setIdentifier && isAdvertiser
        // That of a cancel before, which was given up.
        case .operationCancelledByHost: return isCancelling
        default: return true
        }
    }

    private mutating func follow(
        _ attempt: PeriodicControl.Attempt, _ event: LEPeriodicAdvertisingSyncEstablished, into out: inout [HostOutput]
    ) {
        // Called off while the controller was finding it.
        guard let index = periodic.index(of: attempt.token) else { return terminate(event.handle) }
        let wish = periodic.wishes.remove(at: index)
        if let old = periodic.train(of: event.handle) {
            trace(.warning, "hci", "a second train under the handle \(event.handle)", into: &out)
            out.append(.event(.periodic(periodic.trains.remove(at: old).token, .lost)))
        }
        periodic.trains.append(
            PeriodicTrain(
                token: wish.token, handle: event.handle, advertiser: wish.settings.address,
                setIdentifier: event.setIdentifier))
        let info = PeriodicTrainInfo(setIdentifier: event.setIdentifier, interval: event.interval, phy: event.phy)
        out.append(.event(.periodic(wish.token, .established(info))))
    }

    private mutating func terminate(_ handle: ConnectionHandle) {
        send(LEPeriodicAdvertisingTerminateSync(handle: handle), for: .reply)
    }

    mutating func receive(_ event: LEPeriodicAdvertisingReport, into out: inout [HostOutput]) {
        guard let index = periodic.train(of: event.handle) else {
            return trace(.debug, "hci", "a report of a train that isn't followed: \(event.handle)", into: &out)
        }
        guard let report = periodic.trains[index].take(event) else { return }
        out.append(.event(.periodic(periodic.trains[index].token, .report(report))))
    }

    mutating func syncLost(_ event: LEPeriodicAdvertisingSyncLost, into out: inout [HostOutput]) {
        guard let index = periodic.train(of: event.handle) else {
            return trace(.debug, "hci", "a lost train that isn't followed: \(event.handle)", into: &out)
        }
        out.append(.event(.periodic(periodic.trains.remove(at: index).token, .lost)))
    }
}

extension PeriodicSettings {
    /// What is wrong with them. [Vol 4, Part E, 7.8.67]
    var fault: String? {
        if let setIdentifier, setIdentifier > 0x0F { return "an Advertising SID of \(setIdentifier)" }
        if skip > 0x01F3 { return "\(skip) events to be left out" }
        if let timeout, !(0x000A...0x4000).contains(timeout) { return "a time-out of \(timeout) times 10 ms" }
        return nil
    }

    /// Sync_Timeout for a train with an interval in units of 1.25 ms.
    func timeout(interval: UInt16) -> UInt16 {
        timeout ?? UInt16(min(max(6 * (Int(skip) + 1) * Int(interval) / 8, 100), 0x4000))
    }
}

extension ControllerCapabilities {
    /// What it lacks to follow periodic advertising; nil where it has everything. [Vol 6, Part B, 4.6]
    var lackForPeriodicReception: String? {
        if !features.contains(.periodicAdvertising) { return "the controller lacks periodic advertising" }
        if !hasExtendedCommands { return "the controller lacks extended scanning, or it isn't to be used" }
        let needed: [any HCICommandPDU.Type] = [
            LEPeriodicAdvertisingCreateSync.self, LEPeriodicAdvertisingCreateSyncCancel.self,
            LEPeriodicAdvertisingTerminateSync.self,
        ]
        for command in needed where !supports(command) { return "the controller lacks \(command.name)" }
        return nil
    }
}
