import BLEWire

// What comes from the controller.
extension HostMachine {
    mutating func receive(_ packet: [UInt8], at now: Instant, into out: inout [HostOutput]) {
        switch power.phase {
        case .starting, .on, .stopping: break
        case .off, .failed: return trace(.debug, "hci", "a packet of \(packet.count) octets while off", into: &out)
        }
        if packet.first == H4Indicator.aclData.rawValue { return receiveData(packet, at: now, into: &out) }
        if packet.count >= 4, packet[0] == H4Indicator.event.rawValue,
            packet[1] == HCIEventCode.numberOfCompletedPackets.rawValue
        {
            return receiveCompleted(packet, into: &out)
        }
        do throws(WireError) {
            switch try HCIPacket(decoding: packet) {
            case .event(let event): receive(event, at: now, into: &out)
            default: trace(.warning, "hci", "a packet with the indicator \(Hex.octet(packet[0]))", into: &out)
            }
        } catch {
            trace(.warning, "hci", "a packet that can't be read: \(error)", into: &out)
            recover(packet, at: now, into: &out)
        }
    }

    /// Takes from an event that can't be read what the host can't do without.
    private mutating func recover(_ packet: [UInt8], at now: Instant, into out: inout [HostOutput]) {
        guard packet.count >= 5, packet[0] == H4Indicator.event.rawValue, isOn || power.phase == .stopping else {
            return
        }
        guard packet[1] == HCIEventCode.leMeta.rawValue else { return }
        if let events = wholeReports(of: packet) {
            for event in events { receive(event, at: now, into: &out) }
        }
        // A connection that failed tells nothing but why, and a search for a train the same; what stands in the other
        // fields isn't to be judged. [Vol 4, Part E, 7.7.65.1], [Vol 4, Part E, 7.7.65.14]
        let status = HCIStatus(rawValue: packet[4])
        guard status != .success else { return }
        switch LESubeventCode(rawValue: packet[3]) {
        case .connectionComplete, .enhancedConnectionComplete:
            connectionCompleted(LEConnectionComplete(status: status), at: now, into: &out)
        case .periodicAdvertisingSyncEstablished where isOn:
            syncEstablished(LEPeriodicAdvertisingSyncEstablished(status: status), at: now, into: &out)
        default: break
        }
    }

    /// HCI_Number_Of_Completed_Packets, entry by entry: one bad entry mustn't cost the other links their credits, and
    /// the most frequent event of all shouldn't cost a list. [Vol 4, Part E, 7.7.19]
    private mutating func receiveCompleted(_ packet: [UInt8], into out: inout [HostOutput]) {
        let count = Int(packet[3])
        if Int(packet[2]) != packet.count - 3 || packet.count != 4 + 4 * count {
            trace(.warning, "hci", "completed packets of \(count) links in \(packet.count) octets", into: &out)
        }
        var start = 4
        while start + 4 <= packet.count {
            let handle = UInt16(packet[start]) | UInt16(packet[start + 1]) << 8
            let packets = Int(packet[start + 2]) | Int(packet[start + 3]) << 8
            completed(packets, on: ConnectionHandle(rawValue: handle), into: &out)
            start += 4
        }
    }

    private mutating func receive(_ event: HCIEvent, at now: Instant, into out: inout [HostOutput]) {
        switch event {
        case .leAdvertisingReport(let event): receiveReports(event, at: now, into: &out)
        case .leExtendedAdvertisingReport(let event): receiveReports(event, at: now, into: &out)
        case .commandComplete(let event): commandCompleted(event, at: now, into: &out)
        case .commandStatus(let event): commandStatus(event, at: now, into: &out)
        case .hardwareError(let event):
            trace(.error, "hci", "hardware error \(Hex.prefixed(event.code))", into: &out)
            controllerFailed(.hci(.hardwareFailure), at: now, into: &out)
        default:
            // Before the controller was reset, what it tells of is none of ours.
            guard power.phase == .on || power.phase == .stopping else {
                return trace(.debug, "hci", "an event before power on: \(event)", into: &out)
            }
            receiveAboutLinks(event, at: now, into: &out)
        }
    }

