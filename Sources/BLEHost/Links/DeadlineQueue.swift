import BLEWire

/// The deadlines of many owners, with the earliest at hand: a binary heap with at most one entry for each owner.
///
/// *Limits*: an owner's entry may be older than the owner's true deadline. Whoever asks brings the true ones with
/// `settle`, which moves such entries on as they come to the top; so setting a deadline costs nothing most of the time.
struct DeadlineQueue {
    private struct Entry {
        var deadline: Instant
        var owner: ConnectionHandle
        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? owner < other.owner : deadline < other.deadline
        }
    }
    private var heap: [Entry] = []

    /// The earliest deadline; exact after `settle`.
    var earliest: Instant { heap.isEmpty ? .never : heap[0].deadline }
    var isEmpty: Bool { heap.isEmpty }
    var first: (owner: ConnectionHandle, deadline: Instant)? {
        heap.first.map { ($0.owner, $0.deadline) }
    }

    /// Enters an owner that has no entry, or moves an entry of it forward. The entry that the owner has is told.
    mutating func enter(_ owner: ConnectionHandle, _ deadline: Instant, replacing entered: inout Instant?) {
        if let old = entered {
            if old <= deadline { return }
            if let index = heap.firstIndex(where: { $0.owner == owner }) {
                heap[index].deadline = deadline
                siftUp(index)
            }
        } else {
            heap.append(Entry(deadline: deadline, owner: owner))
            siftUp(heap.count - 1)
        }
        entered = deadline
    }

    /// Takes the entry at the top away.
    mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        siftDown(0)
    }

    /// Moves the entry at the top to a later deadline.
    mutating func postponeFirst(to deadline: Instant) {
        guard !heap.isEmpty else { return }
        heap[0].deadline = deadline
        siftDown(0)
    }

    mutating func remove(_ owner: ConnectionHandle) {
        guard let index = heap.firstIndex(where: { $0.owner == owner }), let last = heap.popLast() else { return }
        if index < heap.count {
            heap[index] = last
            siftDown(index)
            siftUp(index)
        }
    }

    mutating func removeAll() { heap.removeAll() }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

extension Instant {
    /// The earlier one. (`min` goes through the protocol, which costs several times as much after each packet.)
    @inline(__always)
    func earlier(_ other: Instant) -> Instant { other.nanoseconds < nanoseconds ? other : self }
}
