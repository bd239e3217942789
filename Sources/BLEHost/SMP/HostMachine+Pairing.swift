import BLEWire

// Pairings of links: begun, fed and ended. [Vol 3, Part H, 2]
extension HostMachine {
    /// The commands about security.
    mutating func performSecurity(_ command: HostCommand, at now: Instant, into out: inout [HostOutput]) {
        switch command {
        case .raiseSecurity(let handle):
            guard let index = links.index(of: handle) else {
                let error = HostError.disconnected(.unknownConnectionIdentifier)
                return out.append(.event(.securityRaised(handle, error)))
            }
            links.all[index].security.isOwed = true
            raise(linkAt: index, at: now, into: &out)
        case .pair(let handle):
            guard let index = links.index(of: handle) else {
                let error = HostError.disconnected(.unknownConnectionIdentifier)
                return out.append(.event(.pairingEnded(handle, .failure(error))))
            }
            startPairing(linkAt: index, at: now, into: &out)
        case .answerPairing(let handle, let answer): answerPairing(handle, answer, at: now, into: &out)
        case .pressPasskeyKey(let handle, let keypress):
            guard let index = links.index(of: handle) else { return }
            advance(.pressed(keypress), linkAt: index, at: now, into: &out)
        default: break
        }
    }

    /// Client procedures that were refused for want of security: once what brought them is done.
    mutating func raiseWishedSecurity(at now: Instant, into out: inout [HostOutput]) {
        while !security.wished.isEmpty {
            let handle = security.wished.removeFirst()
            guard let index = links.index(of: handle) else { continue }
            links.all[index].security.isWished = true
            raise(linkAt: index, at: now, into: &out)
        }
    }

    /// Makes the link as secure as can be: with the bond's key, else by a pairing. [Vol 3, Part C, 10.3.1]
    private mutating func raise(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        let link = links.all[index]
        // What is under way will answer.
        if link.security.isEncrypting || security.pairings[link.handle]?.machine.isActive ?? false { return }
        if !link.security.current.isEncrypted, link.info.isCentral, link.security.current.hasKey {
            return encryptKnown(linkAt: index)
        }
        startPairing(linkAt: index, at: now, into: &out)
    }

    private mutating func startPairing(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        let link = links.all[index]
        var failure: PairingFailure?
        if !security.policy.isEnabled { failure = .sent(.pairingNotSupported) }
        if link.security.hasEnded { failure = .timeout }
        if security.attempts.isWaiting(link.info.peer, at: now) { failure = .sent(.repeatedAttempts) }
        if let failure { return pairingFailed(failure, linkAt: index, at: now, into: &out) }
        makePairing(linkAt: index)
        // More than what the link has already: protection by a person.
        if link.security.current.isEncrypted, security.policy.ioCapability != .noInputNoOutput {
            security.pairings.update(link.handle) { $0.machine.context.policy.requiresProtection = true }
        }
        advance(.start, linkAt: index, at: now, into: &out)
    }

    /// A machine for the link, if it has none.
    private mutating func makePairing(linkAt index: Int) {
        let link = links.all[index]
        if security.pairings[link.handle] != nil { return }
        var context = PairingContext(
            isInitiator: link.info.isCentral, ownAddress: link.info.ownAddress ?? ownAddress,
            peerAddress: link.info.peerAddress ?? link.info.peer)
        context.policy = security.policy
        context.outOfBand = security.outOfBandData(of: link.info.peer)
        context.ownIRK = configuration.identityResolvingKey
        context.ownIdentity = identityAddress
        let isProven = link.security.current.isEncrypted && link.security.usesBond
        if isProven { context.presentStrength = link.security.bond.flatMap { security.bonds[$0]?.strength } }
        security.pairings[link.handle] = LinkPairing(
            machine: PairingMachine(context: context), pending: nil, isBondProven: isProven)
    }

    /// The address that names this host for good.
    var identityAddress: DeviceAddress { ownAddress }

