/// A queue over an array: taking from the front moves nothing until the front is half of it.
struct FIFO<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { elements.count == head }

    /// The element at this place from the front.
    subscript(index: Int) -> Element {
        get { elements[head + index] }
        set { elements[head + index] = newValue }
    }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Puts an element in front of the one at this place.
    mutating func insert(_ element: Element, at index: Int) { elements.insert(element, at: head + index) }

    mutating func removeFirst() {
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 32, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() {
        elements.removeAll()
        head = 0
    }
}
