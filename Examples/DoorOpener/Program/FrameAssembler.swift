import Foundation

/// Puts incoming octets together into frames, however they are cut.
///
/// A frame: three octets of header, the length n in two octets (most significant first), n octets, two octets of
/// trailer. Header and trailer are not looked at.
public struct FrameAssembler {
    public enum Event: Equatable {
        case frame(Data)
        /// The length that was announced is above the limit; what was collected is dropped.
        case tooLong(Int)
    }

    /// The largest n that is accepted.
    public let limit: Int
    private var collected = Data()

    public init(limit: Int = 512) {
        self.limit = limit
    }

    /// Whether a frame has begun and isn't complete.
    public var isWaiting: Bool { !collected.isEmpty }

    public mutating func add(_ octets: Data) -> [Event] {
        collected.append(octets)
        var events: [Event] = []
        while collected.count >= 5 {
            let length = Int(collected[3]) << 8 | Int(collected[4])
            guard length <= limit else {
                events.append(.tooLong(length))
                collected = Data()
                break
            }
            let whole = 3 + 2 + length + 2
            guard collected.count >= whole else { break }
            events.append(.frame(Data(collected[5..<(5 + length)])))
            collected = Data(collected.dropFirst(whole))
        }
        return events
    }

    /// Drops a frame that did not become complete; the number of octets it had.
    public mutating func drop() -> Int {
        defer { collected = Data() }
        return collected.count
    }
}
