import Foundation

/// What happened, in order, from any thread.
final class Diary: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    /// How many lines begin with a text that was asked for, so that asking after each event stays cheap.
    private var counts: [String: Int] = [:]

    func write(_ line: String) {
        lock.withLock {
            lines.append(line)
            for (start, count) in counts where line.hasPrefix(start) { counts[start] = count + 1 }
        }
    }

    var entries: [String] { lock.withLock { lines } }

    func count(_ start: String) -> Int {
        lock.withLock {
            if let count = counts[start] { return count }
            let count = lines.count { $0.hasPrefix(start) }
            counts[start] = count
            return count
        }
    }
}
