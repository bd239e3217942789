import BLEDevices
import BLEWire
import Testing

/// A device with a clock that the test moves.
private struct Bench {
    var machine: DeviceMachine
    var now = Instant.start

    init(_ lines: String) throws {
        machine = DeviceMachine(try device(file(lines)))
        machine.start(at: now, noon)
    }

    mutating func `do`(_ input: DeviceMachine.Input) -> [DeviceMachine.Output] {
        var outputs: [DeviceMachine.Output] = []
        machine.handle(input, at: now, noon, into: &outputs)
        return outputs
    }

    mutating func pass(_ time: Delay) -> [DeviceMachine.Output] {
        var outputs: [DeviceMachine.Output] = []
        let end = now + time
        while machine.nextDeadline <= end {
            now = machine.nextDeadline
            machine.tick(at: now, noon, into: &outputs)
        }
        now = end
        return outputs
    }

    /// The first octets of the values that go out in so many seconds.
    mutating func octets(in seconds: Int64) -> [UInt8] {
        pass(.seconds(seconds)).compactMap { if case .update(_, let octets, _) = $0 { octets.first } else { nil } }
    }
}

/// What a described device does.
@Suite struct DeviceMachineTests {
    @Test func `a read is answered from its offset, and past the end refused`() throws {
        var bench = try Bench("value: {text: hello}")
        #expect(bench.do(.read(1, 0, offset: 0, 7)) == [.answer(1, error: 0, value: Array("hello".utf8))])
        #expect(bench.do(.read(2, 0, offset: 3, 7)) == [.answer(2, error: 0, value: Array("lo".utf8))])
        #expect(bench.do(.read(3, 0, offset: 5, 7)) == [.answer(3, error: 0, value: [])])
        #expect(bench.do(.read(4, 0, offset: 6, 7)) == [.answer(4, error: 7, value: nil)])
        var silent = try Bench("properties: notify")
        #expect(silent.do(.read(1, 0, offset: 0, 7)) == [.answer(1, error: 2, value: nil)])
    }

    @Test func `a course runs while somebody is subscribed, and goes on where it was`() throws {
        var bench = try Bench("properties: notify\nvalue: {u8: {ramp: [60, 63]}}\nevery: 1 s")
        #expect(bench.machine.nextDeadline == .never)
        #expect(bench.do(.subscribed(0, 1)).isEmpty)
        #expect(bench.octets(in: 5) == [61, 62, 63, 60, 61])
        _ = bench.do(.subscribed(0, 2))
        _ = bench.do(.unsubscribed(0, 1))
        #expect(bench.octets(in: 1) == [62])
        _ = bench.do(.unsubscribed(0, 2))
        #expect(bench.octets(in: 3).isEmpty)
        _ = bench.do(.subscribed(0, 3))
        #expect(bench.octets(in: 1) == [63])
    }

    @Test func `a course that always runs moves without anybody, and tells nobody`() throws {
        var bench = try Bench(
            "properties: [read, notify]\nvalue: {u8: {ramp: [9, 0], step: 2}}\nevery: 1 s\nruns: always")
        #expect(bench.octets(in: 3).isEmpty)
        #expect(bench.do(.read(1, 0, offset: 0, 1)) == [.answer(1, error: 0, value: [3])])
    }

    @Test(arguments: [
        ("{ramp: [1, 3]}", [2, 3, 1, 2, 3, 1] as [UInt8]), ("{ramp: [1, 3], then: stay}", [2, 3, 3, 3, 3, 3]),
        ("{ramp: [1, 3], then: turn}", [2, 3, 2, 1, 2, 3]), ("{ramp: [5, 1], step: 2}", [3, 1, 5, 3, 1, 5]),
        ("{sequence: [7, 9, 8]}", [9, 8, 7, 9, 8, 7]), ("{sequence: [7, 9], then: stay}", [9, 9, 9, 9, 9, 9]),
    ])
    func `courses of numbers`(course: String, expected: [UInt8]) throws {
        var bench = try Bench("properties: notify\nvalue: {u8: \(course)}\nevery: 1 s")
        _ = bench.do(.subscribed(0, 1))
        #expect(bench.octets(in: 6) == expected)
    }

    @Test func `noise and walks stay within their limits, and are the same for the same seed`() throws {
        let lines = "properties: notify\nvalue: [{u8: {around: 100, noise: 5}}]\nevery: 1 s"
        var (first, second) = (try Bench(lines), try Bench(lines))
        _ = first.do(.subscribed(0, 1))
        _ = second.do(.subscribed(0, 1))
        let values = first.octets(in: 200)
        #expect(values == second.octets(in: 200))
        #expect(values.min()! >= 95 && values.max()! <= 105 && Set(values).count > 5)
        var walk = try Bench("properties: notify\nvalue: {u8: {walk: 10, by: 3, within: [8, 13]}}\nevery: 1 s")
        _ = walk.do(.subscribed(0, 1))
        let steps = walk.octets(in: 200)
        #expect(steps.min() == 8 && steps.max() == 13)
    }

