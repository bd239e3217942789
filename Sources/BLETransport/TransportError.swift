/// Why a controller can't be reached, for a person: which layer, what is the cause, what to do about it.
package struct TransportError: Error, Equatable, Sendable {
    /// What it means for the program's manager.
    package enum Kind: Sendable {
        /// A right is missing: `CBManagerState.unauthorized`.
        case unauthorized
        /// It can't work as asked, and trying again won't change that: `CBManagerState.unsupported`.
        case unsupported
        /// The other side isn't there, or is busy: it may come, so it's worth another attempt.
        case unavailable
    }
    package var kind: Kind
    /// The adapter as the user named it: `hci:0`, `tcp:localhost:9000`.
    package var layer: String
    package var cause: String
    package var remedy: String

    package init(_ kind: Kind, layer: String, cause: String, remedy: String) {
        self.kind = kind
        self.layer = layer
        self.cause = cause
        self.remedy = remedy
    }
}

extension TransportError: CustomStringConvertible {
    /// One line.
    package var description: String { "\(layer): \(cause); \(remedy)" }
}
