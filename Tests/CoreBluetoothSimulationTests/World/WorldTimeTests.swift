import CoreBluetoothSimulation
import Dispatch
import Foundation
import Testing

/// What happened, in order, from any thread.
final class Diary: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    func write(_ line: String) { lock.withLock { lines.append(line) } }
    var entries: [String] { lock.withLock { lines } }
}

@Suite struct WorldTimeTests {
    private let world = World(seed: 1)
    private let diary = Diary()

    @Test func `begins at zero`() {
        #expect(world.now == .zero)
    }

    @Test func `moves by exactly what was asked`() {
        world.advance(by: .milliseconds(1_500))
        #expect(world.now == .milliseconds(1_500))
    }

    @Test func `has a date that begins with 2001`() {
        world.advance(by: .seconds(5))
        #expect(world.date == Date(timeIntervalSinceReferenceDate: 5))
    }

    @Test func `a timer runs when its time has come`() {
        let world = world
        world.after(2) { [diary] in diary.write("\(world.now)") }
        world.advance(by: .milliseconds(1_999))
        #expect(diary.entries == [])
        world.advance(by: .milliseconds(1))
        #expect(diary.entries == ["2.0 seconds"])
    }

    @Test func `timers of one instant run in the order they were made`() {
        for name in ["a", "b", "c"] { world.after(1) { [diary] in diary.write(name) } }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["a", "b", "c"])
    }

    @Test func `a repeating timer runs until it is cancelled`() {
        let timer = world.every(2) { [diary] in diary.write("tick") }
        world.advance(by: .seconds(7))
        #expect(diary.entries.count == 3)
        timer.cancel()
        world.advance(by: .seconds(10))
        #expect(diary.entries.count == 3)
    }

    @Test func `a cancelled timer never runs`() {
        world.after(1) { [diary] in diary.write("ran") }.cancel()
        world.advance(by: .seconds(2))
        #expect(diary.entries == [])
    }

    @Test func `a timer may make another`() {
        let world = world
        world.after(1) { [diary] in
            world.after(1) { diary.write("\(world.now)") }
        }
        world.advance(by: .seconds(3))
        #expect(diary.entries == ["2.0 seconds"])
    }

    @Test func `runs until a condition holds, and no longer`() {
        world.every(1) { [diary] in diary.write("tick") }
        #expect(world.run { diary.entries.count == 3 })
        #expect(world.now == .seconds(3))
    }

    @Test func `says when a condition didn't come to hold in time`() {
        #expect(!world.run(until: { false }, timeout: .seconds(10)))
        #expect(world.now == .seconds(10))
    }

    @Test func `a world that nobody keeps is freed, though a timer repeats`() {
        weak var weakly: World?
        do {
            let other = World(seed: 2)
            other.every(1) {}
            other.advance(by: .seconds(3))
            weakly = other
        }
        #expect(weakly == nil)
    }
}

@Suite struct WorldQueueTests {
    private let world = World(seed: 1)
    private let diary = Diary()
    private let queue = DispatchQueue(label: "own")

    private static let key = DispatchSpecificKey<String>()

    @Test func `work for a queue runs on it`() {
        queue.setSpecific(key: Self.key, value: "own")
        world.after(1, on: queue) { [diary] in
            diary.write(DispatchQueue.getSpecific(key: Self.key) ?? "none")
        }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["own"])
    }

    @Test func `work for the main queue runs on it`() {
        DispatchQueue.main.setSpecific(key: Self.key, value: "main")
        world.after(1, on: .main) { [diary] in
            dispatchPrecondition(condition: .onQueue(.main))
            diary.write("ran")
        }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["ran"])
    }

    @Test func `work for a concurrent queue keeps its order`() {
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        for number in 0..<100 { world.after(1, on: concurrent) { [diary] in diary.write("\(number)") } }
        world.advance(by: .seconds(1))
        #expect(diary.entries == (0..<100).map { "\($0)" })
    }

    @Test func `what a callback puts on the main queue has run before time moves`() {
        let world = world
        world.after(1, on: queue) { [diary] in
            DispatchQueue.main.async { diary.write("\(world.now)") }
        }
        world.after(1.000_001, on: queue) { [diary] in diary.write("later") }
        world.advance(by: .seconds(2))
        #expect(diary.entries == ["1.0 seconds", "later"])
    }

    @Test func `what goes from a queue to the main queue and back has run before time moves`() {
        let (world, queue) = (world, queue)
        world.after(1, on: queue) { [diary] in
            DispatchQueue.main.async {
                queue.async { diary.write("\(world.now)") }
            }
        }
        world.after(1.000_001, on: queue) { [diary] in diary.write("later") }
        world.advance(by: .seconds(2))
        #expect(diary.entries == ["1.0 seconds", "later"])
    }

    @Test func `time moves from a background queue too`() {
        let world = world
        world.after(1, on: queue) { [diary] in diary.write("own") }
        world.after(1, on: .main) { [diary] in diary.write("main") }
        let background = DispatchQueue(label: "background")
        let group = DispatchGroup()
        background.async(group: group) { world.advance(by: .seconds(2)) }
        group.wait()
        #expect(diary.entries == ["own", "main"])
    }

    @Test @MainActor func `on the main actor, work for the main queue runs at once`() {
        world.after(1, on: .main) { [diary] in diary.write("main") }
        world.after(1, on: queue) { [diary] in diary.write("own") }
        world.advance(by: .seconds(2))
        #expect(diary.entries == ["main", "own"])
    }

    @Test func `a callback that doesn't return is named`() {
        let world = World(seed: 1, watchdog: .milliseconds(50))
        let semaphore = DispatchSemaphore(value: 0)
        let diary = diary
        world.onBlockedCallback { blocked in
            diary.write("\(blocked.device) on \(blocked.queue ?? "none")")
            semaphore.signal()
        }
        world.after(1, on: queue) { semaphore.wait() }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["a timer on own"])
    }
}
