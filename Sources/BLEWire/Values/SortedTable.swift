/// A small table ordered by key: walking it gives the same order in every process, which a `Dictionary` doesn't.
///
/// *Limits*: insertion and removal move what lies behind; meant for tens or hundreds of entries.
@frozen
package struct SortedTable<Key: Comparable, Value> {
    @usableFromInline package var entries: [Entry] = []

    @frozen
    package struct Entry {
        package let key: Key
        package var value: Value
        @inlinable package init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    @inlinable package init() {}

    @inlinable package var count: Int { entries.count }
    @inlinable package var isEmpty: Bool { entries.isEmpty }
    /// Keys in ascending order.
    @inlinable package var keys: [Key] { entries.map(\.key) }
    /// Values in the order of their keys.
    @inlinable package var values: [Value] { entries.map(\.value) }

    /// Where the key is, or would be.
    @inlinable
    package func position(of key: Key) -> (index: Int, found: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return (low, low < entries.count && entries[low].key == key)
    }

    /// The value of a key; setting nil removes it.
    @inlinable
    package subscript(key: Key) -> Value? {
        get {
            let (index, found) = position(of: key)
            return found ? entries[index].value : nil
        }
        set {
            let (index, found) = position(of: key)
            switch (newValue, found) {
            case (let value?, true): entries[index].value = value
            case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
            case (nil, true): entries.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// Changes the value of a key in its place; nil where there is none.
    @inlinable
    @discardableResult
    package mutating func update<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
        let (index, found) = position(of: key)
        return found ? change(&entries[index].value) : nil
    }

    @inlinable
    @discardableResult
    package mutating func removeValue(forKey key: Key) -> Value? {
        let (index, found) = position(of: key)
        return found ? entries.remove(at: index).value : nil
    }

    @inlinable
    package mutating func removeAll() { entries.removeAll() }
}

extension SortedTable: Sequence {
    @inlinable
    package func makeIterator() -> IndexingIterator<[Entry]> { entries.makeIterator() }
}

extension SortedTable: Sendable where Key: Sendable, Value: Sendable {}
extension SortedTable.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension SortedTable: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.entries == right.entries }
}
extension SortedTable.Entry: Equatable where Value: Equatable {}
