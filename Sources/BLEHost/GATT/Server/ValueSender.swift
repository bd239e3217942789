import BLEWire

/// Notifications that are on their way to the controller, and indications that wait for their turn.
/// [Vol 3, Part F, 3.4.7]
struct ValueSender: Sendable {
    struct Indication: Sendable {
        var handle: AttributeHandle
        var value: [UInt8]
        /// nil: Service Changed, which is the server's own.
        var token: OperationToken?
    }

    /// A tagged PDU that hasn't left yet.
    private struct Departure: Sendable {
        let tag: UInt64
        let token: OperationToken
        let isCommand: Bool
    }

    /// The indication that waits for its confirmation.
    private(set) var current: Indication?
    private var waiting = Fifo<Indication>()
    private var departures = Fifo<Departure>()
    private var nextTag: UInt64 = 1

    /// A tag for a PDU whose departure ends an operation.
    mutating func tag(_ token: OperationToken, isCommand: Bool) -> UInt64 {
        let tag = nextTag
        nextTag += 1
        departures.append(Departure(tag: tag, token: token, isCommand: isCommand))
        return tag
    }

    /// The operation that ends with the departure of a PDU. They leave in order, unless the host says otherwise.
    mutating func left(_ tag: UInt64) -> (token: OperationToken, isCommand: Bool)? {
        departures.removeFirst { $0.tag == tag }.map { ($0.token, $0.isCommand) }
    }

    mutating func append(_ indication: Indication) { waiting.append(indication) }

    /// A change of services: joined with one that waits, so that a storm of changes stays one indication.
    mutating func appendServiceChanged(_ handle: AttributeHandle, _ range: ClosedRange<AttributeHandle>) {
        var joined = range
        if let last = waiting.removeFirst(where: { $0.token == nil }), last.value.count == 4 {
            let start = AttributeHandle(rawValue: UInt16(last.value[0]) | UInt16(last.value[1]) << 8)
            let end = AttributeHandle(rawValue: UInt16(last.value[2]) | UInt16(last.value[3]) << 8)
            joined = min(start, range.lowerBound)...max(end, range.upperBound)
        }
        let value = joined.lowerBound.octets + joined.upperBound.octets
        waiting.append(Indication(handle: handle, value: value, token: nil))
    }

    /// The next indication to send, if none is in flight.
    mutating func next() -> Indication? {
        guard current == nil, let indication = waiting.popFirst() else { return nil }
        current = indication
        return indication
    }

    /// The indication that was confirmed.
    mutating func confirmed() -> Indication? {
        defer { current = nil }
        return current
    }

    /// Whether a change is still to be told.
    var hasServiceChanged: Bool { waiting.elements.contains { $0.token == nil } }

    /// Drops everything and says which operations end by that, oldest first.
    mutating func drain() -> [(token: OperationToken, isCommand: Bool)] {
        var tokens = departures.elements.map { ($0.token, $0.isCommand) }
        tokens += ([current].compactMap { $0 } + waiting.elements).compactMap { indication in
            indication.token.map { ($0, false) }
        }
        current = nil
        waiting.removeAll()
        departures.removeAll()
        return tokens
    }
}
