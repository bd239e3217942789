import BLEWire

// Bonds: what is recalled of a peer, kept of a pairing, and forgotten by wish.
extension HostMachine {
    /// The bonds that this host has, in the order in which they came.
    package var bonds: [Bond] { security.bonds.all }

    mutating func loadBonds(_ bonds: [Bond]) {
        for bond in bonds { security.bonds.set(bond) }
        for index in links.all.indices where links.all[index].security.bond == nil { recallLink(at: index) }
    }

    /// What is known of a link's peer.
    mutating func recall(_ link: inout Link) {
        let address = link.info.peer
        let identity = security.bonds[address]?.peer ?? privacy.identity(of: address, among: security.bonds)
        guard let identity, let bond = security.bonds[identity] else { return }
        link.security.bond = bond.peer
        link.security.current.hasKey = bond.key(isCentral: link.info.isCentral) != nil
        link.gatt.know(link.security.current)
        link.gatt.signingKey = bond.ownSigningKey.map { GATTSigningKey(csrk: $0.value, counter: bond.ownSignCounter) }
        link.gatt.peerSigningKey = bond.peerSigningKey.map {
            GATTSigningKey(csrk: $0.value, counter: bond.peerSignCounter)
        }
    }

    private mutating func recallLink(at index: Int) {
        var link = links.all[index]
        recall(&link)
        links.all[index] = link
    }

    /// Keeps what a pairing has brought, unless it would take the place of something better.
    mutating func keep(
        _ result: PairingResult, of handle: ConnectionHandle, isProven: Bool, into out: inout [HostOutput]
    ) -> PairingQuestion? {
        guard let index = links.index(of: handle), let bond = Bond(result, peerAddress: links.all[index].info.peer)
        else { return nil }
        if let other = security.bonds.other(than: bond) {
            trace(.warning, "smp", "\(handle) has the key of \(other.peer): not kept", into: &out)
            return nil
        }
        if let old = security.bonds[bond.peer] {
            if bond.strength.isWeaker(than: old.strength) {
                trace(.warning, "smp", "\(handle) says it is \(bond.peer), with a weaker key: not kept", into: &out)
                return nil
            }
            if !isProven { return .replaceBond }
        }
        keep(bond, linkAt: index, into: &out)
        return nil
    }

    mutating func keep(_ bond: Bond, linkAt index: Int, into out: inout [HostOutput]) {
        var bond = bond
        noteSubscriptions(of: index, in: &bond)
        security.bonds.set(bond)
        let before = links.all[index].info.peer
        if before.isResolvablePrivate, before != bond.peer {
            links.all[index].info.peerAddress = before
            links.all[index].info.peer = bond.peer
            out.append(.event(.peerIdentified(links.all[index].handle, bond.peer)))
        }
        recallLink(at: index)
        out.append(.event(.bondChanged(bond)))
    }

    mutating func removeBond(_ identity: DeviceAddress, into out: inout [HostOutput]) {
        guard let bond = security.bonds.remove(identity) else {
            return trace(.debug, "smp", "no bond with \(identity)", into: &out)
        }
        for index in links.all.indices where links.all[index].security.bond == bond.peer {
            links.all[index].security.bond = nil
            links.all[index].security.current.hasKey = false
            endLink(at: index, reason: .remoteUserTerminated)
        }
        out.append(.event(.bondRemoved(bond.peer)))
    }

    /// Counters of signatures that were used on a link: told with each, so that none counts again after a program has
    /// ended in the middle of a link. [Vol 3, Part H, 2.4.5]
    mutating func keepCounters(linkAt index: Int, into out: inout [HostOutput]) {
        let link = links.all[index]
        guard let identity = link.security.bond, var bond = security.bonds[identity] else { return }
        let before = bond
        if let key = link.gatt.signingKey { bond.ownSignCounter = max(bond.ownSignCounter, key.counter) }
        if let key = link.gatt.peerSigningKey { bond.peerSignCounter = max(bond.peerSignCounter, key.counter) }
        if bond == before { return }
        security.bonds.set(bond)
        out.append(.event(.bondChanged(bond)))
    }
}
