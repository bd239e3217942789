internal import BLEBackend
internal import BLEWire

/// What the layers under a program have to say: misuse of the API, faults of peers and controllers, packets of
/// interest. Without a handler, lines go to standard error as far as `RAVNING_LOG` lets them.
public enum RavningLog {
    /// Names and order as in swift-log.
    public enum Level: Int, Comparable, Sendable, CaseIterable {
        /// Every packet.
        case trace
        /// What a layer does.
        case debug
        /// What may be of interest to who runs the program.
        case info
        /// Out of the ordinary, and no fault.
        case notice
        /// Allowed, but hardly meant.
        case warning
        /// A command was ignored, or something failed.
        case error
        /// The program can't go on.
        case critical

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// One thing that was said.
    public struct Event: Equatable, Sendable {
        /// How grave it is.
        public let level: Level
        /// The layer that speaks: `hci`, `l2cap`, `att`, `gatt`, `smp`, `gap`, `ll`, `transport`, `radio`, `api`.
        public let layer: String
        /// What was said, in one line.
        public let message: String
    }

    /// Hands what is said from now on to the handler instead of standard error; nil = standard error again.
    ///
    /// The handler is called on any thread, one event at a time for each; it should return soon.
    public static func setHandler(_ handler: (@Sendable (Event) -> Void)?) {
        guard let handler else { return Diagnostics.setSink(nil) }
        Diagnostics.setSink { event in
            let level = Level(rawValue: event.level.rawValue) ?? .info
            handler(Event(level: level, layer: event.layer, message: event.message))
        }
    }

    /// Sets what is let through, as `RAVNING_LOG` does: a level, or `att=trace,gap=debug`.
    ///
    /// May be called at any time; from then on `RAVNING_LOG` doesn't count.
    /// - Returns: false, and nothing is changed, where the text isn't understood.
    @discardableResult
    public static func setLevels(_ text: String) -> Bool {
        guard let levels = LogLevels(parsing: text) else { return false }
        Diagnostics.setLevels(levels)
        return true
    }
}
