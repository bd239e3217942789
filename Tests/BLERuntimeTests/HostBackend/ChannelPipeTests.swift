import BLEBackend
import BLELocking
import Testing

/// The octets of a channel between a program and its backend.
@Suite struct ChannelPipeTests {
    private final class Watcher: ChannelObserver {
        let count = Locked(0)
        func channelChanged() { count.withLock { $0 += 1 } }
        func take() -> Int {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }
    }
    private let demands = Watcher()
    private let observer = Watcher()
    private let pipe: ChannelPipe

    init() {
        pipe = ChannelPipe(capacity: 8) { [demands] in demands.channelChanged() }
        pipe.add(observer)
    }

    @Test func `takes no more than there is room for`() {
        #expect(pipe.write([1, 2, 3, 4, 5]) == 5)
        #expect(pipe.room == 3)
        #expect(pipe.write([6, 7, 8, 9, 10]) == 3)
        #expect(pipe.write([11]) == 0)
        #expect(pipe.take(6) == [1, 2, 3, 4, 5, 6])
        #expect(pipe.room == 6)
        #expect(pipe.take(100) == [7, 8])
        #expect(pipe.take(100) == [])
    }

    @Test func `asks the backend once until it has looked`() {
        pipe.receive([1, 2, 3])
        #expect(pipe.read(2) == [1, 2])
        #expect(pipe.write([1]) == 1)
        #expect(demands.take() == 1)
        #expect(pipe.look() == .init(read: 2, isClosed: false))
        #expect(pipe.read(2) == [3])
        #expect(demands.take() == 1)
        #expect(pipe.look() == .init(read: 1, isClosed: false))
        #expect(pipe.read(2) == [])
        #expect(demands.take() == 0)
    }

    @Test func `tells observers what the backend does, not what the program does`() {
        pipe.receive([1])
        #expect(observer.take() == 1)
        _ = pipe.read(1)
        _ = pipe.write([1, 2])
        #expect(observer.take() == 0)
        _ = pipe.take(1)
        #expect(observer.take() == 1)
        pipe.finish(.closed)
        #expect(observer.take() == 1)
    }

    @Test func `what came before the end can be read after it, and nothing is written any more`() {
        pipe.receive([1, 2])
        pipe.finish(.failed(BackendError(.connectionTimeout)))
        #expect(pipe.read(1) == [1])
        #expect(pipe.write([9]) == 0)
        #expect(pipe.room == 0)
        #expect(pipe.read(5) == [2])
        #expect(pipe.end == .failed(BackendError(.connectionTimeout)))
    }

    @Test func `a program that closes leaves what it has written and drops what it hasn't read`() {
        _ = pipe.write([1, 2])
        pipe.receive([3])
        pipe.close()
        pipe.receive([4])
        #expect(pipe.available == 0)
        #expect(pipe.look() == .init(read: 0, isClosed: true))
        #expect(pipe.take(10) == [1, 2])
        #expect(pipe.end == .closed)
    }

    @Test func `the first end counts`() {
        pipe.finish(.failed(BackendError(.unknown)))
        pipe.finish(.closed)
        pipe.close()
        #expect(pipe.end == .failed(BackendError(.unknown)))
    }

    @Test func `keeps the order of a million octets through a small queue`() {
        var next: UInt8 = 0
        var expected: UInt8 = 0
        var read = 0
        while read < 1_000_000 {
            pipe.receive((0..<5).map { next &+ UInt8($0) })
            next &+= 5
            for octet in pipe.read(7) {
                guard octet == expected else {
                    Issue.record("octet \(read) is \(octet)")
                    return
                }
                expected &+= 1
                read += 1
            }
        }
    }
}
