import BLEValues
import BLEWire

// Nodes as what is asked for. Nothing is guessed: `1800` is a UUID where a UUID is asked for, and a text where a text is.
extension DocumentNode {
    func refuse(expected: String) -> DocumentError { DocumentError(position, kind, expected: expected) }

    package func text(_ expected: String = "a text") throws(DocumentError) -> String {
        guard case .scalar(let text) = content else { throw refuse(expected: expected) }
        return text
    }

    package func list(_ expected: String = "a list") throws(DocumentError) -> [DocumentNode] {
        guard case .sequence(let nodes) = content else { throw refuse(expected: expected) }
        return nodes
    }

    /// A list, or one thing that needs none.
    func oneOrMore() -> [DocumentNode] {
        if case .sequence(let nodes) = content { nodes } else { [self] }
    }

    func uuid() throws(DocumentError) -> BluetoothUUID {
        let expected = "a UUID: 4, 8 or 32 hexadecimal digits, the last with hyphens"
        guard let uuid = BluetoothUUID(try text(expected)) else { throw refuse(expected: expected) }
        return uuid
    }

    /// Octets in hexadecimal.
    func octets() throws(DocumentError) -> [UInt8] {
        let expected = "octets in hexadecimal, such as 0A 1B"
        guard let octets = WrittenValue.hexadecimal(try text(expected)) else { throw refuse(expected: expected) }
        return octets
    }

    func whole(in range: ClosedRange<Int>) throws(DocumentError) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let text = try text(expected)
        let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        guard let number, range.contains(number) else { throw refuse(expected: expected) }
        return number
    }

    func decimal(_ expected: String = "a number") throws(DocumentError) -> Double {
        guard let number = Double(try text(expected)), number.isFinite else { throw refuse(expected: expected) }
        return number
    }

    func flag() throws(DocumentError) -> Bool {
        switch try text("yes or no") {
        case "yes", "true": true
        case "no", "false": false
        default: throw refuse(expected: "yes or no")
        }
    }

    /// A length of time with its unit, up to a day.
    func duration() throws(DocumentError) -> Delay {
        let expected = "a length of time, such as 1.5 s, 200 ms or 2 min"
        let text = try text(expected)
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let unit = text[digits.endIndex...].drop { $0 == " " }
        let units: [Substring: Double] = ["ms": 1e6, "s": 1e9, "min": 6e10]
        guard let number = Double(digits), let scale = units[unit], number * scale <= 86_400e9 else {
            throw refuse(expected: expected)
        }
        return Delay(nanoseconds: Int64((number * scale).rounded()))
    }

    /// One of some words.
    func word<Value>(of words: [(String, Value)]) throws(DocumentError) -> Value {
        let expected = words.map(\.0).joined(separator: ", ")
        let text = try text(expected)
        guard let match = words.first(where: { $0.0 == text }) else {
            throw refuse(expected: (words.count > 1 ? "one of " : "") + expected)
        }
        return match.1
    }
}

/// Takes what is behind the keys of a mapping, and says which keys nobody asked for.
package struct MappingReader {
    package let position: DocumentNode.Position
    private let entries: [DocumentNode.Entry]
    private var known: [String] = []

    /// - Parameter what: what it is to be, for the error.
    package init(_ node: DocumentNode, _ what: String) throws(DocumentError) {
        guard case .mapping(let entries) = node.content else { throw node.refuse(expected: what) }
        self.entries = entries
        position = node.position
    }

    package mutating func take(_ key: String) -> DocumentNode? {
        known.append(key)
        return entries.first { $0.key == key }?.value
    }

    package mutating func require(_ key: String) throws(DocumentError) -> DocumentNode {
        guard let node = take(key) else { throw DocumentError(position, "there is no \"\(key)\"", expected: "one") }
        return node
    }

    /// Which of some keys are there.
    func present(_ keys: [String]) -> [String] { keys.filter { key in entries.contains { $0.key == key } } }

    /// Keys that nobody took.
    var unknown: [DocumentNode.Entry] { entries.filter { !known.contains($0.key) } }

    /// Throws where there is a key that nobody took.
    package func finish() throws(DocumentError) {
        for entry in entries where !known.contains(entry.key) {
            throw DocumentError(
                entry.position, "\"\(entry.key)\" has no meaning here",
                expected: "one of " + known.joined(separator: ", "))
        }
    }
}
