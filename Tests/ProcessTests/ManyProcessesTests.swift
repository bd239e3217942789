import BLETestSupport
import Foundation
import Glibc
import Testing

/// Many programs on one radio, some of which are killed.
@Suite struct ManyProcessesTests {
    private let fixture = ProcessFixture()

    @Test func `twenty peripherals and a central: those that are killed are reported, the others lose nothing`()
        async throws
    {
        let radio = try await fixture.startRadio()
        var bands: [ChildProcess] = []
        for _ in 0..<20 { bands.append(try fixture.start("BandPeripheral")) }
        for band in bands { try await band.line(containing: "advertising as") }
        let follower = BandFollower(fixture)
        defer { follower.stop() }

        // All of them are connected and subscribed to at once, and have sent something.
        try await follower.events.wait(within: 300) { events in
            let subscribed = events.filter { if case .subscribed = $0 { true } else { false } }
            return subscribed.count == 20
        }
        #expect(!follower.events.all.contains { if case .lost = $0 { true } else { false } })
        for band in bands { try await band.line(containing: "sent ") }

        let killed = Set(bands.indices.shuffled().prefix(8))
        for index in killed { bands[index].send(SIGKILL) }
        let lost = try await follower.events.wait(within: 120) { events in
            events.filter { if case .lost = $0 { true } else { false } }.count == 8
        }
        // With an error each: nobody asked for it.
        #expect(lost.allSatisfy { if case .lost(_, let withError) = $0 { withError } else { true } })

        // The others send on, and everything that they have sent arrives.
        let survivors = bands.indices.filter { !killed.contains($0) }.map { bands[$0] }
        let before = survivors.map { sent(by: $0).count }
        for (band, count) in zip(survivors, before) {
            try await band.lines.wait { lines in lines.filter { $0.hasPrefix("sent ") }.count >= count + 2 }
        }
        let sentByEach = survivors.map { sent(by: $0) }
        let gone = Set(lost.compactMap { if case .lost(let band, _) = $0 { band } else { nil } })
        try await follower.events.wait { events in
            let received = BandFollower.values(in: events).filter { !gone.contains($0.key) }.map(\.value)
            return Self.areBeginnings(sentByEach, of: received)
        }
        for band in survivors { band.send(SIGKILL) }
        radio.send(SIGTERM)
        #expect(try await radio.end() == .exited(0))
    }

    @Test func `a hosting program that is killed: resetting, its links lost with an error, powered on, found again`()
        async throws
    {
        // The first one hosts the radio; the second one is followed too.
        let host = try fixture.start("BandPeripheral")
        try await host.line(containing: "advertising as")
        let other = try fixture.start("BandPeripheral")
        try await other.line(containing: "advertising as")
        let follower = BandFollower(fixture)
        defer { follower.stop() }
        try await follower.events.wait { events in
            events.filter { if case .subscribed = $0 { true } else { false } }.count == 2
        }
        let seen = follower.events.all.count
        host.send(SIGKILL)
        let after = try await follower.events.wait { events in
            events.dropFirst(seen).contains { if case .subscribed = $0 { true } else { false } }
        }.dropFirst(seen)
        let states = after.compactMap { if case .state(let state) = $0 { state } else { nil } }
        #expect(states == [1, 5])
        let losses = after.compactMap { if case .lost(_, let withError) = $0 { withError } else { nil } }
        #expect(losses == [true, true])
        // The other peripheral went through the same.
        #expect(other.lines.all.contains("Bluetooth: failed to open (state 1)"))
        other.send(SIGKILL)
    }

    @Test func `a radio that stalls loses no link: its time stands still`() async throws {
        let radio = try await fixture.startRadio()
        let band = try fixture.start("BandPeripheral")
        try await band.line(containing: "advertising as")
        let follower = BandFollower(fixture)
        defer { follower.stop() }
        try await follower.events.first { if case .subscribed = $0 { true } else { false } }
        radio.send(SIGSTOP)
        // Longer than the supervision time-out of the link, and of each command that waits.
        await #expect(throws: Recorder<BandFollower.Event>.TimedOut.self) {
            try await follower.events.first(within: 3) { if case .lost = $0 { true } else { false } }
        }
        let before = follower.events.all.count
        radio.send(SIGCONT)
        let after = try await follower.events.wait { events in
            events.dropFirst(before).contains { if case .value = $0 { true } else { false } }
        }
        #expect(!after.contains { if case .lost = $0 { true } else { false } })
        band.send(SIGKILL)
        radio.send(SIGKILL)
    }

    /// Whether each list begins one of the others, each of which serves one list: whose is whose isn't known.
    private static func areBeginnings(_ lists: [[String]], of others: [[String]]) -> Bool {
        var left = others
        return lists.sorted { $0.count > $1.count }.allSatisfy { list in
            guard let index = left.firstIndex(where: { $0.starts(with: list) }) else { return false }
            left.remove(at: index)
            return true
        }
    }

    private func sent(by band: ChildProcess) -> [String] {
        band.lines.all.filter { $0.hasPrefix("sent ") }.map { String($0.dropFirst(5)) }
    }
}
