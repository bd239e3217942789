import BLERuntime
import BLETransport
import BLEWire
import Glibc

/// Reads both outputs of a child until they end, then asks how the child did.
final class ChildOutputs: LoopClient {
    private struct Output {
        var descriptor: Int32
        var token: WatchToken?
        var text: [UInt8] = []
    }
    private var outputs: [Output]
    private var input: Int32
    private let pid: Int32
    private let lines: Recorder<String>
    private let ending: Recorder<ChildProcess.Ending>
    private var reader = DescriptorReader()
    private var descriptors: WatchedDescriptors?

    init(
        input: Int32, outputs: [Int32], pid: Int32, lines: Recorder<String>, ending: Recorder<ChildProcess.Ending>
    ) {
        self.input = input
        self.outputs = outputs.map { Output(descriptor: $0) }
        self.pid = pid
        self.lines = lines
        self.ending = ending
    }

    var nextDeadline: Instant? { nil }
    func woken() {}
    func timeReached() {}

    func start(_ descriptors: WatchedDescriptors) {
        self.descriptors = descriptors
        for index in outputs.indices {
            makeNonBlocking(outputs[index].descriptor)
            outputs[index].token = descriptors.add(outputs[index].descriptor)
        }
    }

    func ready(_ token: WatchToken, readable: Bool, writable: Bool) {
        guard let index = outputs.firstIndex(where: { $0.token == token }) else { return }
        let end = reader.drain(outputs[index].descriptor) { span in
            span.withUnsafeBytes { outputs[index].text += $0 }
        }
        while let newline = outputs[index].text.firstIndex(of: 0x0A) {
            lines.record(String(decoding: outputs[index].text[..<newline], as: UTF8.self))
            outputs[index].text.removeSubrange(...newline)
        }
        guard end == .closed else { return }
        close(outputs.remove(at: index))
        if outputs.isEmpty { awaitEnd() }
    }

    func stop() {
        for output in outputs { close(output) }
        closeInput()
        if !outputs.isEmpty, pid > 0 { awaitEnd() }
    }

    func type(_ line: String) {
        let octets = Array((line + "\n").utf8)
        _ = write(input, octets, octets.count)
    }

    func closeInput() {
        if input >= 0 { Glibc.close(input) }
        input = -1
    }

    private func close(_ output: Output) {
        descriptors?.remove(output.descriptor)
        Glibc.close(output.descriptor)
    }

    private func awaitEnd() {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        ending.record(status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F))
    }
}
