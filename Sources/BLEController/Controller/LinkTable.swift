/// The ends of a controller's links by their handles, in ascending order.
struct LinkTable: Sendable {
    private struct Entry: Sendable {
        var handle: UInt16
        var end: Int
    }
    private var entries: [Entry] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var handles: [UInt16] { entries.map(\.handle) }
    var ends: [Int] { entries.map(\.end) }

    /// The end at this place; for loops that must cost nothing.
    @inline(__always)
    func end(at place: Int) -> Int { entries[place].end }

    /// Setting nil removes the link.
    subscript(handle: UInt16) -> Int? {
        get {
            let place = position(of: handle)
            return place < entries.count && entries[place].handle == handle ? entries[place].end : nil
        }
        set {
            let place = position(of: handle)
            let isThere = place < entries.count && entries[place].handle == handle
            switch (newValue, isThere) {
            case (let end?, true): entries[place].end = end
            case (let end?, false): entries.insert(Entry(handle: handle, end: end), at: place)
            case (nil, true): entries.remove(at: place)
            case (nil, false): break
            }
        }
    }

    private func position(of handle: UInt16) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].handle < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
