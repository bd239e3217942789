/// A queue in an array: elements leave in front without moving those behind.
struct FIFO<Element> {
    private var storage: [Element?] = []
    private var head = 0

    init() {}

    var isEmpty: Bool { head == storage.count }
    var count: Int { storage.count - head }
    var first: Element? { head < storage.count ? storage[head] : nil }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func popFirst() -> Element? {
        // The usual case: a queue of one.
        if head == 0, storage.count == 1 { return storage.popLast() ?? nil }
        guard head < storage.count else { return nil }
        // Not kept alive until the array is tidied.
        let element = storage[head].take()
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        storage.removeAll()
        head = 0
    }

    mutating func removeAll(where matches: (Element) -> Bool) {
        storage.removeFirst(head)
        head = 0
        storage.removeAll { element in element.map(matches) ?? true }
    }
}
