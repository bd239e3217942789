package import BLEWire

/// The attributes of a server, in the order of their handles. [Vol 3, Part G, 2.5]
///
/// *Role*: knows where each attribute is; knows nothing of links, permissions or PDUs.
/// *Inputs and outputs*: services are added behind the last one, or as a table with handles of its own; they're
/// removed by the handle they begin with.
/// *Limits*: handles may have gaps and aren't given out twice before all have been, so that a client that hasn't
/// noticed a change doesn't meet another attribute where it knew one.
package struct GATTDatabase: Equatable, Sendable {
    package private(set) var attributes: [GATTAttribute] = []
    /// The handle that the next service gets.
    private(set) var nextHandle = 1

    package init() {}

    /// The position of the attribute with the handle.
    @inline(__always)
    package func index(of handle: AttributeHandle) -> Int? {
        let index = firstIndex(notBefore: handle)
        return index < attributes.count && attributes[index].handle == handle ? index : nil
    }

    /// The position of the first attribute whose handle is not below; the count where there's none.
    package func firstIndex(notBefore handle: AttributeHandle) -> Int {
        // Most databases have no gaps: look where the attribute would be then.
        let guess = Int(handle.rawValue) &- 1
        if guess >= 0, guess < attributes.count, attributes[guess].handle == handle { return guess }
        return search(handle, from: 0)
    }

    /// The position behind the group that the attribute at `index` begins.
    func indexBehindGroup(at index: Int) -> Int {
        let attribute = attributes[index]
        if attribute.groupEnd == .last { return attributes.count }
        let behind = AttributeHandle(rawValue: attribute.groupEnd.rawValue + 1)
        let guess = index &+ Int(behind.rawValue) &- Int(attribute.handle.rawValue)
        if guess < attributes.count, attributes[guess].handle == behind { return guess }
        return search(behind, from: index)
    }

    private func search(_ handle: AttributeHandle, from start: Int) -> Int {
        var low = start
        var high = attributes.count
        while low < high {
            let middle = (low + high) / 2
            if attributes[middle].handle < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Replaces what is stored at a position.
    mutating func store(_ value: [UInt8], at index: Int) {
        attributes[index].content = .stored(value)
    }

    /// Finds `count` handles in a row that are free: behind the last that was given out, else in a gap.
    func freeHandles(_ count: Int) -> AttributeHandle? {
        if nextHandle + count - 1 <= 0xFFFF { return AttributeHandle(rawValue: UInt16(nextHandle)) }
        var free = 1
        for attribute in attributes {
            if Int(attribute.handle.rawValue) - free >= count { break }
            // A gap inside of a group belongs to the group.
            free = max(free, Int(max(attribute.handle, attribute.groupEnd).rawValue) + 1)
        }
        return free + count - 1 <= 0xFFFF ? AttributeHandle(rawValue: UInt16(free)) : nil
    }

    /// Puts attributes whose handles rise and are free in their place.
    mutating func insert(_ added: [GATTAttribute]) {
        guard let first = added.first, let last = added.last else { return }
        attributes.insert(contentsOf: added, at: firstIndex(notBefore: first.handle))
        nextHandle = max(nextHandle, Int(max(last.handle, last.groupEnd, first.groupEnd).rawValue) + 1)
    }

    /// Removes the service that begins at the handle and says which handles it had.
    mutating func removeService(_ handle: AttributeHandle) -> ClosedRange<AttributeHandle>? {
        guard let start = index(of: handle), attributes[start].isService else { return nil }
        let range = attributes[start].handle...max(attributes[start].groupEnd, attributes[start].handle)
        attributes.removeSubrange(start..<indexBehindGroup(at: start))
        return range
    }
}

extension GATTDatabase {
    /// The position of the declaration of the characteristic that the attribute at `index` belongs to.
    func declaration(of index: Int) -> Int? {
        var position = index
        while position >= 0 {
            if attributes[position].type == GATTType.characteristic { return position }
            if attributes[position].isService { return nil }
            position -= 1
        }
        return nil
    }

    /// The value handle of the characteristic that the attribute at `index` belongs to.
    func valueHandle(of index: Int) -> AttributeHandle? {
        guard let declaration = declaration(of: index), case .stored(let value) = attributes[declaration].content,
            value.count >= 3
        else { return nil }
        return AttributeHandle(rawValue: UInt16(value[1]) | UInt16(value[2]) << 8)
    }

    /// Whether the attribute at `index` is the value of a characteristic whose extended properties allow reliable
    /// writes. [Vol 3, Part G, 3.3.3.1]
    func allowsReliableWrites(at index: Int) -> Bool {
        guard valueHandle(of: index) == attributes[index].handle else { return false }
        var position = index + 1
        while position < attributes.count {
            let attribute = attributes[position]
            if attribute.type == GATTType.characteristic || attribute.isService { return false }
            if attribute.type == GATTType.extendedProperties, case .stored(let value) = attribute.content {
                return (value.first ?? 0) & 1 == 1
            }
            position += 1
        }
        return false
    }
}

extension GATTAttribute {
    /// Whether it declares a service.
    package var isService: Bool { type == GATTType.primaryService || type == GATTType.secondaryService }
}
