import BLEBackend
import BLEHost
import BLEWire

// Writes without response, values that come by themselves, RSSI and MTU of a link.
extension BackendCore {
    /// Sends a write without response. What has no place is dropped, what doesn't fit is cut: both traced.
    /// [contract 76, 77]
    mutating func sendWriteCommand(
        _ attribute: AttributeHandle, _ value: [UInt8], hasPlace: Bool, on handle: ConnectionHandle
    ) {
        guard let link = links[handle] else { return }
        guard hasPlace else {
            return trace(
                .warning, "api",
                "a write without response to \(link.peer) was dropped: the queue is full (canSendWriteWithoutResponse)")
        }
        var value = value
        if value.count > link.mtu - 3 {
            trace(
                .warning, "api",
                "a write without response of \(value.count) octets was cut to \(link.mtu - 3) (maximumWriteValueLength)"
            )
            value.removeLast(value.count - (link.mtu - 3))
        }
        let token = token()
        procedures[token] = .writeCommand(link.peer)
        ask(.gatt(handle, token, .writeWithoutResponse(attribute, value)))
    }

    /// A notification or an indication: for those who are subscribed, and for ourselves. [contract 68]
    mutating func valueReceived(_ attribute: AttributeHandle, _ value: [UInt8], on handle: ConnectionHandle) {
        guard let link = links[handle], !link.isEnding else { return }
        if attribute == link.policy.serviceChanged { servicesChanged(value, on: handle) }
        if attribute == link.policy.deviceName { setDeviceName(value, of: handle) }
        guard let sessions = link.subscriptions[attribute]?.sessions else {
            if attribute != link.policy.serviceChanged && attribute != link.policy.deviceName {
                trace(.debug, "gatt", "a value of \(attribute) came that nobody is subscribed to")
            }
            return
        }
        emit(.valueNotified(link.peer, attribute, value), to: sessions)
    }

    mutating func readRSSI(of peer: PeerID, in session: SessionID) {
        guard let handle = link(to: peer, in: session) else {
            return emit(.rssi(peer, .failure(BackendError(.notConnected))), to: session)
        }
        links.update(handle) { $0.rssiReaders.append(session) }
        ask(.readRSSI(handle))
    }

    mutating func rssiRead(_ handle: ConnectionHandle, _ result: Result<Int8, HostError>) {
        guard let peer = links[handle]?.peer else { return }
        let reader = links.update(handle) { $0.rssiReaders.isEmpty ? nil : $0.rssiReaders.removeFirst() }
        guard let session = reader ?? nil else { return }
        emit(.rssi(peer, result.mapError { BackendError(operation: $0) }), to: session)
    }

    mutating func mtuChanged(_ handle: ConnectionHandle, _ mtu: Int) {
        guard let link = links[handle], link.mtu != mtu else { return }
        links.update(handle) { $0.mtu = mtu }
        if self.link(to: link.peer) == handle { change(.mtu(link.peer, mtu)) }
        emit(.attMTUChanged(link.peer, mtu), to: link.users)
        emit(.attMTUChanged(link.peer, mtu), to: sessions.filter { $0.value.role == .peripheral }.map(\.key))
    }

    /// A wish for the parameters of a link that we're the peripheral of. [contract 109]
    mutating func setLatency(_ latency: ConnectionLatency, of peer: PeerID) {
        let parameters =
            switch latency {
            case .low: profile.latencies.low
            case .medium: profile.latencies.medium
            case .high: profile.latencies.high
            }
        for link in links.values where link.peer == peer && !link.isCentral {
            ask(.updateConnection(link.handle, parameters))
        }
    }
}
