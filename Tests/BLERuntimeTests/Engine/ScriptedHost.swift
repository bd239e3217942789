import BLERuntime
import BLETestSupport
import BLEWire
import BLELocking

/// A host that records what its engine does with it, and sends what it's told to.
final class ScriptedHost: DrivenHost {
    enum Call: Equatable, Sendable {
        case drained(due: Bool)
        case received([[UInt8]])
        case opened
        case closed(String)
        case failed(TransportFailure)
    }
    let calls = Recorder<Call>()
    private struct State {
        var deadline: Instant?
        var toSend: [[UInt8]] = []
        var echoes = false
    }
    private let state = Locked(State())

    var nextDeadline: Instant? { state.withLock { $0.deadline } }

    /// Packets to give at the next drain.
    func send(_ packets: [[UInt8]]) { state.withLock { $0.toSend += packets } }
    /// Whether each packet received is sent back.
    func setEchoes(_ echoes: Bool) { state.withLock { $0.echoes = echoes } }
    func setDeadline(_ deadline: Instant?) { state.withLock { $0.deadline = deadline } }

    func drain(at now: Instant, into packets: inout [[UInt8]]) {
        let (isDue, toSend) = state.withLock { state in
            let isDue = state.deadline.map { $0 <= now } ?? false
            if isDue { state.deadline = nil }
            defer { state.toSend = [] }
            return (isDue, state.toSend)
        }
        packets += toSend
        calls.record(.drained(due: isDue))
    }

    func receive(_ received: [[UInt8]], at now: Instant, into packets: inout [[UInt8]]) {
        if state.withLock({ $0.echoes }) { packets += received }
        calls.record(.received(received))
    }

    func transportClosed(reason: String, at now: Instant, into packets: inout [[UInt8]]) {
        calls.record(.closed(reason))
    }
    func transportOpened(at now: Instant, into packets: inout [[UInt8]]) { calls.record(.opened) }
    func transportFailed(_ failure: TransportFailure, at now: Instant, into packets: inout [[UInt8]]) {
        calls.record(.failed(failure))
    }
}
