import BLEWire

/// Something that a radio does at an instant.
struct RadioTask: Sendable {
    enum Kind: UInt8, Sendable {
        /// The next step of a controller's advertising.
        case advertise
        /// A scanner's window opens or closes.
        case scanWindow
        /// The time of an extended scan is over, or begins anew.
        case scanPeriod
        /// A periodic advertising event begins, or its packet ends.
        case periodic
        /// A periodic advertiser wasn't heard.
        case syncTimeout
        /// An initiator's window opens or closes.
        case initiateWindow
        /// A link's next connection event, or the next packet of the one under way.
        case link
        /// A time-out of one end of a link.
        case linkTimer
        /// A controller makes its private addresses anew.
        case privateAddress
    }

    var kind: Kind
    /// Of the controller, the link or the end.
    var index: Int32
    /// The task is void where the entity counts another number by now: nothing is ever searched and taken out.
    var stamp: UInt32
}

/// Tasks in the order of their time, and of their arrival where times are equal.
///
/// *Role*: one heap for a whole radio. A node has four children: a task that plans its successor a hundred
/// milliseconds later sinks half as deep as in a binary heap.
/// *Limits*: void tasks stay until their time has come.
struct Schedule: Sendable {
    private struct Entry: Sendable {
        var time: Int64
        var sequence: UInt64
        var task: RadioTask

        @inline(__always)
        func precedes(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : sequence < other.sequence
        }
    }

    private var heap: [Entry] = []
    private var nextSequence: UInt64 = 0
    /// The root was taken and waits to be replaced: a task that plans its successor then costs one descent, not two.
    private var rootIsVacant = false

    /// The time of the earliest task. Only meaningful outside of a run of `take`.
    var nextTime: Instant? { heap.first.map { Instant(nanoseconds: $0.time) } }

    mutating func add(_ task: RadioTask, at time: Instant) {
        let entry = Entry(time: time.nanoseconds, sequence: nextSequence, task: task)
        nextSequence &+= 1
        if rootIsVacant {
            rootIsVacant = false
            sinkRoot(entry)
        } else {
            heap.append(entry)
            rise(entry, from: heap.count - 1)
        }
    }

    /// The earliest task, if it is due.
    mutating func take(due now: Instant) -> (time: Instant, task: RadioTask)? {
        if rootIsVacant {
            rootIsVacant = false
            let last = heap.removeLast()
            if !heap.isEmpty { sinkRoot(last) }
        }
        guard let first = heap.first, first.time <= now.nanoseconds else { return nil }
        rootIsVacant = true
        return (Instant(nanoseconds: first.time), first.task)
    }

    private mutating func rise(_ entry: Entry, from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 4
            guard entry.precedes(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = entry
    }

    private mutating func sinkRoot(_ entry: Entry) {
        let count = heap.count
        var index = 0
        while true {
            let first = 4 * index + 1
            guard first < count else { break }
            var least = first
            for child in first + 1..<max(first + 1, min(first + 4, count)) where heap[child].precedes(heap[least]) {
                least = child
            }
            guard heap[least].precedes(entry) else { break }
            heap[index] = heap[least]
            index = least
        }
        heap[index] = entry
    }
}
