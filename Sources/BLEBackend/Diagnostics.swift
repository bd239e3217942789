package import BLEWire
import Glibc
import BLELocking
import Synchronization

/// Where trace events of this process go.
///
/// The levels come from the program if it sets them, else from `RAVNING_LOG` when the process's device is made; the sink
/// is standard error unless a program hooks in its own logger.
/// *Threading*: everything may be called from any thread.
package enum Diagnostics {
    package typealias Sink = @Sendable (TraceEvent) -> Void

    private struct State {
        var levels = LogLevels.off
        var isSetByProgram = false
        var sink: Sink = Diagnostics.writeToStandardError
    }
    private static let state = Locked(State())
    /// The lowest level that any layer lets pass, so that most events cost one load.
    private static let lowest = Atomic<Int>(LogLevels.silent)

    /// The levels by layer.
    package static var levels: LogLevels { state.withLock { $0.levels } }

    /// Sets the levels, as the program wants them: what the environment says doesn't count any more.
    package static func setLevels(_ levels: LogLevels) {
        state.withLock { state in
            state.levels = levels
            state.isSetByProgram = true
            lowest.store(levels.lowest, ordering: .relaxed)
        }
    }

    /// Sets the levels, as the environment of the process's device wants them, unless the program has set them.
    package static func setLevelsOfEnvironment(_ levels: LogLevels) {
        state.withLock { state in
            guard !state.isSetByProgram else { return }
            state.levels = levels
            lowest.store(levels.lowest, ordering: .relaxed)
        }
    }

    /// Sends events to the sink from now on; nil = standard error.
    package static func setSink(_ sink: Sink?) {
        state.withLock { $0.sink = sink ?? writeToStandardError }
    }

    /// Whether an event of the level and layer would pass.
    package static func isEnabled(_ level: TraceEvent.Level, _ layer: String) -> Bool {
        guard level.rawValue >= lowest.load(ordering: .relaxed) else { return false }
        return levels.admits(level, layer)
    }

    /// Hands the event to the sink if its level and layer pass.
    package static func emit(_ event: TraceEvent) {
        guard event.level.rawValue >= lowest.load(ordering: .relaxed) else { return }
        let sink = state.withLock { $0.levels.admits(event.level, event.layer) ? $0.sink : nil }
        sink?(event)
    }

    /// The same; the message is built only if it passes.
    package static func log(
        _ level: TraceEvent.Level, _ layer: String, _ message: @autoclosure () -> String
    ) {
        guard isEnabled(level, layer) else { return }
        emit(TraceEvent(level, layer, message()))
    }

    /// `ravning att debug: message`, in one write so that lines of several threads don't mix.
    private static func writeToStandardError(_ event: TraceEvent) {
        let line = Array("ravning \(event.layer) \(event.level): \(event.message)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
