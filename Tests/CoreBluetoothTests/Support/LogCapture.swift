import BLEBackend
import BLEWire
import Synchronization

/// What the facade logs, collected for the whole process: tests look for lines with the address of their own objects.
enum LogCapture {
    private static let lines = Mutex<[String]>([])
    private static let installed: Void = {
        if let levels = LogLevels(parsing: "off,api=trace") { Diagnostics.levels = levels }
        Diagnostics.setSink { event in lines.withLock { $0.append(event.message) } }
    }()

    static func install() { installed }

    /// Lines that hold all the parts.
    static func lines(with parts: String...) -> [String] {
        lines.withLock { lines in lines.filter { line in parts.allSatisfy { line.contains($0) } } }
    }
}
