import CoreBluetoothSimulation
import Dispatch
import Foundation
import Testing

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
