import BLEBackend
import BLEWire

// Connections as wishes of sessions; a link serves all of them. [contract 42-52]
extension BlueZMachine {
    /// How often a connection that fails at once is tried again before the program is told.
    static let attempts = 4
    /// How often a connection that another program is making is waited for.
    static let collisions = 12
    /// A call that has lasted so long says that the peer isn't there, which is no failure: connecting never times out.
    static let absence = Delay.seconds(10)

    mutating func connect(_ peer: PeerID, _ options: ConnectOptions, in session: SessionID) {
        guard isReady(session, .central, "connect") else { return }
        guard store.address(of: peer) != nil else {
            return emit(.connectFailed(peer, BackendError(.unknownDevice)), to: session)
        }
        store.keep(peer)
        saveSoon()
        var wish = BlueZWish(state: .pending, options: options)
        switch sessions[session]?.wishes[peer]?.state {
        case .connected:
            // Told once more, without traffic. [contract 44]
            sessions.update(session) { $0.wishes.update(peer) { $0.options = options } }
            if links[peer]?.isEnding == false { return emit(.connected(peer), to: session) }
        case .delayed, .pending:
            sessions.update(session) { $0.wishes.update(peer) { $0.options = options } }
            return
        case .disconnecting: wish.owesEnd = true
        case nil: break
        }
        if options.startDelay > 0 {
            wish.state = .delayed
            timers.set(.connect(session, peer), at: now + .seconds(Int64(min(options.startDelay, 1 << 31))))
        }
        sessions.update(session) { $0.wishes[peer] = wish }
        if wish.state == .pending { pursue(peer, in: session) }
    }

    /// The start delay has passed.
    mutating func connectDelayed(_ peer: PeerID, in session: SessionID) {
        guard state == .poweredOn, sessions[session]?.wishes[peer]?.state == .delayed else { return }
        sessions.update(session) { $0.wishes.update(peer) { $0.state = .pending } }
        pursue(peer, in: session)
    }

    /// Uses the link that is there, or has BlueZ make one. A link that is about to end is waited for.
    mutating func pursue(_ peer: PeerID, in session: SessionID) {
        if let link = links[peer] {
            if !link.isEnding { join(peer, session) }
            return
        }
        guard attempts[peer] == nil else { return }
        attempts[peer] = Attempt(number: number(), phase: .pausing)
        continueAttempt(peer)
    }

    /// Makes the next call of an attempt.
    mutating func continueAttempt(_ peer: PeerID) {
        guard attempts[peer]?.phase == .pausing else { return }
        guard let path = path(of: peer) else { return find(peer) }
        // Another program's link serves as well. [contract 44]
        if objects[path, BlueZName.device]?["Connected"]?.flag == true { return linkCame(peer, path, isOurs: false) }
        callConnect(peer, path)
    }

    /// BlueZ forgets devices soon after a discovery: then the peer has to be heard again.
    private mutating func find(_ peer: PeerID) {
        trace(.debug, "BlueZ has no device for \(peer): discovering until it's heard")
        attempts.update(peer) { $0.phase = .finding }
        updateDiscovery()
    }

    mutating func callConnect(_ peer: PeerID, _ path: String) {
        guard let attempt = attempts[peer] else { return }
        attempts.update(peer) { $0.phase = .calling(now) }
        // Discovery for the sake of finding the peer is over, and rests beside a connection that has failed.
        updateDiscovery()
        call(
            path, BlueZName.device, "Connect", then: .connect(peer, attempt: attempt.number), patience: .seconds(120))
    }

    mutating func connectAnswered(_ peer: PeerID, _ number: UInt64, _ result: Result<[DBusValue], DBusFailure>) {
        guard let attempt = attempts[peer], attempt.number == number, case .calling(let since) = attempt.phase else {
            // Everybody who wanted it has changed their mind.
            if case .success = result, links[peer] == nil, let path = path(of: peer) { endDevice(path) }
            return
        }
        switch result {
        case .success: check(peer)
        case .failure(let failure) where failure.bluez == "AlreadyConnected": check(peer)
        case .failure(let failure): connectFailed(peer, failure, after: now - since)
        }
    }

