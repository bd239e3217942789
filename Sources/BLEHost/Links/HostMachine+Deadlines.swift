import BLEWire

// The timers of the links.
extension HostMachine {
    /// Enters a link whose deadline may have come forward.
    @inline(__always)
    mutating func noteDeadline(of index: Int) {
        links.all[index].refreshDeadline()
        let deadline = links.all[index].deadline
        if deadline == .never { return }
        let handle = links.all[index].handle
        deadlines.enter(handle, deadline, replacing: &links.all[index].enteredDeadline)
    }

    /// Moves entries on that are older than their link's true deadline, until the one at the top is true.
    mutating func settleLinkDeadlines() {
        if deadlines.isEmpty { return }
        while let (handle, entered) = deadlines.first {
            guard let index = links.index(of: handle) else {
                deadlines.removeFirst()
                continue
            }
            let deadline = links.all[index].deadline
            if deadline == entered { return }
            if deadline == .never {
                deadlines.removeFirst()
                links.all[index].enteredDeadline = nil
            } else {
                deadlines.postponeFirst(to: deadline)
                links.all[index].enteredDeadline = deadline
            }
        }
    }

    mutating func fireLinkTimers(at now: Instant, into out: inout [HostOutput]) {
        settleLinkDeadlines()
        while let (handle, deadline) = deadlines.first, deadline <= now, let index = links.index(of: handle) {
            if links.all[index].signalling.deadline <= now {
                signallingTimedOut(linkAt: index, at: now, into: &out)
            }
            if links.all[index].channels.deadline <= now {
                withChannels(linkAt: index, into: &out) { $0.timerFired(at: now, into: &$1) }
            }
            if let due = links.all[index].gatt.nextDeadline, due <= now {
                var list = lendOutputs()
                links.all[index].gatt.timerFired(server: &server, at: now, into: &list)
                route(&list, of: index, at: now, into: &out)
            }
            links.all[index].refreshDeadline()
            if links.all[index].deadline <= now {
                // A timer that has fired and is still due would be fired for ever.
                trace(.error, "gatt", "a timer of \(handle) doesn't stop", into: &out)
                endLink(at: index, reason: .remoteUserTerminated)
                deadlines.removeFirst()
                links.all[index].enteredDeadline = nil
                return
            }
            settleLinkDeadlines()
        }
    }
}
