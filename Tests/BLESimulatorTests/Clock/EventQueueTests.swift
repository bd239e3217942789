import BLESimulator
import BLEWire
import Testing

@Suite struct EventQueueTests {
    private func drained(_ queue: EventQueue<String>) -> [String] {
        var queue = queue
        var all: [String] = []
        while let (_, payload) = queue.pop(dueAt: .never) { all.append(payload) }
        return all
    }

    @Test func `gives entries in the order of their times`() {
        var queue = EventQueue<String>()
        queue.push("c", at: Instant(nanoseconds: 30))
        queue.push("a", at: Instant(nanoseconds: 10))
        queue.push("b", at: Instant(nanoseconds: 20))
        #expect(drained(queue) == ["a", "b", "c"])
    }

    @Test func `gives entries of one instant in the order they were put in`() {
        var queue = EventQueue<String>()
        let names = (0..<100).map { "\($0)" }
        for name in names { queue.push(name, at: .start) }
        #expect(drained(queue) == names)
    }

    @Test func `keeps what isn't due`() {
        var queue = EventQueue<String>()
        queue.push("a", at: Instant(nanoseconds: 10))
        #expect(queue.pop(dueAt: Instant(nanoseconds: 9)) == nil)
        #expect(queue.nextTime == Instant(nanoseconds: 10))
        #expect(queue.pop(dueAt: Instant(nanoseconds: 10))?.payload == "a")
    }

    @Test func `sorts ten thousand entries`() {
        var queue = EventQueue<Int>()
        var random = EntityGenerator(seed: 1, entity: 1)
        for _ in 0..<10_000 {
            let time = Int64.random(in: 0..<1_000, using: &random)
            queue.push(Int(time), at: Instant(nanoseconds: time))
        }
        var last = -1
        while let (_, payload) = queue.pop(dueAt: .never) {
            #expect(payload >= last)
            last = payload
        }
        #expect(queue.isEmpty)
    }
}
