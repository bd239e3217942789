import BLELocking

/// The octets of one L2CAP channel on their way between a program and its backend.
///
/// *Role*: back-pressure both ways: a program finds room for what it writes, or none; what it hasn't read holds the
/// peer up.
///
/// *Inputs and outputs*: the program reads, writes and closes; the backend receives, takes and finishes. Whenever the
/// program has done something, the backend is told once (`onDemand`) until it has looked (`look`); whenever the backend
/// has, the observers are.
///
/// *Threading*: everything may be called from any thread. Neither is called under the lock, and both must only hand
/// over: no program code runs in them.
///
/// *Limits*: what was written and not taken is `capacity` octets at most; what was received and not read is as much as
/// the backend lets the peer send.
package final class ChannelPipe: Sendable {
    /// How a channel ended, for the program.
    package enum End: Equatable, Sendable {
        /// In order: by either side's wish.
        case closed
        case failed(BackendError)
    }

    /// What the backend finds when it looks.
    package struct Demand: Equatable, Sendable {
        /// Octets that were read since the last look.
        package var read: Int
        package var isClosed: Bool
        package init(read: Int, isClosed: Bool) {
            self.read = read
            self.isClosed = isClosed
        }
    }

    private struct Observer: Sendable { weak var object: (any ChannelObserver)? }

    private struct State {
        var incoming = OctetQueue()
        var outgoing = OctetQueue()
        /// Octets that were read and not looked at.
        var read = 0
        var end: End?
        var isClosed = false
        /// The backend was told and hasn't looked.
        var isDemanded = false
        var observers: [Observer] = []

        /// Whether the backend is to be told: not if it was already.
        mutating func demand() -> Bool {
            defer { isDemanded = true }
            return !isDemanded
        }
    }

    package let capacity: Int
    private let state = Locked(State())
    private let onDemand: @Sendable () -> Void

    /// - Parameter capacity: octets that may be written before the backend has taken some.
    package init(capacity: Int, onDemand: @escaping @Sendable () -> Void) {
        self.capacity = max(capacity, 1)
        self.onDemand = onDemand
    }

    // MARK: The program's side

    /// Octets that can be read.
    package var available: Int { state.withLock { $0.incoming.count } }
    /// Octets that can be written; 0 once it has ended.
    package var room: Int { state.withLock { $0.end == nil ? capacity - $0.outgoing.count : 0 } }
    /// nil while it is open. Octets may be left to read all the same.
    package var end: End? { state.withLock { $0.end } }

    /// Takes up to `count` octets from what was received; none where there are none.
    package func read(_ count: Int) -> [UInt8] {
        let (octets, isNew) = state.withLock { state -> ([UInt8], Bool) in
            let octets = state.incoming.take(count)
            state.read += octets.count
            return (octets, !octets.isEmpty && state.demand())
        }
        if isNew { onDemand() }
        return octets
    }

    /// Takes as many of the octets as there is room for, and says how many.
    package func write(_ octets: [UInt8]) -> Int {
        let (count, isNew) = state.withLock { state -> (Int, Bool) in
            guard state.end == nil else { return (0, false) }
            let count = min(octets.count, capacity - state.outgoing.count)
            state.outgoing.append(octets[..<count])
            return (count, count > 0 && state.demand())
        }
        if isNew { onDemand() }
        return count
    }

    /// The program wants no more of it: what was received is dropped, what was written still goes out if the peer takes
    /// it soon.
    package func close() {
        let isNew = state.withLock { state in
            guard !state.isClosed else { return false }
            state.isClosed = true
            state.incoming = OctetQueue()
            if state.end != nil { return false }
            state.end = .closed
            return state.demand()
        }
        if isNew { onDemand() }
        tellObservers()
    }

    /// Tells the object, as long as it lives, that there is more to read, room to write, or an end.
    package func add(_ observer: any ChannelObserver) {
        state.withLock { state in
            state.observers.removeAll { $0.object == nil }
            state.observers.append(Observer(object: observer))
        }
    }

    // MARK: The backend's side

    /// What the program has done since the last time.
    package func look() -> Demand {
        state.withLock { state in
            defer {
                state.read = 0
                state.isDemanded = false
            }
            return Demand(read: state.read, isClosed: state.isClosed)
        }
    }

    /// Whether the program has closed it.
    package var isClosedByProgram: Bool { state.withLock { $0.isClosed } }

    /// Takes up to `count` octets from what was written.
    package func take(_ count: Int) -> [UInt8] {
        let octets = state.withLock { $0.outgoing.take(count) }
        if !octets.isEmpty { tellObservers() }
        return octets
    }

    /// The peer has sent octets.
    package func receive(_ octets: [UInt8]) {
        state.withLock { state in
            if !state.isClosed { state.incoming.append(octets[...]) }
        }
        tellObservers()
    }

    /// The channel has ended; what was received before can still be read.
    package func finish(_ end: End) {
        state.withLock { state in
            if state.end == nil { state.end = end }
            state.outgoing = OctetQueue()
        }
        tellObservers()
    }

    private func tellObservers() {
        let observers = state.withLock { $0.observers }
        for observer in observers { observer.object?.channelChanged() }
    }
}

extension ChannelPipe: Equatable {
    package static func == (left: ChannelPipe, right: ChannelPipe) -> Bool { left === right }
}

/// Is told when a channel has more to read, room to write, or has ended. Called on any thread: look later.
package protocol ChannelObserver: AnyObject, Sendable {
    func channelChanged()
}

/// Octets in order: appended behind, taken in front.
private struct OctetQueue: Sendable {
    private var storage: [UInt8] = []
    private var head = 0

    var count: Int { storage.count - head }

    mutating func append(_ octets: ArraySlice<UInt8>) {
        // What was taken in front is moved away when it is more than what is left: each octet moves once on average.
        if head > 0, head >= storage.count - head {
            storage.removeFirst(head)
            head = 0
        }
        storage.append(contentsOf: octets)
    }

    mutating func take(_ limit: Int) -> [UInt8] {
        let end = head + min(max(limit, 0), count)
        defer {
            head = end
            if head == storage.count {
                storage.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return Array(storage[head..<end])
    }
}
