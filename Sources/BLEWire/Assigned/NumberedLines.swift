/// A table that is text in the program, and that is searched where it lies: nothing is set up at start.
///
/// Its entries begin with four upper-case hexadecimal digits, in the order of these; a line that begins with a space goes
/// on with the entry before it.
package struct NumberedLines: Sendable {
    private let text: StaticString

    package init(_ text: StaticString) { self.text = text }

    /// What stands behind a number, on its line; nil where it has no entry.
    package func line(of number: UInt16) -> String? {
        text.withUTF8Buffer { octets in
            guard let start = unsafe Self.find(number, in: octets) else { return nil }
            let end = unsafe Self.end(of: start, in: octets)
            return unsafe Self.string(octets, min(start + 5, end)..<end)
        }
    }

    /// The lines that go on with a number's entry, with their spaces; nil where it has no entry.
    package func block(of number: UInt16) -> String? {
        text.withUTF8Buffer { octets in
            guard let start = unsafe Self.find(number, in: octets) else { return nil }
            let first = unsafe Self.end(of: start, in: octets)
            var end = first
            while unsafe end + 1 < octets.count && octets[end + 1] == 0x20 {
                end = unsafe Self.end(of: end + 1, in: octets)
            }
            return unsafe Self.string(octets, min(first + 1, end)..<end)
        }
    }

    /// The numbers whose line says yes, in their order.
    package func numbers(where isMeant: (Substring) -> Bool) -> [UInt16] {
        let lines = text.description.split(separator: "\n")
        let meant = lines.filter { $0.first != " " && isMeant($0.dropFirst(5)) }
        return meant.compactMap { UInt16($0.prefix(4), radix: 16) }
    }

    /// The beginning of a number's line, by halving.
    private static func find(_ number: UInt16, in octets: UnsafeBufferPointer<UInt8>) -> Int? {
        var low = 0
        var high = octets.count
        while low < high {
            var start = (low + high) / 2
            // Back to where an entry begins: never below `low`, which is where one does.
            while unsafe start > low && (octets[start - 1] != 0x0A || octets[start] == 0x20) { start -= 1 }
            guard let found = unsafe Self.number(at: start, in: octets) else { return nil }
            if found == number { return start }
            if found > number {
                high = start
            } else {
                low = unsafe end(of: start, in: octets) + 1
                while unsafe low < high && octets[low] == 0x20 { low = unsafe end(of: low, in: octets) + 1 }
            }
        }
        return nil
    }

    private static func number(at start: Int, in octets: UnsafeBufferPointer<UInt8>) -> UInt16? {
        guard start + 4 <= octets.count else { return nil }
        var number: UInt16 = 0
        for index in start..<start + 4 {
            switch unsafe octets[index] {
            case let digit where (0x30...0x39).contains(digit): number = number << 4 | UInt16(digit - 0x30)
            case let digit where (0x41...0x46).contains(digit): number = number << 4 | UInt16(digit - 0x37)
            default: return nil
            }
        }
        return number
    }

    private static func end(of start: Int, in octets: UnsafeBufferPointer<UInt8>) -> Int {
        var end = start
        while unsafe end < octets.count && octets[end] != 0x0A { end += 1 }
        return end
    }

    private static func string(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
        unsafe String(decoding: octets[range], as: UTF8.self)
    }
}
