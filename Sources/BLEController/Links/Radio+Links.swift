import BLEWire

/// Links come and go.
extension Radio {
    /// A link for the values of a CONNECT_IND, with both ends closed yet.
    mutating func makeLink(_ connect: LLConnectInd, usesSelection2: Bool) -> Int {
        let link: Int
        if let free = freeLinks.popLast() {
            link = free
        } else {
            link = links.count
            links.append(Link())
            packets.append([])
            ends.append(LinkEnd(role: .central))
            ends.append(LinkEnd(role: .peripheral))
        }
        let stamp = links[link].stamp &+ 1
        var fresh = Link()
        fresh.isUsed = true
        fresh.stamp = stamp
        fresh.accessAddress = connect.accessAddress
        fresh.crcInit = connect.crcInit
        links[link] = fresh
        for role in [LinkEnd.Role.central, .peripheral] {
            let place = 2 * link + Int(role.rawValue)
            let stamp = ends[place].stamp &+ 1
            ends[place] = LinkEnd(role: role)
            ends[place].stamp = stamp
            ends[place].timing.selection =
                usesSelection2
                ? .second(accessAddress: connect.accessAddress) : .first(hopIncrement: connect.hopIncrement)
        }
        return link
    }

    /// A controller enters the Connection state; the transmit window is counted from `window` on. `peer` is who the other
    /// one is, `onAir` has the addresses of the CONNECT_IND. [Vol 6, Part B, 4.5]
    mutating func openEnd(
        _ end: Int, of controller: Int, peer: DeviceAddress, onAir: (local: DeviceAddress, peer: DeviceAddress),
        _ connect: LLConnectInd, window: Instant, at now: Instant, into out: inout [RadioOutput]
    ) {
        let handle = controllers[controller].takeHandle()
        controllers[controller].links[handle] = end
        let isCentral = ends[end].role == .central
        if isCentral {
            controllers[controller].linksAsCentral += 1
        } else {
            controllers[controller].linksAsPeripheral += 1
        }
        ends[end].open(
            handle: ConnectionHandle(rawValue: handle), owner: controller, peer: peer.unresolved,
            profile: controllers[controller].profile, defaults: controllers[controller].defaults)
        ends[end].begin(connect, window: window, at: now)
        ends[end].hostHasRoom = controllers[controller].hostHasRoom
        armTimer(end)

        var event = LEConnectionComplete()
        event.handle = ends[end].handle
        event.role = isCentral ? .central : .peripheral
        event.peer = peer
        event.interval = connect.interval
        event.latency = connect.latency
        event.supervisionTimeout = connect.timeout
        event.centralClockAccuracy = isCentral ? 0 : connect.hopAndSleepClockAccuracy >> 5
        tellConnection(event, local: onAir.local, peer: onAir.peer, to: controller, into: &out)
        var algorithm = LEChannelSelectionAlgorithm()
        algorithm.handle = ends[end].handle
        if case .second = ends[end].timing.selection { algorithm.algorithm = 1 }
        send(.leChannelSelectionAlgorithm(algorithm), .channelSelectionAlgorithm, to: controller, into: &out)
    }

    /// An end leaves the Connection state, and its host is told why.
    mutating func close(_ end: Int, _ reason: HCIStatus, into out: inout [RadioOutput]) {
        guard ends[end].isOpen else { return }
        let controller = ends[end].owner
        let event = HCIDisconnectionComplete(status: .success, handle: ends[end].handle, reason: reason)
        release(end)
        send(.disconnectionComplete(event), .disconnectionComplete, to: controller, into: &out)
        tellState(of: controller, into: &out)
    }

    /// An end leaves the Connection state without a word.
    mutating func release(_ end: Int) {
        guard ends[end].isOpen else { return }
        let controller = ends[end].owner
        controllers[controller].links[ends[end].handle.rawValue] = nil
        if ends[end].role == .central {
            controllers[controller].linksAsCentral -= 1
        } else {
            controllers[controller].linksAsPeripheral -= 1
        }
        if ends[end].skipped > 0 { controllers[controller].radioTime.waitingLinks -= 1 }
        // The host counts what it had sent on this link as gone. [Vol 4, Part E, 4.3]
        controllers[controller].heldPackets -= ends[end].data.count
        controllers[controller].host.credits += ends[end].packetsAtHost
        ends[end].isOpen = false
        ends[end].stamp &+= 1
        ends[end].data.removeAll()
        ends[end].controls.removeAll()
        ends[end].raw.removeAll()
        ends[end].encryption = LinkEncryption()
        let link = end / 2
        // Without a central there are no events any more.
        if ends[end].role == .central { links[link].stamp &+= 1 }
        if !ends[2 * link].isOpen, !ends[2 * link + 1].isOpen, links[link].isUsed {
            links[link].isUsed = false
            links[link].stamp &+= 1
            freeLinks.append(link)
        }
    }

    // MARK: Time-outs

    /// Plans the earliest time-out of an end, where it isn't planned already. A planned time-out that has moved
    /// farther away is found out when it comes: a link that is heard in each event costs nothing here.
    mutating func armTimer(_ end: Int) {
        let next = ends[end].nextTimeout
        guard next < ends[end].timer else { return }
        ends[end].stamp &+= 1
        ends[end].timer = next
        plan(.linkTimer, end, ends[end].stamp, at: next)
    }

    mutating func stepLinkTimer(_ end: Int, at now: Instant, into out: inout [RadioOutput]) {
        ends[end].timer = .never
        // An instant may have passed unheard.
        if ends[end].role == .peripheral {
            ends[end].catchUp(to: now, into: &linkEvents)
            handleEvents(of: end, at: now, into: &out)
            guard ends[end].isOpen else { return }
        }
        if let reason = ends[end].expired(at: now) { return close(end, reason, into: &out) }
        ends[end].checkPayload(at: now, into: &linkEvents)
        handleEvents(of: end, at: now, into: &out)
        armTimer(end)
    }
}

extension LinkEnd {
    mutating func open(
        handle: ConnectionHandle, owner: Int, peer: DeviceAddress, profile: ControllerProfile, defaults: LinkDefaults
    ) {
        isOpen = true
        self.handle = handle
        self.owner = owner
        self.peer = peer
        local = LinkAbilities(profile: profile)
        lengths.transmitOctets = min(defaults.transmitOctets, local.receiveOctets)
        lengths.transmitTime = defaults.transmitTime
        lengths.receiveOctets = local.receiveOctets
        lengths.receiveTime = local.receiveTime
        phys.preferredTransmit = defaults.transmitPHYs
        phys.preferredReceive = defaults.receivePHYs
        timer = .never
    }

    /// Takes the timing of a CONNECT_IND: the first event begins in the transmit window. [Vol 6, Part B, 4.5.3]
    mutating func begin(_ connect: LLConnectInd, window: Instant, at now: Instant) {
        timing.intervalUnits = connect.interval
        timing.latency = connect.latency
        timing.timeoutUnits = connect.timeout
        timing.map = ChannelMap(bits: connect.channelMap)
        let first = window + .microseconds(Int64(connect.windowOffset) * 1250)
        timing.anchor = first - timing.interval
        timing.window = role == .central ? .zero : .microseconds(Int64(connect.windowSize) * 1250)
        lastHeard = now
    }
}
