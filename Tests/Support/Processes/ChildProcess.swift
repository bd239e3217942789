import BLERuntime
import BLETransport
import CLinuxSupport
import Glibc

/// A program that a test has started, with what it writes, line by line.
///
/// *Limits*: a child that still runs when this object goes is killed.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    package let pid: Int32
    /// Lines of standard output and standard error, each stream in its order.
    package let lines = Recorder<String>()
    package let ending = Recorder<Ending>()
    private let loop: EventLoop<ChildOutputs>

    /// Starts the program. `environment` is all that it gets. Without `takesErrors` its standard error is dropped; with
    /// `onTerminal` its standard input is a terminal, and what is typed comes from there.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String], takesErrors: Bool = true,
        onTerminal: Bool = false
    ) throws {
        var ends = [[Int32]](repeating: [-1, -1], count: 3)
        for index in ends.indices where index != 0 || !onTerminal { cls_pipe(&ends[index]) }
        if onTerminal { ends[0] = Self.terminal() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0][0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1][1], STDOUT_FILENO)
        if takesErrors {
            posix_spawn_file_actions_adddup2(&actions, ends[2][1], STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        // Dispatch's threads block all signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        for end in [ends[0][0], ends[1][1], ends[2][1]] { close(end) }
        self.pid = pid
        let outputs = ChildOutputs(
            input: ends[0][1], outputs: [ends[1][0], ends[2][0]], pid: pid, lines: lines, ending: ending)
        loop = EventLoop(name: "child", clock: MonotonicClock(), client: outputs)
        if code != 0 {
            loop.stop()
            throw TransportError(
                .unsupported, layer: path, cause: systemMessage(code), remedy: "build it: `swift build --build-tests`")
        }
    }

    /// A new terminal: the end that a program reads from, and the one that a person types at.
    private static func terminal() -> [Int32] {
        var (typed, read): (Int32, Int32) = (-1, -1)
        guard openpty(&typed, &read, nil, nil, nil) == 0 else { return [-1, -1] }
        // A child of another test's that is started between the two lines has it, too; nobody waits for its end.
        for end in [typed, read] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return [read, typed]
    }

    deinit {
        if pid > 0, ending.all.isEmpty { kill(pid, SIGKILL) }
        loop.stop()
    }

    package func send(_ signal: Int32) { kill(pid, signal) }

    /// Writes a line to its standard input.
    package func type(_ line: String) {
        loop.perform { $0.type(line) }
    }

    package func closeInput() {
        loop.perform { $0.closeInput() }
    }

    /// Waits for a line that contains the text.
    @discardableResult
    package func line(containing text: String, within seconds: Int = 120) async throws -> String {
        try await lines.first(within: seconds) { $0.contains(text) }
    }

    /// Waits for the end.
    package func end(within seconds: Int = 120) async throws -> Ending {
        try await ending.first(within: seconds) { _ in true }
    }
}