    mutating func receiveSecurityManager(
        _ pdu: [UInt8], linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        let link = links.all[index]
        if link.security.hasEnded {
            return trace(.debug, "smp", "\(link.handle): a command after the time-out", into: &out)
        }
        let code = pdu.first.map(SMPCode.init(rawValue:))
        if code == .securityRequest, link.info.isCentral {
            return receiveSecurityRequest(pdu, linkAt: index, at: now, into: &out)
        }
        if code == .pairingRequest, !link.info.isCentral, !security.policy.isEnabled {
            return answer(.pairingNotSupported, linkAt: index, into: &out)
        }
        if code == .pairingRequest, !link.info.isCentral, security.pairings[link.handle] == nil,
            security.attempts.isWaiting(link.info.peer, at: now)
        {
            trace(.notice, "smp", "\(link.handle) has failed too often and must wait", into: &out)
            return answer(.repeatedAttempts, linkAt: index, into: &out)
        }
        makePairing(linkAt: index)
        advance(.received(pdu), linkAt: index, at: now, into: &out)
    }

    private mutating func answer(_ reason: SMPReason, linkAt index: Int, into out: inout [HostOutput]) {
        enqueue(
            [SMPCode.pairingFailed.rawValue, reason.rawValue], on: .securityManager, tag: nil, linkAt: index,
            into: &out)
    }

    /// As central: the peripheral wants the link to be encrypted. [Vol 3, Part H, 2.4.6]
    private mutating func receiveSecurityRequest(
        _ pdu: [UInt8], linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        let link = links.all[index]
        guard case .securityRequest(let request)? = try? SMPPacket(decoding: pdu) else {
            return answer(.invalidParameters, linkAt: index, into: &out)
        }
        if !security.policy.isEnabled { return answer(.pairingNotSupported, linkAt: index, into: &out) }
        if link.security.isEncrypting || security.pairings[link.handle]?.machine.isActive ?? false { return }
        let wantsMore = request.authentication.contains(.mitm)
        if let strength = link.security.strength, strength.isAuthenticated || !wantsMore { return }
        let known = link.security.bond.flatMap { security.bonds[$0]?.strength }
        if let known, known.isAuthenticated || !wantsMore, !link.security.current.isEncrypted {
            return encryptKnown(linkAt: index)
        }
        startPairing(linkAt: index, at: now, into: &out)
    }