    @Test func `one value follows another, and texts and the time are parts`() throws {
        let text = """
            services:
              - uuid: FFF0
                characteristics:
                  - uuid: FFF1
                    properties: [notify]
                    value: {i16: {follow: FFF2, from: 10, by: 0.5}, places: 1}
                    every: 1 s
                  - uuid: FFF2
                    properties: [read, write]
                    value: {i16: 20, places: 1}
                  - uuid: FFF3
                    properties: [read]
                    value:
                      - text: "at "
                      - time: HH:mm:ss
                      - value-of: FFF2
            """
        var machine = DeviceMachine(try device(text))
        var outputs: [DeviceMachine.Output] = []
        machine.start(at: .start, noon)
        machine.handle(.subscribed(0, 1), at: .start, noon, into: &outputs)
        machine.tick(at: .start + .seconds(2), noon, into: &outputs)
        #expect(outputs == [.update(0, [150, 0], isOfCourse: true), .update(0, [175, 0], isOfCourse: true)])
        outputs = []
        machine.handle(.read(1, 2, offset: 0, 1), at: .start, noon, into: &outputs)
        #expect(outputs == [.answer(1, error: 0, value: Array("at 12:05:09".utf8) + [200, 0])])
    }

    @Test func `what is written is the value afterwards, pieces put together, all or nothing`() throws {
        var bench = try Bench("properties: [read, write]\nvalue: {text: abc}")
        #expect(
            bench.do(.write(1, [.init(0, [1, 2]), .init(0, offset: 2, [3])], 5))
                == [.wrote(0, [1, 2, 3], 5, error: 0), .answer(1, error: 0, value: nil)])
        #expect(bench.machine.value(of: 0) == [1, 2, 3])
        #expect(
            bench.do(.write(2, [.init(0, offset: 1, [9])], 5))
                == [.wrote(0, [1, 9], 5, error: 0), .answer(2, error: 0, value: nil)])
        #expect(
            bench.do(.write(3, [.init(0, [7]), .init(0, offset: 5, [9])], 5)) == [.answer(3, error: 7, value: nil)])
        #expect(
            bench.do(.write(4, [.init(0, [UInt8](repeating: 0, count: 513))], 5)) == [
                .answer(4, error: 0x0D, value: nil)
            ])
        #expect(bench.machine.value(of: 0) == [1, 9])
        var closed = try Bench("properties: read")
        #expect(closed.do(.write(1, [.init(0, [7])], 5)) == [.answer(1, error: 3, value: nil)])
    }

    @Test func `the first rule that fits is carried out: say, set, answer, notify, disconnect`() throws {
        var bench = try Bench(
            """
            properties: [read, write, notify]
            value: {text: closed}
            writes:
              - match: {equals: {text: open}}
                say: it opens
                set: {text: open}
                notify:
                  - value: [{hex: 01}, {written: all}]
                  - value: {written: [1, 2]}
                    after: 2 s
                disconnect: yes
              - match: {begins: {hex: FF}}
                error: 0x80
              - match: {octets: [2, 3]}
                delay: 1 s
                keep: no
              - error: write-not-permitted
            """)
        _ = bench.do(.subscribed(0, 5))
        let open = Array("open".utf8)
        #expect(
            bench.do(.write(1, [.init(0, open)], 5)) == [
                .wrote(0, open, 5, error: 0), .says("it opens"), .answer(1, error: 0, value: nil),
                .update(0, [1] + open, isOfCourse: false), .disconnect(5),
            ])
        #expect(bench.machine.value(of: 0) == open)
        #expect(bench.pass(.seconds(3)) == [.update(0, Array("pe".utf8), isOfCourse: false)])
        #expect(
            bench.do(.write(2, [.init(0, [0xFF, 1])], 5))
                == [.wrote(0, [0xFF, 1], 5, error: 0x80), .answer(2, error: 0x80, value: nil)])
        #expect(bench.do(.write(3, [.init(0, [1, 2])], 5)).isEmpty)
        #expect(bench.pass(.seconds(1)) == [.wrote(0, [1, 2], 5, error: 0), .answer(3, error: 0, value: nil)])
        #expect(
            bench.do(.write(4, [.init(0, [1])], 5))
                == [.wrote(0, [1], 5, error: 3), .answer(4, error: 3, value: nil)])
        #expect(bench.machine.value(of: 0) == open)
    }

    @Test func `a rule for a number looks at its type and its limits`() throws {
        var bench = try Bench(
            "properties: write\nwrites: [{match: {number: [5, 30], type: i16, places: 2}}, {error: 0x80}]")
        func error(_ octets: [UInt8]) -> UInt8? {
            if case .answer(_, let error, _) = bench.do(.write(1, [.init(0, octets)], 1)).last { error } else { nil }
        }
        #expect(error([0x66, 0x08]) == 0)
        #expect(error([0xB8, 0x0B]) == 0)
        #expect(error([0xB9, 0x0B]) == 0x80)
        #expect(error([0x66]) == 0x80)
    }

    @Test func `a sequence plays its steps, each after its time`() throws {
        var bench = try Bench(
            """
            properties: [read, notify]
            value: {u8: 0}
            sequence:
              steps:
                - after: 1 s
                  value: {u8: 1}
                - after: 500 ms
                  value: {u8: 2}
              then: stay
            """)
        _ = bench.do(.subscribed(0, 1))
        #expect(bench.pass(.seconds(1)) == [.update(0, [1], isOfCourse: false)])
        #expect(bench.pass(.milliseconds(499)).isEmpty)
        #expect(bench.pass(.seconds(9)) == [.update(0, [2], isOfCourse: false)])
        #expect(bench.do(.read(1, 0, offset: 0, 1)) == [.answer(1, error: 0, value: [2])])
    }

    @Test func `faults strike on their occasion`() throws {
        var bench = try Bench(
            """
            properties: [read, write, notify]
            value: {u8: {ramp: [0, 99]}}
            every: 1 s
            faults:
              - on: read
                error: insufficient-resources
                every: 3
                skip: 1
              - on: write
                silent: yes
                skip: 1
              - on: notify
                silent: yes
                every: 2
            """)
        let errors = (0..<6).map { number -> UInt8 in
            for case .answer(_, let error, _) in bench.do(.read(number, 0, offset: 0, 1)) { return error }
            return 0xEE
        }
        #expect(errors == [0, 0x11, 0, 0, 0x11, 0])
        #expect(bench.do(.write(1, [.init(0, [1])], 1)).last == .answer(1, error: 0, value: nil))
        let answers = bench.do(.write(2, [.init(0, [2])], 1))
        #expect(answers.count == 2 && answers.last == .wrote(0, [2], 1, error: 0))
        _ = bench.do(.subscribed(0, 1))
        #expect(bench.octets(in: 6) == [2, 4, 6])
    }

    @Test func `a subscription may end the link, and a device that is switched off does nothing more`() throws {
        var bench = try Bench(
            "properties: [write, notify]\nvalue: {u8: {ramp: [0, 9]}}\nevery: 1 s\nwrites: [{delay: 1 s}]\n"
                + "faults: [{on: subscribe, disconnect: yes, skip: 1}, {on: notify, disconnect: yes, skip: 1}]")
        #expect(bench.do(.subscribed(0, 1)).isEmpty)
        #expect(bench.do(.subscribed(0, 2)).last == .disconnect(2))
        #expect(bench.octets(in: 1) == [1])
        // All that are subscribed are ended, whose names the machine doesn't know.
        #expect(bench.pass(.seconds(1)).last == .disconnect(DeviceMachine.allSubscribers(of: 0)))
        _ = bench.do(.write(1, [.init(0, [1])], 1))
        bench.machine.stop()
        #expect(bench.machine.nextDeadline == .never)
        #expect(bench.pass(.seconds(9)).isEmpty)
    }

    @Test func `slow answers come late, and a link is ended`() throws {
        var bench = try Bench("value: {u8: 5}\nfaults: [{on: read, delay: 2 s, every: 2}, {on: read, disconnect: yes}]")
        #expect(bench.do(.read(1, 0, offset: 0, 4)).count == 1)
        #expect(bench.pass(.milliseconds(1999)).isEmpty)
        #expect(bench.pass(.milliseconds(1)) == [.answer(1, error: 0, value: [5])])
        let outputs = bench.do(.read(2, 0, offset: 0, 4))
        #expect(outputs.count == 2 && outputs.last == .disconnect(4))
    }
}

@Suite struct UpdateQueueTests {
    @Test func `of a course only the newest value waits, of the rest all in their order`() {
        var queue = UpdateQueue()
        queue.push(0, [1], isOfCourse: true)
        queue.push(1, [2], isOfCourse: false)
        queue.push(0, [3], isOfCourse: true)
        queue.push(1, [4], isOfCourse: false)
        var octets: [[UInt8]] = []
        while let first = queue.first {
            octets.append(first.octets)
            queue.removeFirst()
        }
        #expect(octets == [[2], [3], [4]])
    }

    @Test func `there is room for so many, and a characteristic's values can be forgotten`() {
        var queue = UpdateQueue()
        let taken = (0...UpdateQueue.limit).map { _ in queue.push(0, [1], isOfCourse: false) }
        #expect(taken.count { $0 } == UpdateQueue.limit && taken.last == false)
        queue.forget(0)
        #expect(queue.isEmpty)
    }
}
