/// Places in a queue, and whether somebody was told that it's full.
package struct QueueRoom {
    let depth: Int
    private(set) var taken = 0
    private var isAwaited = false
    /// Places that were taken for what hasn't come yet.
    private var reserved = 0

    package init(depth: Int) { self.depth = max(depth, 1) }

    package var hasPlace: Bool { taken < depth }

    /// Whether there's a place; if not, that is remembered.
    package mutating func ask() -> Bool {
        if !hasPlace { isAwaited = true }
        return hasPlace
    }

    /// Takes a place; false where there is none, which is remembered.
    package mutating func take() -> Bool {
        guard ask() else { return false }
        taken += 1
        return true
    }

    /// Takes a place for what comes later; false where there is none.
    package mutating func reserve() -> Bool {
        guard take() else { return false }
        reserved += 1
        return true
    }

    /// A place for what comes now: one that was reserved, else one that is free.
    package mutating func takeReserved() -> Bool {
        guard reserved > 0 else { return take() }
        reserved -= 1
        return true
    }

    package mutating func release() { taken = max(taken - 1, 0) }

    /// Whether those who were told that it's full are to be told that there's a place again: once.
    package mutating func announces() -> Bool {
        guard isAwaited, hasPlace else { return false }
        isAwaited = false
        return true
    }
}
