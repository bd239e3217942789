import BLEBackend
import BLEWire
import BLELocking

/// What the facade logs, collected for the whole process: tests look for lines with the address of their own objects.
enum LogCapture {
    private static let lines = Locked<[String]>([])
    static let levels = LogLevels(parsing: "off,api=trace") ?? .off
    private static let installed: Void = {
        Diagnostics.setLevels(levels)
        Diagnostics.setSink { event in lines.withLock { $0.append(event.message) } }
    }()

    static func install() { installed }

    /// Lines that hold all the parts.
    static func lines(with parts: String...) -> [String] {
        lines.withLock { lines in lines.filter { line in parts.allSatisfy { line.contains($0) } } }
    }
}
