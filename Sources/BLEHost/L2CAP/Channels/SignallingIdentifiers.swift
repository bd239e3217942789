/// The identifiers of a link's requests: from 1 to 255 and around, none that is still without its answer.
/// [Vol 3, Part A, 4]
struct SignallingIdentifiers {
    private var last: UInt8 = 0
    private var used: [UInt8] = []

    mutating func take() -> UInt8 {
        repeat { last = last == .max ? 1 : last + 1 } while used.count < 255 && used.contains(last)
        used.append(last)
        return last
    }

    mutating func release(_ identifier: UInt8) { used.removeAll { $0 == identifier } }
}
