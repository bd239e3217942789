/// A table with a limit that drops what wasn't used for longest, roughly: whoever sends under ever new addresses doesn't
/// make it grow without end.
///
/// *Limits*: holds the limit's number of entries, in the worst case half of it. It can't be walked, so the order of the
/// dictionaries beneath never shows.
package struct BoundedTable<Key: Hashable, Value> {
    /// Entries of one generation; when it is full the one before is dropped.
    private let generation: Int
    private var current: [Key: Value] = [:]
    private var previous: [Key: Value] = [:]

    package init(limit: Int) { generation = max(limit / 2, 1) }

    package var count: Int { current.count + previous.count }

    package subscript(key: Key) -> Value? {
        mutating get {
            if let value = current[key] { return value }
            guard let value = previous.removeValue(forKey: key) else { return nil }
            insert(value, for: key)
            return value
        }
        set {
            previous[key] = nil
            if let newValue { insert(newValue, for: key) } else { current[key] = nil }
        }
    }

    package mutating func removeAll() {
        current = [:]
        previous = [:]
    }

    private mutating func insert(_ value: Value, for key: Key) {
        if current.count >= generation, current[key] == nil {
            previous = current
            current = [:]
        }
        current[key] = value
    }
}
