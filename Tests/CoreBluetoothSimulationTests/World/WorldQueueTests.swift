import CoreBluetoothSimulation
import Dispatch
import Foundation
import Testing

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