    private mutating func receiveAboutLinks(_ event: HCIEvent, at now: Instant, into out: inout [HostOutput]) {
        switch event {
        case .leConnectionComplete(let event): connectionCompleted(event, at: now, into: &out)
        case .leEnhancedConnectionComplete(let event):
            let plain = LEConnectionComplete(
                status: event.status, handle: event.handle, role: event.role, peer: event.peer,
                interval: event.interval, latency: event.latency, supervisionTimeout: event.supervisionTimeout)
            connectionCompleted(
                plain, local: event.localResolvableAddress, remote: event.peerResolvableAddress, at: now, into: &out)
        case .disconnectionComplete(let event):
            guard event.status == .success else {
                return trace(.warning, "hci", "ending \(event.handle): \(event.status.text)", into: &out)
            }
            disconnected(event.handle, reason: event.reason, at: now, into: &out)
        case .leReadRemoteFeaturesComplete(let event):
            remoteFeaturesRead(event.handle, status: event.status, at: now, into: &out)
        case .leConnectionUpdateComplete(let event): connectionUpdateCompleted(event, at: now, into: &out)
        case .lePHYUpdateComplete(let event): phyUpdateCompleted(event, into: &out)
        case .leDataLengthChange(let event):
            guard links.index(of: event.handle) != nil else { break }
            out.append(.event(.dataLengthChanged(event.handle, maxTransmitOctets: event.maxTransmitOctets)))
        case .leRemoteConnectionParameterRequest(let event): answerParameterRequest(event, into: &out)
        case .leLongTermKeyRequest(let event): answerKeyRequest(event, into: &out)
        case .encryptionChange(let event):
            encryptionEnded(event.handle, status: event.status, isOn: event.isEnabled != 0, at: now, into: &out)
        case .encryptionKeyRefreshComplete(let event):
            encryptionEnded(event.handle, status: event.status, isOn: true, at: now, into: &out)
        case .leAdvertisingSetTerminated(let event):
            // A connection has told of itself; here it is time, which nobody has limited.
            if event.status != .success { advertisingStopped(byConnection: false, into: &out) }
        case .lePeriodicAdvertisingSyncEstablished(let event): syncEstablished(event, at: now, into: &out)
        case .lePeriodicAdvertisingReport(let event): receive(event, into: &out)
        case .lePeriodicAdvertisingSyncLost(let event): syncLost(event, into: &out)
        case .dataBufferOverflow: trace(.error, "hci", "the controller's data buffers overflowed", into: &out)
        case .unknown(let code, _): trace(.debug, "hci", "event \(Hex.prefixed(code.rawValue))", into: &out)
        default: trace(.debug, "hci", "an event that wasn't asked for: \(event)", into: &out)
        }
    }

    private mutating func connectionCompleted(
        _ event: LEConnectionComplete, local: DeviceAddress? = nil, remote: DeviceAddress? = nil, at now: Instant,
        into out: inout [HostOutput]
    ) {
        if event.status == .success, event.role != .central, event.role != .peripheral {
            // Whoever it thinks that we are, it isn't a link that we can keep the rules of. [Vol 4, Part E, 7.7.65.1]
            trace(.warning, "hci", "a link with the role \(event.role.rawValue), which LE doesn't have", into: &out)
            return send(
                HCIDisconnect(handle: event.handle, reason: .remoteUserTerminated), for: .disconnect(event.handle))
        }
        let isCentral = event.role == .central
        let identity = identity(of: event.peer) ?? event.peer
        var info = LinkInfo(
            handle: event.handle, peer: identity, isCentral: isCentral, interval: event.interval,
            latency: event.latency, supervisionTimeout: event.supervisionTimeout)
        info.ownAddress = local.flatMap { $0.bits == 0 ? nil : $0 } ?? privacy.address
        info.peerAddress = remote.flatMap { $0.bits == 0 ? nil : $0 } ?? (identity == event.peer ? nil : event.peer)
        if info.peerAddress?.isResolvablePrivate == false { info.peerAddress = nil }
        if event.status == .success, !isCentral {
            linkCreated(info, at: now, into: &out)
            advertisingStopped(byConnection: true, into: &out)
        } else if event.status == .advertisingTimeout {
            advertisingStopped(byConnection: false, into: &out)
        } else {
            attemptCompleted(status: event.status, info: info, at: now, into: &out)
        }
    }
}
