import Foundation

/// The options of an example program: `--name value` and `--flag`. A wrong one ends the program with its usage and
/// exit code 64.
public struct Arguments {
    private let usage: String
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// - Parameters:
    ///   - values: names of options that take a value, without their hyphens.
    ///   - flags: names of options that take none.
    public init(values valueNames: [String], flags flagNames: [String]) {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent
        let options = valueNames.map { "[--\($0) VALUE]" } + flagNames.map { "[--\($0)]" }
        usage = "usage: " + ([program] + options).joined(separator: " ")
        var rest = CommandLine.arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "--help" {
                print(usage)
                exit(0)
            }
            let name = String(argument.dropFirst(2))
            if argument.hasPrefix("--"), flagNames.contains(name) {
                flags.insert(name)
            } else if argument.hasPrefix("--"), valueNames.contains(name) {
                guard let value = rest.popFirst() else { fail("--\(name) needs a value") }
                values[name] = value
            } else {
                fail("unknown argument '\(argument)'")
            }
        }
    }

    public func has(_ flag: String) -> Bool { flags.contains(flag) }

    public func text(_ name: String) -> String? { values[name] }

    public func text(_ name: String, default fallback: String) -> String { values[name] ?? fallback }

    /// A number that isn't negative.
    public func number(_ name: String, default fallback: Double) -> Double {
        guard let text = values[name] else { return fallback }
        guard let number = Double(text), number.isFinite, number >= 0 else { fail("--\(name): '\(text)' is no number") }
        return number
    }

    /// A whole number that isn't negative.
    public func count(_ name: String, default fallback: Int) -> Int {
        guard let text = values[name] else { return fallback }
        guard let number = Int(text), number >= 0 else { fail("--\(name): '\(text)' is no whole number") }
        return number
    }

    public func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n\(usage)\n".utf8))
        exit(64)
    }
}
