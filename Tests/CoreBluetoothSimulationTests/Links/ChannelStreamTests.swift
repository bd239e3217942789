import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Streams of octets over L2CAP channels.
@Suite struct ChannelStreamTests {
    /// The link that a phone would use, quick enough for a stream.
    private var quick: PhoneProfile {
        var profile = PhoneProfile()
        profile.connectionInterval = .milliseconds(15)
        return profile
    }

    private static func octets(_ count: Int, seed: UInt64) -> Data {
        var state = seed
        var data = Data(capacity: count + 8)
        while data.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state.byteSwapped) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    @Test func `five megabytes both ways at once arrive octet for octet through a slow reader, in flat memory`() throws
    {
        let pair = try #require(ChannelPair(World(seed: 5), profile: quick))
        let (central, server) = try #require(pair.open())
        let size = 5_000_000
        let (down, up) = (Self.octets(size, seed: 1), Self.octets(size, seed: 2))
        server.outbox = down
        central.outbox = up
        // The central reads as things come; the server only now and then, less than the link could bring.
        server.appetite = 0
        central.open()
        server.open()
        let reader = pair.world.every(0.02) {
            server.appetite = 4096
            server.read()
            server.appetite = 0
        }
        var most = (up: 0, down: 0)
        let isDone = pair.world.run(
            until: {
                most.up = max(most.up, central.written - server.received.count)
                most.down = max(most.down, server.written - central.received.count)
                return server.received.count >= size && central.received.count >= size
            }, timeout: .seconds(600))
        reader.cancel()
        #expect(isDone)
        #expect(server.received == up)
        #expect(central.received == down)
        // What is written and not read lies in the queues of both sides, which don't grow: 16 KiB for the program, 8 KiB
        // and one SDU for the host, and what 64 credits let come.
        let bound = 16_384 + 8_192 + 4_096 + 64 * 247 + 2_048
        #expect(most.up <= bound)
        #expect(most.down <= bound)
        // The slow side was really held up.
        #expect(most.up > bound / 2)
    }

    @Test func `a stream that isn't scheduled works by polling`() throws {
        let pair = try #require(ChannelPair())
        pair.peripheral.openL2CAPChannel(pair.psm)
        pair.world.run(until: { !pair.central.channels.isEmpty && !pair.server.channels.isEmpty })
        let (ours, theirs) = (pair.central.channels[0], pair.server.channels[0])
        ours.outputStream.open()
        theirs.inputStream.open()
        #expect(ours.outputStream.hasSpaceAvailable)
        #expect(ours.outputStream.write([1, 2, 3], maxLength: 3) == 3)
        pair.world.run(until: { theirs.inputStream.hasBytesAvailable }, timeout: .seconds(1))
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(theirs.inputStream.read(&buffer, maxLength: 8) == 3)
        #expect(buffer.prefix(3) == [1, 2, 3])
        #expect(theirs.inputStream.read(&buffer, maxLength: 8) == 0)
        #expect(theirs.inputStream.streamStatus == .open)
    }

    @Test func `without room a write takes nothing, and one event says when there is room again`() throws {
        let pair = try #require(ChannelPair())
        let (central, server) = try #require(pair.open())
        server.appetite = 0
        central.open()
        server.open()
        central.outbox = Data(count: 200_000)
        pair.world.advance(by: .seconds(5))
        #expect(central.written < 60_000)
        #expect(central.output.write([1], maxLength: 1) == 0)
        #expect(!central.output.hasSpaceAvailable)
        let events = central.diary.count("output space")
        pair.world.advance(by: .seconds(5))
        #expect(central.diary.count("output space") == events)
        server.appetite = .max
        server.read(1)
        pair.world.run(until: { server.received.count == 200_000 }, timeout: .seconds(60))
        #expect(server.received.count == 200_000)
        #expect(central.diary.count("output space") > events)
    }

    @Test func `bytes are told once until the program has read`() throws {
        let pair = try #require(ChannelPair())
        let (central, server) = try #require(pair.open())
        server.appetite = 0
        central.open()
        server.open()
        for number in 0..<3 {
            central.outbox = Data([UInt8(number)])
            central.write()
            pair.world.advance(by: .milliseconds(200))
        }
        #expect(server.diary.count("input bytes") == 1)
        server.appetite = 1
        server.read()
        pair.world.advance(by: .milliseconds(200))
        #expect(server.received == Data([0, 1, 2]))
        #expect(server.diary.count("input bytes") == 3)
    }

    @Test func `a stream that is taken out of its run loop is told nothing`() throws {
        let pair = try #require(ChannelPair())
        let (central, server) = try #require(pair.open())
        central.open()
        server.open()
        pair.world.advance(by: .milliseconds(1))
        server.input.remove(from: .current, forMode: .default)
        central.outbox = Data([1])
        central.write()
        pair.world.advance(by: .seconds(1))
        #expect(server.diary.count("input bytes") == 0)
        #expect(server.input.hasBytesAvailable)
        server.input.schedule(in: .current, forMode: .default)
        pair.world.advance(by: .milliseconds(1))
        #expect(server.received == Data([1]))
    }

    @Test func `the same seed gives the same run`() throws {
        func run() throws -> (UInt64, [String]) {
            let pair = try #require(ChannelPair(World(seed: 11)))
            let (central, server) = try #require(pair.open())
            central.outbox = Self.octets(50_000, seed: 3)
            server.outbox = Self.octets(30_000, seed: 4)
            central.open()
            server.open()
            pair.world.run(until: { server.received.count == 50_000 && central.received.count == 30_000 })
            return (pair.world.traceHash, central.diary.entries + server.diary.entries)
        }
        let (first, second) = (try run(), try run())
        #expect(first.0 == second.0)
        #expect(first.1 == second.1)
    }
}
