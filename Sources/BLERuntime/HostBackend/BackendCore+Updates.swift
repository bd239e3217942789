import BLEBackend
import BLEHost
import BLEWire

/// Updates that are on their way to centrals: each takes a place in its session's queue until it has left for all.
struct OutgoingUpdates {
    private struct Update {
        let session: SessionID
        var remaining: Int
    }
    /// Looked up by token only, never walked.
    private var updates: [OperationToken: Update] = [:]
    private var sends: [OperationToken: OperationToken] = [:]

    /// Takes an update with a token for each central.
    mutating func insert(_ tokens: [OperationToken], of session: SessionID) {
        guard let first = tokens.first else { return }
        updates[first] = Update(session: session, remaining: tokens.count)
        for token in tokens { sends[token] = first }
    }

    /// One was sent; the session if that was the last one of its update.
    mutating func sent(_ token: OperationToken) -> SessionID? {
        guard let first = sends.removeValue(forKey: token), var update = updates[first] else { return nil }
        update.remaining -= 1
        updates[first] = update.remaining == 0 ? nil : update
        return update.remaining == 0 ? update.session : nil
    }
}

// Values that programs send to subscribed centrals. [contract 104-107]
extension BackendCore {
    /// An update for which a place was taken.
    mutating func sendUpdate(
        _ value: [UInt8], of id: LocalAttributeID, centrals: [PeerID]?, in session: SessionID
    ) {
        guard let attribute = published.handles[id] else { return change(.updateLeft(session)) }
        var tokens: [OperationToken] = []
        for index in links.entries.indices {
            let link = links.entries[index].value
            guard let configuration = link.subscribed[attribute], centrals?.contains(link.peer) ?? true else {
                continue
            }
            let token = token()
            tokens.append(token)
            // Both: notifications, which cost no confirmation. [contract 107]
            let indicate = !configuration.contains(.notifications)
            ask(.sendValue(link.handle, token, attribute, cut(value, for: link), indicate: indicate))
        }
        if tokens.isEmpty { change(.updateLeft(session)) }
        updates.insert(tokens, of: session)
    }

    /// [Vol 3, Part F, 3.4.7.1] [contract 106]
    private mutating func cut(_ value: [UInt8], for link: Link) -> [UInt8] {
        let room = ValueLength.maximum(attMTU: link.mtu)
        guard value.count > room else { return value }
        trace(
            .debug, "api",
            "an update of \(value.count) octets was cut to \(room) (maximumUpdateValueLength) for \(link.peer)")
        return Array(value.prefix(room))
    }

    mutating func updateSent(_ token: OperationToken, _ error: HostError?) {
        if let error { trace(.debug, "gatt", "an update wasn't sent: \(error.text)") }
        if let session = updates.sent(token) { change(.updateLeft(session)) }
    }
}