    /// Where the link comes quickly, BlueZ doesn't always tell that there is one: it is asked.
    private mutating func check(_ peer: PeerID) {
        guard let attempt = attempts[peer], let path = path(of: peer) else { return retry(peer, after: .zero) }
        attempts.update(peer) { $0.phase = .checking }
        call(
            path, DBusName.properties, "GetAll", [.string(BlueZName.device)],
            then: .linkProperties(peer, attempt: attempt.number))
    }

    mutating func linkPropertiesTold(_ peer: PeerID, _ number: UInt64, _ result: Result<[DBusValue], DBusFailure>) {
        guard let attempt = attempts[peer], attempt.number == number, attempt.phase == .checking,
            let path = path(of: peer)
        else { return }
        if case .success(let values) = result, let properties = values.first?.properties {
            objects.change(path, BlueZName.device, properties, invalid: [])
            if properties["Connected"]?.flag == true { return linkCame(peer, path, isOurs: true) }
        }
        // Either it's still to come, or the link has ended again already.
        attempts.update(peer) { $0.checks += 1 }
        if attempt.checks < 5 { return timers.set(.askLink(peer), at: now + .milliseconds(200)) }
        let isBonded = objects[path, BlueZName.device]?["Paired"]?.flag ?? false
        connectFailed(
            peer,
            isBonded
                ? .bondLost : .local("Connect was answered with success, and the device isn't connected"), after: .zero)
    }

    mutating func askLink(_ peer: PeerID) {
        if attempts[peer]?.phase == .checking { check(peer) }
    }

    private mutating func connectFailed(_ peer: PeerID, _ failure: DBusFailure, after duration: Delay) {
        trace(.debug, "Connect to \(peer) failed after \(Int(duration.milliseconds)) ms: \(failure)")
        if failure.isObjectGone { return retry(peer, after: .zero) }
        if failure.isInProgress { return collided(peer, failure) }
        let error = BackendError(connecting: failure)
        let isAbsent = duration >= Self.absence || error.cause == .connectionTimeout
        if isAbsent { return retry(peer, after: .milliseconds(500)) }
        let failures = attempts.update(peer) { attempt in
            attempt.failures += 1
            return attempt.failures
        }
        let isFinal =
            [.connectionLimitReached, .peerRemovedPairingInformation, .operationNotSupported].contains(error.cause)
            && !failure.isBondLost
        guard !isFinal, let failures, failures < Self.attempts else { return giveUp(peer, error) }
        retry(peer, after: Delay.milliseconds(200) * Int64(1 << failures))
    }

    /// Somebody else is connecting it, or was and has crashed: after a while what is left of that is ended.
    private mutating func collided(_ peer: PeerID, _ failure: DBusFailure) {
        let collisions = attempts.update(peer) { attempt in
            attempt.collisions += 1
            return attempt.collisions
        }
        guard let collisions, collisions < Self.collisions else {
            var error = BackendError(connecting: failure)
            error.underlying = failure.text + ": another program has been connecting the device all the while"
            return giveUp(peer, error)
        }
        if collisions == Self.collisions / 2, let path = path(of: peer) {
            trace(.notice, "a connection to \(peer) that isn't ours doesn't come to an end: it is called off")
            endDevice(path)
        }
        retry(peer, after: min(Delay.milliseconds(250) * Int64(1 << min(collisions, 4)), .seconds(2)))
    }

    private mutating func retry(_ peer: PeerID, after pause: Delay) {
        attempts.update(peer) { attempt in
            attempt.phase = .pausing
            attempt.checks = 0
        }
        timers.cancel(.attempt(peer))
        timers.set(.attempt(peer), at: now + pause)
        // A discovery beside it may be what makes it fail.
        updateDiscovery()
    }

    /// The program is told; an automatic reconnection goes on. [contract 52]
    private mutating func giveUp(_ peer: PeerID, _ error: BackendError) {
        dropAttempt(peer)
        for id in sessions.keys {
            guard let wish = sessions[id]?.wishes[peer], wish.state == .pending else { continue }
            if wish.isReconnection {
                sessions.update(id) { $0.wishes.update(peer) { $0.state = .delayed } }
                timers.set(.connect(id, peer), at: now + .seconds(5))
            } else {
                sessions.update(id) { $0.wishes[peer] = nil }
                emit(.connectFailed(peer, error), to: id)
            }
        }
    }

