import BLEWire

/// The signalling channel of one link: what was asked and isn't answered.
///
/// *Limits*: one request at a time is without an answer; further ones wait. [Vol 3, Part A, 4]
struct SignallingState {
    /// The identifier of the request without an answer.
    private(set) var outstanding: UInt8?
    /// When the peer has taken too long. [Vol 3, Part A, 6.2.1]
    private(set) var deadline = Instant.never
    /// Wishes for connection parameters behind the one that was sent.
    private var waiting: [ConnectionParameters] = []

    init() {}

    mutating func append(_ parameters: ConnectionParameters) { waiting.append(parameters) }

    /// Whether a request is to be sent now.
    var isReady: Bool { outstanding == nil && !waiting.isEmpty }

    /// The next request to be sent, under an identifier that no other request of the link has.
    mutating func next(_ identifier: UInt8, at now: Instant, timeout: Delay) -> ConnectionParameters? {
        guard isReady else { return nil }
        outstanding = identifier
        deadline = now + timeout
        return waiting.removeFirst()
    }

    /// Whether an answer with this identifier was waited for; then it isn't any more.
    mutating func answered(_ identifier: UInt8) -> Bool {
        guard outstanding == identifier else { return false }
        expired()
        return true
    }

    mutating func expired() {
        outstanding = nil
        deadline = .never
    }
}
