package import BLEWire

/// What is to happen at which instant: a binary heap ordered by (time, sequence number).
///
/// Ties in time break by the order in which entries were put in, so a run never depends on how the heap lies.
package struct EventQueue<Payload: Sendable>: Sendable {
    private struct Entry: Sendable {
        var time: Instant
        var sequence: UInt64
        var payload: Payload

        func isBefore(_ other: Entry) -> Bool {
            time == other.time ? sequence < other.sequence : time < other.time
        }
    }

    private var heap: [Entry] = []
    private var nextSequence: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { heap.isEmpty }
    package var count: Int { heap.count }
    /// When the first entry is due.
    package var nextTime: Instant? { heap.first?.time }
    /// The first entry, without taking it.
    package var first: Payload? { heap.first?.payload }

    package mutating func push(_ payload: Payload, at time: Instant) {
        heap.append(Entry(time: time, sequence: nextSequence, payload: payload))
        nextSequence += 1
        siftUp(from: heap.count - 1)
    }

    /// Takes the first entry if it is due at the instant or earlier.
    package mutating func pop(dueAt limit: Instant) -> (time: Instant, payload: Payload)? {
        guard let first = heap.first, first.time <= limit else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(from: 0)
        }
        return (first.time, first.payload)
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        let entry = heap[child]
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        let entry = heap[parent]
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(entry) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = entry
    }
}
