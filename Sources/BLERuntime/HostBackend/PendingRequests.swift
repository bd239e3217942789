import BLEBackend
import BLEHost
import BLEWire

/// Requests of centrals that programs haven't answered.
///
/// A write of several attributes may concern several sessions: each gets its part, and the central gets one answer: the
/// first error, or success when all have agreed. [Vol 3, Part F, 3.4.6.3]
struct PendingRequests {
    /// One request as the host knows it.
    struct Request {
        let link: ConnectionHandle
        let id: GATTRequestID
        /// Parts that aren't answered.
        var parts: [RequestID]
        var error = ATTErrorCode.success
    }
    private var requests: SortedTable<UInt64, Request> = .init()
    private var parts: SortedTable<RequestID, (request: UInt64, session: SessionID)> = .init()
    private var nextID: UInt64 = 1

    /// An identifier for a request that nobody waits for.
    mutating func unanswered() -> RequestID {
        defer { nextID += 1 }
        return RequestID(rawValue: nextID)
    }

    /// Takes a request; an identifier for each of the sessions.
    mutating func insert(link: ConnectionHandle, id: GATTRequestID, sessions: [SessionID]) -> [RequestID] {
        let key = nextID
        let ids = sessions.map { session in
            let part = unanswered()
            parts[part] = (key, session)
            return part
        }
        requests[key] = Request(link: link, id: id, parts: ids)
        return ids
    }

    /// A program answered; the request if the host can be answered now.
    mutating func answer(_ part: RequestID, _ code: ATTErrorCode) -> Request? {
        guard let key = parts.removeValue(forKey: part)?.request else { return nil }
        let isComplete = requests.update(key) { request in
            request.parts.removeAll { $0 == part }
            if request.error == .success { request.error = code }
            return request.parts.isEmpty
        }
        return isComplete == true ? requests.removeValue(forKey: key) : nil
    }

    /// Parts that a session leaves unanswered.
    func unanswered(by session: SessionID) -> [RequestID] {
        parts.filter { $0.value.session == session }.map(\.key)
    }

    /// The link is gone: nobody waits for the answers.
    mutating func drop(link: ConnectionHandle) {
        for entry in requests.filter({ $0.value.link == link }) {
            for part in entry.value.parts { parts[part] = nil }
            requests[entry.key] = nil
        }
    }
}