    private mutating func answerPairing(
        _ handle: ConnectionHandle, _ answer: PairingAnswer, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle), let pairing = security.pairings[handle] else {
            return trace(.debug, "smp", "an answer about \(handle), which doesn't pair", into: &out)
        }
        guard let (bond, result) = pairing.pending else {
            return advance(.answered(answer), linkAt: index, at: now, into: &out)
        }
        security.pairings[handle] = nil
        if answer == .accept { keep(bond, linkAt: index, into: &out) }
        out.append(.event(.pairingEnded(handle, .success(result))))
    }

    /// Feeds the link's pairing, if there is one, and does what it wants done.
    mutating func advance(_ input: PairingInput, linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        let handle = links.all[index].handle
        var outputs: [PairingOutput] = []
        var generator = random
        let isThere: Void? = security.pairings.update(handle) {
            $0.machine.handle(input, at: now, random: &generator, into: &outputs)
        }
        guard isThere != nil else { return }
        random = generator
        var answer: PairingAnswer?
        for output in outputs {
            guard let index = links.index(of: handle) else { return }
            if case .ask(let question) = output {
                answer = security.pairings[handle]?.machine.context.policy.answer(to: question)
            }
            perform(output, linkAt: index, at: now, into: &out)
        }
        if let answer, let index = links.index(of: handle) {
            return advance(.answered(answer), linkAt: index, at: now, into: &out)
        }
        // A machine at rest knows nothing that another one wouldn't.
        if let pairing = security.pairings[handle], !pairing.machine.isActive, pairing.pending == nil,
            pairing.unconfirmed == nil
        {
            if pairing.machine.hasEnded, let index = links.index(of: handle) {
                links.all[index].security.hasEnded = true
            }
            security.pairings[handle] = nil
        }
    }

    private mutating func perform(
        _ output: PairingOutput, linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        let handle = links.all[index].handle
        switch output {
        case .send(let pdu): enqueue(pdu, on: .securityManager, tag: nil, linkAt: index, into: &out)
        case .ask(let question): out.append(.event(.pairingAsked(handle, question)))
        case .peerPressed(let keypress): out.append(.event(.pairingKeyPressed(handle, keypress)))
        case .encrypt(let key):
            guard let strength = security.pairings[handle]?.machine.strength else { return }
            encrypt(
                linkAt: index, with: EncryptionKey(longTermKey: key), strength: strength, usesBond: false)
        case .completed(let result):
            let sending = links.all[index].sending
            let packets = sending.count + sending.unacknowledged
            if packets == 0 { return pairingCompleted(result, linkAt: index, into: &out) }
            security.pairings.update(handle) { $0.unconfirmed = (result, packets) }
        case .failed(let failure):
            if failure.counts { security.attempts.failed(links.all[index].info.peer, at: now) }
            pairingFailed(failure, linkAt: index, at: now, into: &out)
        case .trace(let event):
            trace(event.level, event.layer, "\(handle): \(event.message)", into: &out)
        }
    }

    /// Packets have reached the peer: the last keys may be among them.
    mutating func keysArrived(_ packets: Int, linkAt index: Int, into out: inout [HostOutput]) {
        let handle = links.all[index].handle
        guard let waiting = security.pairings[handle]?.unconfirmed else { return }
        guard waiting.packets <= packets else {
            return security.pairings.update(handle) { $0.unconfirmed?.packets -= packets } ?? ()
        }
        security.pairings.update(handle) { $0.unconfirmed = nil }
        pairingCompleted(waiting.result, linkAt: index, into: &out)
        if security.pairings[handle]?.pending == nil { security.pairings[handle] = nil }
    }

    private mutating func pairingCompleted(
        _ result: PairingResult, linkAt index: Int, into out: inout [HostOutput]
    ) {
        let handle = links.all[index].handle
        security.attempts.succeeded(links.all[index].info.peer)
        let isProven = security.pairings[handle]?.isBondProven ?? false
        if let question = keep(result, of: handle, isProven: isProven, into: &out),
            let bond = Bond(result, peerAddress: links.all[index].info.peer)
        {
            out.append(.event(.pairingAsked(handle, question)))
            switch security.policy.answer(to: question) {
            case .accept: self.keep(bond, linkAt: index, into: &out)
            case nil: return security.pairings.update(handle) { $0.pending = (bond, result) } ?? ()
            default: break
            }
        }
        out.append(.event(.pairingEnded(handle, .success(result))))
    }

    private mutating func pairingFailed(
        _ failure: PairingFailure, linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        let handle = links.all[index].handle
        links.all[index].security.expected = nil
        out.append(.event(.pairingEnded(handle, .failure(.pairing(failure)))))
        answerRaise(.pairing(failure), linkAt: index, into: &out)
        // What holds hasn't changed: what waited fails with the error that it had.
        if links.all[index].security.isWished { tellGATT(linkAt: index, at: now, into: &out) }
    }

    mutating func firePairingTimers(at now: Instant, into out: inout [HostOutput]) {
        for handle in security.pairings.keys {
            guard let index = links.index(of: handle) else { continue }
            advance(.timerFired, linkAt: index, at: now, into: &out)
        }
    }

    /// The link has gone: its pairing fails, and whoever waits for security is told.
    mutating func endSecurity(
        linkAt index: Int, reason: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        let handle = links.all[index].handle
        if links.all[index].security.isEncrypting, links.all[index].security.usesBond,
            links.all[index].security.endReason == nil
        {
            out.append(.event(.encryptionFailed(handle, reason)))
        }
        if let (bond, result) = security.pairings[handle]?.pending {
            // Nobody has let it take the other one's place.
            trace(.notice, "smp", "\(handle) ends before the bond with \(bond.peer) was accepted", into: &out)
            out.append(.event(.pairingEnded(handle, .success(result))))
        }
        if security.pairings[handle]?.unconfirmed != nil {
            pairingFailed(.disconnected(reason), linkAt: index, at: now, into: &out)
        }
        advance(.linkLost(reason), linkAt: index, at: now, into: &out)
        security.pairings[handle] = nil
        keepCounters(linkAt: index, into: &out)
        if links.all[index].security.isOwed { answerRaise(.disconnected(reason), linkAt: index, into: &out) }
    }
}

extension PairingFailure {
    /// Whether it may have been a guess. [Vol 3, Part H, 2.3.6]
    var counts: Bool {
        switch self {
        case .sent(let reason), .received(let reason):
            reason != .pairingNotSupported && reason != .repeatedAttempts
        case .encryption: true
        case .timeout, .disconnected: false
        }
    }
}
