import BLEWire

/// The PHY Update procedure. [Vol 6, Part B, 5.1.10]
extension LinkEnd {
    mutating func beginPHY() {
        queue(.phyReq(LLPHYReq(transmit: phys.preferredTransmit, receive: phys.preferredReceive)))
    }

    mutating func receive(_ pdu: LLPHYReq, into events: inout [LinkEvent]) {
        switch role {
        case .peripheral:
            guard procedures.remote == nil else { return reject(.phyReq, .differentTransactionCollision) }
            procedures.remote = .phy
            queue(.phyRsp(LLPHYRsp(transmit: phys.preferredTransmit, receive: phys.preferredReceive)))
        case .central:
            // The central's own procedure wins. [Vol 6, Part B, 5.3]
            if procedures.active == .phy { return reject(.phyReq, .llProcedureCollision) }
            if procedures.active?.usesInstant == true || procedures.remote != nil || !timing.pending.isEmpty {
                return reject(.phyReq, .differentTransactionCollision)
            }
            procedures.remote = .phy
            decide(peerTransmit: pdu.transmit, peerReceive: pdu.receive, into: &events)
        }
    }

    mutating func receive(_ pdu: LLPHYRsp, into events: inout [LinkEvent]) {
        guard role == .central, procedures.active == .phy, timing.pending.phy == nil else { return }
        decide(peerTransmit: pdu.transmit, peerReceive: pdu.receive, into: &events)
    }

    /// The central chooses for each direction, and tells when. No change has no instant.
    private mutating func decide(peerTransmit: PHYSet, peerReceive: PHYSet, into events: inout [LinkEvent]) {
        let transmit = Self.best(of: phys.preferredTransmit.intersection(peerReceive), now: phys.transmit)
        let receive = Self.best(of: phys.preferredReceive.intersection(peerTransmit), now: phys.receive)
        var update = LLPHYUpdateInd(centralToPeripheral: transmit, peripheralToCentral: receive, instant: 0)
        if transmit.isEmpty, receive.isEmpty {
            queue(.phyUpdateInd(update))
            return finishPHY(changed: false, into: &events)
        }
        update.instant = nextInstant
        timing.pending.phy = update
        procedures.deadline = .never
        queue(.phyUpdateInd(update))
    }

    /// The fastest of the possible PHYs; none where it is the one in use, or nothing is possible.
    private static func best(of possible: PHYSet, now: PhysicalLayer) -> PHYSet {
        for phy in [PHYSet.le2M, .le1M, .leCoded] where possible.contains(phy) {
            return phy == now.mask ? [] : phy
        }
        return []
    }

    mutating func receive(_ pdu: LLPHYUpdateInd, into events: inout [LinkEvent]) {
        let parts = [pdu.centralToPeripheral, pdu.peripheralToCentral]
        // Several PHYs at once, or one that this end doesn't have, is no change that could be made.
        guard parts.allSatisfy({ $0.isEmpty || $0.isSingle && local.phys.contains($0) }) else { return }
        if parts.allSatisfy(\.isEmpty) { return finishPHY(changed: false, into: &events) }
        guard isAhead(pdu.instant) else { return events.append(.closed(.instantPassed)) }
        timing.pending.phy = pdu
        procedures.deadline = .never
    }

    /// The instant has come.
    mutating func apply(_ update: LLPHYUpdateInd, into events: inout [LinkEvent]) {
        let before = phys
        let lengthsBefore = lengths.effective(phys)
        let transmit = role == .central ? update.centralToPeripheral : update.peripheralToCentral
        let receive = role == .central ? update.peripheralToCentral : update.centralToPeripheral
        if let phy = layer(of: transmit) { phys.transmit = phy }
        if let phy = layer(of: receive) { phys.receive = phy }
        finishPHY(changed: phys != before, into: &events)
        if lengths.effective(phys) != lengthsBefore { events.append(.lengthChanged) }
    }

    private func layer(of phy: PHYSet) -> PhysicalLayer? {
        switch phy {
        case .le1M: .le1M
        case .le2M: .le2M
        case .leCoded: phys.coding
        default: nil
        }
    }

    /// The host hears of a change, and of the end of what it asked for. [Vol 4, Part E, 7.7.65.12]
    private mutating func finishPHY(changed: Bool, into events: inout [LinkEvent]) {
        procedures.remote = procedures.remote == .phy ? nil : procedures.remote
        let wasAsked = procedures.active == .phy
        if wasAsked { endProcedure(into: &events) } else { events.append(.proceduresChanged) }
        if changed || wasAsked { events.append(.phyUpdated(.success)) }
    }
}
