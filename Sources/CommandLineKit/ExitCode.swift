/// How a command ends: by the cause, so that a script can tell causes apart.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case other = 1
    case notFound = 2
    case timedOut = 3
    case refused = 4
    case noAdapter = 5
    case usage = 64

    /// What it means, for the help.
    package var meaning: String {
        switch self {
        case .success: "done"
        case .other: "failed for another reason than these"
        case .notFound: "the device, service, characteristic or file wasn't found"
        case .timedOut: "it took too long"
        case .refused: "the other device refused, or nobody agreed to pair"
        case .noAdapter: "no adapter can be used"
        case .usage: "the command line is wrong"
        }
    }

    /// A line for each.
    package static var table: String {
        allCases.map { "  \($0.rawValue)\($0.rawValue < 10 ? " " : "")  \($0.meaning)" }.joined(separator: "\n")
    }
}

/// A failure of a command that knows its exit code.
package struct CommandError: Error, Equatable, CustomStringConvertible {
    package let code: ExitCode
    package let description: String
    /// The error of the Attribute Protocol that the other device answered with. [Vol 3, Part F, 3.4.1.1]
    package let attributeError: Int?

    package init(_ code: ExitCode, _ description: String, attributeError: Int? = nil) {
        self.code = code
        self.description = description
        self.attributeError = attributeError
    }
}

/// A signal ended the command; the exit code is that of a shell, 128 and the signal's number. Nothing is printed.
package struct Interrupted: Error, Equatable {
    package let signal: Int32
    package init(signal: Int32) { self.signal = signal }
}

/// Nobody reads standard output any more: the command ends, quietly and well.
package struct OutputClosed: Error, Equatable {
    package init() {}
}
