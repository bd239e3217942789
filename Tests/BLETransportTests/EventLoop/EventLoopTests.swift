import BLETransport
import BLEWire
import Dispatch
import Glibc
import BLELocking
import Testing

/// Counts what a loop calls, and lets a test wait for it.
private final class Calls: Sendable {
    struct Counts: Equatable, Sendable {
        var woken = 0
        var timeReached = 0
        var readable = 0
        var closed = 0
        var stopped = 0
    }
    private let counts = Locked(Counts())
    private let changed = DispatchSemaphore(value: 0)

    var now: Counts { counts.withLock { $0 } }

    func add(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
        changed.signal()
    }

    /// Waits until the counts fulfil the condition.
    func wait(_ isMatch: (Counts) -> Bool) -> Bool {
        while !isMatch(now) {
            if changed.wait(timeout: .now() + .seconds(60)) == .timedOut { return false }
        }
        return true
    }
}

private final class Client: LoopClient {
    let calls: Calls
    var deadline: Instant?
    private let clock: MonotonicClock
    private var descriptors: WatchedDescriptors?
    private var watched: [WatchToken: Int32] = [:]
    private var reader = DescriptorReader()

    init(_ calls: Calls, _ clock: MonotonicClock) {
        self.calls = calls
        self.clock = clock
    }

    var nextDeadline: Instant? { deadline }
    func start(_ descriptors: WatchedDescriptors) { self.descriptors = descriptors }
    func woken() { calls.add { $0.woken += 1 } }
    func timeReached() {
        deadline = nil
        calls.add { $0.timeReached += 1 }
    }
    func stop() {
        for descriptor in watched.values { close(descriptor) }
        calls.add { $0.stopped += 1 }
    }

    func watch(_ descriptor: Int32) {
        makeNonBlocking(descriptor)
        if let token = descriptors?.add(descriptor) { watched[token] = descriptor }
    }

    func setDeadline(in delay: Delay) { deadline = clock.now + delay }

    func ready(_ token: WatchToken, readable: Bool, writable: Bool) {
        guard readable, let descriptor = watched[token] else { return }
        var count = 0
        let end = reader.drain(descriptor) { count += $0.byteCount }
        if count > 0 { calls.add { [count] in $0.readable += count } }
        guard end == .closed else { return }
        descriptors?.remove(descriptor)
        watched[token] = nil
        close(descriptor)
        calls.add { $0.closed += 1 }
    }
}

@Suite struct EventLoopTests {
    private let calls = Calls()
    private let loop: EventLoop<Client>

    init() {
        let clock = MonotonicClock()
        loop = EventLoop(name: "test", clock: clock, client: Client(calls, clock))
    }

    private func pair() -> (Int32, Int32) {
        var pair: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        return (pair[0], pair[1])
    }

    @Test func `wakes its client`() {
        loop.wake()
        #expect(calls.wait { $0.woken == 1 })
        loop.wake()
        #expect(calls.wait { $0.woken == 2 })
        loop.stop()
    }

    @Test func `runs what it's given in order, from several threads, none of it lost`() {
        let order = Locked<[Int: [Int]]>([:])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<1000 {
                loop.perform { _ in order.withLock { $0[thread, default: []].append(number) } }
            }
        }
        loop.stop()
        #expect(order.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, Array(0..<1000)) }))
    }

    @Test func `answers with a result, and with none after it was stopped`() {
        #expect(loop.result { _ in 42 } == 42)
        loop.stop()
        #expect(loop.result { _ in 42 } == nil)
        #expect(!loop.perform { _ in })
    }

    @Test func `tells its client when the time has come, once`() {
        loop.perform { $0.setDeadline(in: .milliseconds(20)) }
        #expect(calls.wait { $0.timeReached == 1 })
        loop.stop()
        #expect(calls.now.timeReached == 1)
    }

    @Test func `follows a time that has moved while it slept`() {
        loop.perform { $0.setDeadline(in: .seconds(3600)) }
        #expect(loop.result { $0.deadline != nil } == true)
        loop.perform { $0.setDeadline(in: .zero) }
        #expect(calls.wait { $0.timeReached == 1 })
        loop.stop()
    }

    @Test func `tells what can be read, and the end`() {
        let (ours, theirs) = pair()
        loop.perform { $0.watch(ours) }
        _ = write(theirs, "abc", 3)
        #expect(calls.wait { $0.readable == 3 })
        _ = write(theirs, "de", 2)
        close(theirs)
        #expect(calls.wait { $0.readable == 5 && $0.closed == 1 })
        loop.stop()
    }

    @Test func `sees every one of many ends that come at once`() {
        // What a radio sees when many of its programs are killed.
        for _ in 0..<20 {
            let pairs = (0..<50).map { _ in pair() }
            let before = calls.now.closed
            loop.perform { client in for (ours, _) in pairs { client.watch(ours) } }
            DispatchQueue.concurrentPerform(iterations: pairs.count) { index in
                _ = write(pairs[index].1, "x", 1)
                close(pairs[index].1)
            }
            #expect(calls.wait { $0.closed == before + 50 })
        }
        loop.stop()
    }

    @Test func `stops once, whoever asks`() {
        loop.stop()
        loop.stop()
        #expect(calls.now.stopped == 1)
    }
}
