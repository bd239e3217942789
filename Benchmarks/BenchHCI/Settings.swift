import Glibc

/// What the load generator wants, from the environment.
struct Settings {
    let role = Self.text("BENCH_ROLE") ?? "server"
    let descriptor = Self.text("BENCH_FD").flatMap { Int32($0) }
    let port = UInt16(clamping: Self.number("BENCH_PORT", 0))
    let mtu = Self.number("BENCH_MTU", 247)
    let characteristics = Self.number("BENCH_CHARS", 10)
    let count = Self.number("BENCH_N", 20000)
    let runs = Self.number("BENCH_RUNS", 5)
    /// Whether advertising goes on while there are links.
    let takesMany = Self.number("BENCH_MULTI", 0) == 1
    /// Whether the server keeps its values itself, instead of asking the application at each access.
    let storesValues = Self.number("BENCH_STORED", 0) == 1
    private let only = Self.text("BENCH_ONLY")

    /// Whether a measurement is asked for.
    func wants(_ name: String) -> Bool { only?.split(separator: ",").contains { $0 == name } ?? true }

    private static func text(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
    private static func number(_ name: String, _ fallback: Int) -> Int {
        text(name).flatMap { Int($0) } ?? fallback
    }
}

/// Wall and processor time of one measurement.
struct Stopwatch {
    private let wall = Self.seconds(CLOCK_MONOTONIC)
    private let processor = Self.seconds(CLOCK_PROCESS_CPUTIME_ID)

    /// Prints a line of the harness: `R,metric,count,bytes,wall,cpu`.
    func report(_ metric: String, _ count: Int, _ bytes: Int) {
        let wall = Self.decimal(Self.seconds(CLOCK_MONOTONIC) - wall)
        let processor = Self.decimal(Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - processor)
        print("R,\(metric),\(count),\(bytes),\(wall),\(processor)")
        fflush(nil)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Six places; `description` would switch to an exponent.
    private static func decimal(_ seconds: Double) -> String {
        let micros = Int(seconds * 1e6)
        let digits = String(micros % 1_000_000)
        return "\(micros / 1_000_000).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }
}
