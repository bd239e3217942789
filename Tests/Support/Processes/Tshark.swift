import BLETransport
import BLEWire
import Glibc

/// Runs tshark, Wireshark's own dissector, on a capture that exists only for the moment.
///
/// *Why not Foundation's Process*: it learns of an end by a descriptor that other children inherit, so it can wait for
/// one of those, and it blocks a thread of the few that tests share meanwhile. Programs that a test had started and
/// waited for kept each other that way.
package enum Tshark {
    package static let path: String? = ["/usr/bin/tshark", "/usr/local/bin/tshark"].first { path in
        access(path, X_OK) == 0
    }
    /// A display filter: malformed, or an expert message of severity error.
    package static let isWrong = "_ws.malformed || _ws.expert.severity >= 8388608"

    /// The program wasn't found, or didn't end with 0.
    package struct Failure: Error {
        package let ending: ChildProcess.Ending?
    }

    /// What it prints of the packets that pass the filter, a line each: a summary, or the fields, separated by tabs.
    /// - Parameter kind: how the capture's file is to end: `btsnoop` or `pcap`.
    package static func run(
        _ capture: [UInt8], _ kind: String, filter: String? = nil, fields: [String] = []
    ) async throws -> [String] {
        guard let path else { throw Failure(ending: nil) }
        let fixture = ProcessFixture()
        let file = fixture.folder + "/capture." + kind
        try write(capture, to: file)
        let arguments =
            ["-r", file] + (filter.map { ["-Y", $0] } ?? [])
            + (fields.isEmpty ? [] : ["-T", "fields"] + fields.flatMap { ["-e", $0] })
        let process = try ChildProcess(
            path, arguments, environment: fixture.environment, takesErrors: false)
        let ending = try await process.end()
        guard ending == .exited(0) else { throw Failure(ending: ending) }
        return process.lines.all
    }

    private static func write(_ octets: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(ending: nil) }
        defer { fclose(file) }
        guard fwrite(octets, 1, octets.count, file) == octets.count else { throw Failure(ending: nil) }
    }
}
