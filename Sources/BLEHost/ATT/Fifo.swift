/// A queue: first in, first out, without moving what stays.
struct Fifo<Element: Sendable>: Sendable {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { storage.count &- head }
    var isEmpty: Bool { head == storage.count }
    var first: Element? { isEmpty ? nil : storage[head] }
    /// Elements in the order in which they'd leave.
    var elements: [Element] { storage[head...].compactMap { $0 } }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func popFirst() -> Element? {
        if isEmpty { return nil }
        let element = storage[head]
        storage[head] = nil
        head &+= 1
        // What left is thrown out now and then only.
        if head >= 64, head &* 2 >= storage.count {
            storage.removeSubrange(0..<head)
            head = 0
        }
        return element
    }

    /// Removes the first element that fits.
    mutating func removeFirst(where fits: (Element) -> Bool) -> Element? {
        if let first, fits(first) { return popFirst() }
        for index in head..<storage.count {
            if let element = storage[index], fits(element) {
                storage.remove(at: index)
                return element
            }
        }
        return nil
    }

    mutating func removeAll() {
        storage.removeAll()
        head = 0
    }
}
