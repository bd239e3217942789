import Glibc

/// The variables that a process was started with, or those of a test.
package struct EnvironmentVariables: Sendable {
    private let values: [String: String]
    /// Whether the process's own are looked up where there is no other value.
    private let isProcess: Bool

    package init(_ values: [String: String]) {
        self.values = values
        isProcess = false
    }

    private init() {
        values = [:]
        isProcess = true
    }

    private init(process values: [String: String]) {
        self.values = values
        isProcess = true
    }

    /// The same, with other values for some.
    package func replacing(_ others: [String: String]) -> EnvironmentVariables {
        let merged = values.merging(others) { $1 }
        return isProcess ? EnvironmentVariables(process: merged) : EnvironmentVariables(merged)
    }

    /// This process's.
    package static let process = EnvironmentVariables()

    /// The value of a variable; one that is empty counts as not set.
    package subscript(name: String) -> String? {
        let value = values[name] ?? (isProcess ? getenv(name).map { String(cString: $0) } : nil)
        return value == "" ? nil : value
    }
}
