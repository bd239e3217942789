import BLEWire

// Encryption of links: begun as central, answered as peripheral, and what it comes to. [Vol 3, Part C, 10.3]
extension HostMachine {
    /// As central: a peer that we have a key of is met encrypted.
    mutating func encryptKnown(linkAt index: Int) {
        let link = links.all[index]
        guard link.info.isCentral, let key = bondKey(linkAt: index), let bond = link.security.bond,
            let strength = security.bonds[bond]?.strength
        else { return }
        encrypt(linkAt: index, with: key, strength: strength, usesBond: true)
    }

    private func bondKey(linkAt index: Int) -> EncryptionKey? {
        let link = links.all[index]
        return link.security.bond.flatMap { security.bonds[$0]?.key(isCentral: link.info.isCentral) }
    }

    /// As central. [Vol 4, Part E, 7.8.24]
    mutating func encrypt(linkAt index: Int, with key: EncryptionKey, strength: PairingStrength, usesBond: Bool) {
        links.all[index].security.expected = strength
        links.all[index].security.usesBond = usesBond
        links.all[index].security.isEncrypting = true
        let handle = links.all[index].handle
        send(
            LEEnableEncryption(
                handle: handle, random: key.random, encryptedDiversifier: key.diversifier,
                longTermKey: key.longTermKey.value), for: .encrypt(handle))
    }

    /// As peripheral: the key of the pairing under way, once both sides have shown to have it; else that of the bond, if
    /// it is the one that was asked for. [Vol 3, Part H, 2.4.4.2]
    mutating func answerKeyRequest(_ event: LELongTermKeyRequest, into out: inout [HostOutput]) {
        let handle = event.handle
        guard let index = links.index(of: handle), !links.all[index].info.isCentral else {
            return send(LELongTermKeyRequestNegativeReply(handle: handle), for: .reply)
        }
        let isFresh = event.encryptedDiversifier == 0 && event.random == 0
        if isFresh, let pairing = security.pairings[handle], let key = pairing.machine.currentKey {
            links.all[index].security.expected = pairing.machine.strength
            links.all[index].security.usesBond = false
            return send(LELongTermKeyRequestReply(handle: handle, longTermKey: key.value), for: .reply)
        }
        guard let key = bondKey(linkAt: index), key.diversifier == event.encryptedDiversifier,
            key.random == event.random, let bond = links.all[index].security.bond
        else {
            trace(.notice, "smp", "\(handle) asks for a key that isn't there", into: &out)
            return send(LELongTermKeyRequestNegativeReply(handle: handle), for: .reply)
        }
        links.all[index].security.expected = security.bonds[bond]?.strength
        links.all[index].security.usesBond = true
        send(LELongTermKeyRequestReply(handle: handle, longTermKey: key.longTermKey.value), for: .reply)
    }

    /// HCI_Encryption_Change, HCI_Encryption_Key_Refresh_Complete, or a command that was refused.
    /// [Vol 4, Part E, 7.7.8], [Vol 4, Part E, 7.7.39]
    mutating func encryptionEnded(
        _ handle: ConnectionHandle, status: HCIStatus, isOn: Bool, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else {
            return trace(.debug, "hci", "the encryption of \(handle), which is no link", into: &out)
        }
        links.all[index].security.isEncrypting = false
        let expected = links.all[index].security.expected.take()
        if status != .success {
            return encryptionFailed(status, wasExpected: expected != nil, linkAt: index, at: now, into: &out)
        }
        guard isOn else { return change(LinkSecurity(), linkAt: index, at: now, into: &out) }
        guard let strength = expected ?? links.all[index].security.strength else {
            // What nobody here has a key of protects nothing.
            return trace(.warning, "hci", "\(handle) is encrypted, which wasn't asked for", into: &out)
        }
        var current = LinkSecurity()
        current.isEncrypted = true
        current.isAuthenticated = strength.isAuthenticated
        current.isSecureConnections = strength.isSecureConnections
        current.keySize = strength.keySize
        change(current, linkAt: index, at: now, into: &out)
        restoreSubscriptions(linkAt: index, at: now, into: &out)
        answerRaise(nil, linkAt: index, into: &out)
        advance(.encryptionChanged(.success), linkAt: index, at: now, into: &out)
    }

    /// A new state of the link's security, for the server, the client and the user.
    private mutating func change(
        _ security: LinkSecurity, linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        var current = security
        current.hasKey = links.all[index].security.current.hasKey
        if current != links.all[index].security.current {
            links.all[index].security.current = current
            out.append(.event(.securityChanged(links.all[index].handle, current)))
        }
        tellGATT(linkAt: index, at: now, into: &out)
    }

    private mutating func encryptionFailed(
        _ status: HCIStatus, wasExpected: Bool, linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        let handle = links.all[index].handle
        trace(.notice, "smp", "\(handle) can't be encrypted: \(status)", into: &out)
        guard wasExpected, links.all[index].security.usesBond else {
            return advance(.encryptionChanged(status), linkAt: index, at: now, into: &out)
        }
        // The peer isn't who it was, or has forgotten us: nothing it says is to be believed, and pairing again is for a
        // person to begin. [Vol 3, Part C, 10.3.2]
        out.append(.event(.encryptionFailed(handle, status)))
        answerRaise(.hci(status), linkAt: index, into: &out)
        links.all[index].security.endReason = status
        endLink(at: index, reason: .authenticationFailure)
    }

    /// Tells the GATT connection what holds: what waits is repeated or fails.
    mutating func tellGATT(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        links.all[index].security.isWished = false
        var list = lendOutputs()
        let current = links.all[index].security.current
        links.all[index].gatt.securityChanged(current, at: now, into: &list)
        route(&list, of: index, at: now, into: &out)
    }

    /// Answers the user's `raiseSecurity`.
    mutating func answerRaise(_ error: HostError?, linkAt index: Int, into out: inout [HostOutput]) {
        guard links.all[index].security.isOwed else { return }
        links.all[index].security.isOwed = false
        out.append(.event(.securityRaised(links.all[index].handle, error)))
    }
}

extension LinkSecurityState {
    /// What the key is worth with which the link is encrypted; nil where it isn't.
    var strength: PairingStrength? {
        guard current.isEncrypted else { return nil }
        return PairingStrength(
            isAuthenticated: current.isAuthenticated, isSecureConnections: current.isSecureConnections,
            keySize: current.keySize)
    }
}

extension GATTDatabase {
    /// Whether the value is only for encrypted links: to be read, or to be subscribed to.
    func isProtected(_ handle: AttributeHandle) -> Bool {
        guard let index = index(of: handle) else { return false }
        let reading: AttributePermissions = [.readEncrypted, .readAuthenticated, .readSecure]
        if !attributes[index].permissions.isDisjoint(with: reading) { return true }
        guard let descriptor = configurationHandle(of: handle), let place = self.index(of: descriptor) else {
            return false
        }
        return !attributes[place].permissions.isDisjoint(with: [.writeEncrypted, .writeAuthenticated, .writeSecure])
    }
}
