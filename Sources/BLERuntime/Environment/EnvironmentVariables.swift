import Glibc

/// The variables that a process was started with, or those of a test.
package struct EnvironmentVariables: Sendable {
    private let values: [String: String]?

    package init(_ values: [String: String]) { self.values = values }

    private init() { values = nil }

    /// This process's.
    package static let process = EnvironmentVariables()

    /// The value of a variable; one that is empty counts as not set.
    package subscript(name: String) -> String? {
        let value = values.map { $0[name] } ?? getenv(name).map { String(cString: $0) }
        return value == "" ? nil : value
    }
}