    mutating func dropAttempt(_ peer: PeerID) {
        attempts[peer] = nil
        timers.cancel(.attempt(peer))
        timers.cancel(.askLink(peer))
        updateDiscovery()
    }

    // MARK: - The link

    private mutating func linkCame(_ peer: PeerID, _ path: String, isOurs: Bool) {
        dropAttempt(peer)
        links[peer] = BlueZLink(peer: peer, path: path, number: number(), isOurs: isOurs)
        change(.linkUp(peer))
        let pursuers = sessions.filter { $0.value.wishes[peer]?.state == .pending }.map(\.key)
        guard !pursuers.isEmpty else { return end(peer) }
        for session in pursuers { join(peer, session) }
        if let name = objects[path, BlueZName.device]?["Name"]?.text { nameChanged(path, name) }
        timers.set(.resolve(peer), at: now + .seconds(40))
        if objects[path, BlueZName.device]?["ServicesResolved"]?.flag == true { servicesResolved(path, true) }
    }

    /// The session is connected by the peer's link from now on.
    private mutating func join(_ peer: PeerID, _ session: SessionID) {
        links.update(peer) { if !$0.users.contains(session) { $0.users.append(session) } }
        sessions.update(session) { session in
            session.wishes.update(peer) { wish in
                wish.state = .connected
                wish.isReconnection = false
            }
        }
        emit(.connected(peer), to: session)
    }

    /// The name that the device has in its GAP service, which BlueZ reads by itself. [contract 37, 39]
    mutating func nameChanged(_ path: String, _ name: String) {
        guard let peer = peer(at: path), let link = links[peer] else { return }
        let shown = store.name(of: peer)
        store.setDeviceName(name, of: peer)
        saveSoon()
        if shown != name { emit(.nameChanged(peer, name), to: link.users) }
    }

    // MARK: - Services found

    /// BlueZ has looked at all services, or begins anew.
    mutating func servicesResolved(_ path: String, _ isResolved: Bool) {
        guard let peer = peer(at: path), let link = links[peer], link.path == path, isResolved, !link.isReady else {
            return
        }
        timers.cancel(.resolve(peer))
        // Any characteristic tells the link's ATT_MTU.
        guard let one = objects.paths(with: BlueZName.gattCharacteristic, below: path).first else {
            return beReady(peer)
        }
        call(
            one, DBusName.properties, "Get", [.string(BlueZName.gattCharacteristic), .string("MTU")],
            then: .mtu(peer, link: link.number))
    }

    mutating func mtuTold(_ peer: PeerID, _ number: UInt64, _ result: Result<[DBusValue], DBusFailure>) {
        guard let link = links[peer], link.number == number else { return }
        switch result {
        case .success(let values):
            if let mtu = values.first?.number, mtu > link.mtu {
                links.update(peer) { $0.mtu = mtu }
                change(.mtu(peer, mtu))
                emit(.attMTUChanged(peer, mtu), to: link.users)
            }
        case .failure(let failure):
            traceOnce(
                .notice, "BlueZ doesn't tell the ATT_MTU (it does from 5.62 on), so 23 is taken: \(failure)")
        }
        beReady(peer)
    }

    private mutating func beReady(_ peer: PeerID) {
        guard let link = links[peer], !link.isReady else { return }
        links.update(peer) { $0.isReady = true }
        runOperations(on: peer)
    }

    /// It has taken too long: what is there is used, and where there is nothing the program is told.
    mutating func resolveTimedOut(_ peer: PeerID) {
        guard let link = links[peer], !link.isReady else { return }
        trace(.warning, "BlueZ hasn't found the services of \(peer) within 40 s")
        if !objects.paths(with: BlueZName.gattService, below: link.path).isEmpty { return beReady(peer) }
        let waiting = link.waiting
        links.update(peer) { $0.waiting = [] }
        let error = BackendError(.connectionTimeout, underlying: "BlueZ: the services weren't found within 40 s")
        for operation in waiting { tell(operation, .failure(error), of: peer) }
        timers.set(.resolve(peer), at: now + .seconds(40))
    }
}
