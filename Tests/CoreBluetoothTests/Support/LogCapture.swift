import BLEBackend
import BLEWire
import BLELocking

/// What the facade logs, collected for the whole process: tests look for lines with the address of their own objects.
///
/// An address is used again when its object has gone, so a test looks only at what came after a mark that it set when
/// its objects existed.
enum LogCapture {
    private static let lines = Locked<[String]>([])
    static let levels = LogLevels(parsing: "off,api=trace") ?? .off
    private static let installed: Void = {
        Diagnostics.setLevels(levels)
        Diagnostics.setSink { event in lines.withLock { $0.append(event.message) } }
    }()

    static func install() { installed }

    /// Where the log ends now.
    static func mark() -> Int {
        install()
        return lines.withLock { $0.count }
    }

    /// Lines after the mark that hold all the parts.
    static func lines(since mark: Int, with parts: [String]) -> [String] {
        lines.withLock { lines in lines[mark...].filter { line in parts.allSatisfy { line.contains($0) } } }
    }

    static func lines(since mark: Int, with parts: String...) -> [String] { lines(since: mark, with: parts) }
}
