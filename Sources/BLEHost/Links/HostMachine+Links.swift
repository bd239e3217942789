import BLEWire

// How links come and go.
extension HostMachine {
    /// A link came to be. [Vol 4, Part E, 7.7.65.1]
    mutating func linkCreated(_ info: LinkInfo, at now: Instant, into out: inout [HostOutput]) {
        if let old = links.index(of: info.handle) {
            trace(.error, "hci", "\(info.handle) comes a second time; the first is taken as lost", into: &out)
            removeLink(at: old, reason: .unspecifiedError, at: now, into: &out)
        }
        var link = Link(
            info: info, gatt: GATTConnection(link: info.handle, configuration: gattConfiguration),
            channels: CreditChannels(
                configuration: configuration.channels, timeout: configuration.controller.signallingTimeout),
            isEstablished: false)
        link.receiving.limits.att = gattConfiguration.receiveMTU
        recall(&link)
        if info.isCentral {
            guard let pending = connecting.index(of: info.peer) else {
                // Called off while it came to be.
                let index = links.insert(link)
                trace(.debug, "gap", "\(info.peer) isn't wanted any more", into: &out)
                return endLink(at: index, reason: .remoteUserTerminated)
            }
            link.origin = connecting.pending.remove(at: pending)
        }
        let index = links.insert(link)
        if info.isCentral, controller.supports(LEReadRemoteFeatures.self) {
            // The first sign of the peer makes the link one: until then it may fail to be established.
            // [Vol 6, Part B, 4.5]
            send(LEReadRemoteFeatures(handle: info.handle), for: .readRemoteFeatures(info.handle))
        } else {
            linkEstablished(at: index, at: now, into: &out)
        }
    }

    /// The peer has given a sign, or can't be asked for one: the link is told to the user.
    mutating func linkEstablished(at index: Int, at now: Instant, into out: inout [HostOutput]) {
        if links.all[index].isEstablished || links.all[index].isEnding { return }
        links.all[index].isEstablished = true
        links.all[index].origin = nil
        let info = links.all[index].info
        out.append(.event(.connected(info)))
        let policy = info.isCentral ? configuration.asCentral : configuration.asPeripheral
        if policy.requestsDataLength { requestDataLength(info.handle) }
        if let phys = policy.preferredPHYs { requestPHYs(phys, on: info.handle) }
        // Before anything else is asked of a peer that we know. [Vol 3, Part C, 10.3.2]
        encryptKnown(linkAt: index)
        if policy.exchangesMTU { exchangeMTU(linkAt: index, at: now, into: &out) }
    }

    /// Asks the controller to end a link.
    mutating func endLink(at index: Int, reason: HCIStatus) {
        if links.all[index].isEnding { return }
        links.all[index].isEnding = true
        let handle = links.all[index].handle
        // What waits would only hold up the end.
        flow.remove(handle)
        links.all[index].sending.discard()
        send(HCIDisconnect(handle: handle, reason: reason.asDisconnectReason), for: .disconnect(handle))
    }

    /// HCI_Disconnection_Complete. [Vol 4, Part E, 7.7.5]
    mutating func disconnected(
        _ handle: ConnectionHandle, reason: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else {
            return trace(.debug, "hci", "\(handle) ends, which is no link", into: &out)
        }
        // The host has ended it for a reason that the controller doesn't know.
        let ownReason = reason == .localHostTerminated ? links.all[index].security.endReason : nil
        removeLink(at: index, reason: ownReason ?? reason, at: now, into: &out)
        if advertising.waitsForLinkEnd {
            advertising.waitsForLinkEnd = false
            stepAdvertising(into: &out)
        }
        stepConnecting(at: now, into: &out)
        if power.phase == .stopping, links.isEmpty { resetToStop(into: &out) }
    }

    /// Forgets a link: everything that waits on it ends first.
    mutating func removeLink(at index: Int, reason: HCIStatus, at now: Instant, into out: inout [HostOutput]) {
        let handle = links.all[index].handle
        // What the controller still had of it is flushed. [Vol 4, Part E, 4.3]
        flow.free(links.all[index].sending.unacknowledged)
        flow.remove(handle)
        links.all[index].isEnding = true
        endSecurity(linkAt: index, reason: reason, at: now, into: &out)
        var list = lendOutputs()
        links.all[index].gatt.closed(reason: reason, into: &list)
        route(&list, of: index, at: now, into: &out)
        withChannels(linkAt: index, into: &out) { $0.linkEnded(reason, into: &$1) }
        deadlines.remove(handle)
        let link = links.remove(at: index)
        for _ in 0..<link.owedRSSI { out.append(.event(.rssi(handle, .failure(.disconnected(reason))))) }
        for _ in 0..<link.owedUpdates { out.append(.event(.connectionUpdated(handle, .disconnected(reason)))) }
        if link.isEstablished {
            out.append(.event(.disconnected(handle, link.info.peer, reason: reason)))
        } else if let origin = link.origin {
            attemptFailed(origin, status: reason, at: now, into: &out)
        }
    }
}

extension HCIStatus {
    /// The reason itself where HCI_Disconnect takes it, else Remote User Terminated Connection.
    /// [Vol 4, Part E, 7.1.6]
    var asDisconnectReason: HCIStatus {
        switch self {
        case .authenticationFailure, .remoteUserTerminated, .remoteLowResources, .remotePowerOff,
            .unsupportedRemoteFeature, .unacceptableParameters, HCIStatus(rawValue: 0x29):
            self
        default: .remoteUserTerminated
        }
    }
}
