import BLEWire

/// The signalling channel of one link: what was asked and isn't answered.
///
/// *Limits*: one request at a time is without an answer; further ones wait. [Vol 3, Part A, 4]
struct SignallingState {
    /// The identifier of the request without an answer.
    private(set) var outstanding: UInt8?
    /// When the peer has taken too long. [Vol 3, Part A, 6.2.1]
    private(set) var deadline = Instant.never
    private var lastIdentifier: UInt8 = 0
    /// Wishes for connection parameters behind the one that was sent.
    private var waiting: [ConnectionParameters] = []

    init() {}

    mutating func append(_ parameters: ConnectionParameters) { waiting.append(parameters) }

    /// The next request to be sent, with its identifier. Identifiers go from 1 to 255 and around. [Vol 3, Part A, 4]
    mutating func next(at now: Instant, timeout: Delay) -> (identifier: UInt8, parameters: ConnectionParameters)? {
        guard outstanding == nil, !waiting.isEmpty else { return nil }
        lastIdentifier = lastIdentifier == .max ? 1 : lastIdentifier + 1
        outstanding = lastIdentifier
        deadline = now + timeout
        return (lastIdentifier, waiting.removeFirst())
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
