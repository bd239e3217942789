package import BLEWire

/// Which trace events pass: a level for all layers, and levels for some of them.
package struct LogLevels: Equatable, Sendable {
    /// Above every level: nothing passes.
    package static let silent = TraceEvent.Level.critical.rawValue + 1

    private var general: Int
    private var byLayer: [(layer: String, level: Int)]

    /// Warnings and worse of every layer.
    package static let warnings = LogLevels(general: TraceEvent.Level.warning.rawValue, byLayer: [])
    package static let off = LogLevels(general: silent, byLayer: [])

    private init(general: Int, byLayer: [(layer: String, level: Int)]) {
        self.general = general
        self.byLayer = byLayer
    }

    /// Reads `debug`, `att=trace,smp=debug`, or both mixed: `info,att=trace`. A layer that isn't named has the general
    /// level, by default `warning`. `off` lets nothing pass. nil for anything else.
    package init?(parsing text: some StringProtocol) {
        general = TraceEvent.Level.warning.rawValue
        byLayer = []
        for part in text.split(separator: ",") {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let level = Self.level(named: words[words.count - 1]) else { return nil }
            if words.count == 1 {
                general = level
            } else {
                let layer = Self.trimmed(words[0])
                guard !layer.isEmpty else { return nil }
                byLayer.removeAll { $0.layer == layer }
                byLayer.append((layer, level))
            }
        }
    }

    /// Whether an event of the level and layer passes.
    package func admits(_ level: TraceEvent.Level, _ layer: String) -> Bool {
        level.rawValue >= (byLayer.first { $0.layer == layer }?.level ?? general)
    }

    /// The lowest level that passes anywhere.
    package var lowest: Int { byLayer.reduce(general) { min($0, $1.level) } }

    private static func level(named name: some StringProtocol) -> Int? {
        switch trimmed(name) {
        case "trace": TraceEvent.Level.trace.rawValue
        case "debug": TraceEvent.Level.debug.rawValue
        case "info": TraceEvent.Level.info.rawValue
        case "notice": TraceEvent.Level.notice.rawValue
        case "warning": TraceEvent.Level.warning.rawValue
        case "error": TraceEvent.Level.error.rawValue
        case "critical": TraceEvent.Level.critical.rawValue
        case "off": silent
        default: nil
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        text.lowercased().split(separator: " ").joined(separator: " ")
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.general == right.general && left.byLayer.elementsEqual(right.byLayer, by: ==)
    }
}
