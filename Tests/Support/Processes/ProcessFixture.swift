import Glibc

/// Folders and an environment of a test's own for the programs that it starts: their radios, devices and memories are
/// nobody else's.
package final class ProcessFixture: Sendable {
    private let temporary = TemporaryFolder()
    private let variables: [String: String]

    package init(_ variables: [String: String] = ["RAVNING_ADAPTER": "virtual"]) {
        let folder = temporary.path
        var all = ["XDG_RUNTIME_DIR": folder, "RAVNING_STATE_DIR": folder + "/state", "HOME": folder]
        for name in ["PATH", "LD_LIBRARY_PATH", "TSAN_OPTIONS", "ASAN_OPTIONS"] {
            if let value = getenv(name) { all[name] = String(cString: value) }
        }
        self.variables = all.merging(variables) { $1 }
    }

    package var folder: String { temporary.path }

    /// What the programs get.
    package var environment: [String: String] { variables }

    /// Starts a program of this package by its name.
    package func start(
        _ program: String, _ arguments: [String] = [], _ more: [String: String] = [:], onTerminal: Bool = false
    ) throws -> ChildProcess {
        try ChildProcess(
            path(of: program), arguments, environment: variables.merging(more) { $1 },
            onTerminal: onTerminal)
    }

    /// Where a program of this package is.
    package func path(of program: String) -> String { Self.builtPrograms + "/" + program }

    /// Hosts a radio in a process of its own; returns when it takes connections. It ends with the test at the latest.
    package func startRadio(_ arguments: [String] = []) async throws -> ChildProcess {
        let radio = try start("ravning", ["radio", "--stdin"] + arguments)
        try await radio.line(containing: "radio ")
        return radio
    }

    /// Where a capture of a test belongs: with those that are looked at after all tests, or in the test's own folder.
    package func capturePath(_ name: String) -> String {
        let kept = getenv("RAVNING_TEST_CAPTURES").map { String(cString: $0) }
        return (kept ?? folder) + "/" + name
    }

    /// The folder with the programs: the one that the library of all tests lies in, which is mapped into this process.
    private static let builtPrograms: String = {
        guard let maps = fopen("/proc/self/maps", "r") else { return "." }
        defer { fclose(maps) }
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard let start = text.firstIndex(of: "/"), let end = text.lastIndex(of: "/") else { continue }
            if text.hasSuffix("PackageTests.xctest\n") { return String(text[start..<end]) }
        }
        return "."
    }()
}
