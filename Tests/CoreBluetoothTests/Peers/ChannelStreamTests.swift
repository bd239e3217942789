import BLEBackend
import BLELocking
import BLEWire
import CoreBluetooth
import Foundation
import Testing

/// The streams of an L2CAP channel in real time: run loops, polling, threads.
@Suite struct ChannelStreamTests {
    /// Keeps the channels that a peripheral opens.
    private final class Keeper: NSObject, CBPeripheralDelegate, @unchecked Sendable {
        var channels: [CBL2CAPChannel] = []
        var errors: [(any Error)?] = []
        func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
            if let channel { channels.append(channel) }
            errors.append(error)
        }
    }

    /// Writes the events of streams down, and where they came.
    private final class Listener: NSObject, StreamDelegate, @unchecked Sendable {
        let lines = Locked<[String]>([])
        let threads = Locked<Set<ObjectIdentifier>>([])
        func stream(_ stream: Stream, handle event: Stream.Event) {
            let text =
                switch event {
                case .openCompleted: "open"
                case .hasBytesAvailable: "bytes"
                case .hasSpaceAvailable: "space"
                case .endEncountered: "end"
                case .errorOccurred: "error"
                default: "\(event.rawValue)"
                }
            let thread = ObjectIdentifier(Thread.current)
            lines.withLock { $0.append(text) }
            threads.withLock { _ = $0.insert(thread) }
        }
        var all: [String] { lines.withLock { $0 } }
    }

    private let bench = CentralBench()
    private let peripheral: CBPeripheral
    private let keeper = Keeper()
    private let pipe = ChannelPipe(capacity: 4) {}
    private let listener = Listener()

    init() {
        peripheral = bench.connect()
        peripheral.delegate = keeper
    }

    private func open() throws -> CBL2CAPChannel {
        bench.play(.channelOpened(bench.peer, psm: 0x81, .success(pipe)))
        return try #require(keeper.channels.first)
    }

    /// Lets this thread's run loop run until the listener was told so many events.
    private func run(until count: Int) {
        for _ in 0..<1000 where listener.all.count < count {
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
    }

    /// Gives the run loop a moment in which nothing is to come.
    private func idle() { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02)) }

    @Test func `asks the backend for the channel, and gives what it answers to the delegate`() throws {
        peripheral.openL2CAPChannel(0x81)
        #expect(bench.backend.takeCommands() == [.openChannel(bench.peer, psm: 0x81)])
        let channel = try open()
        #expect(channel.psm == 0x81)
        #expect(channel.peer === peripheral)
        bench.play(.channelOpened(bench.peer, psm: 0x81, .failure(BackendError(.att(.insufficientEncryption)))))
        #expect(keeper.channels.count == 1)
        #expect((keeper.errors.last as? CBATTError)?.code == .insufficientEncryption)
    }

    @Test func `tells events on the thread of the run loop, woken from another one`() throws {
        let input = try #require(try open().inputStream)
        input.delegate = listener
        input.schedule(in: .current, forMode: .default)
        input.open()
        run(until: 1)
        DispatchQueue.global().async { [pipe] in pipe.receive([1, 2, 3]) }
        run(until: 2)
        var buffer = [UInt8](repeating: 0, count: 2)
        #expect(input.read(&buffer, maxLength: 2) == 2)
        run(until: 3)
        #expect(input.read(&buffer, maxLength: 2) == 1)
        DispatchQueue.global().async { [pipe] in pipe.finish(.closed) }
        run(until: 4)
        idle()
        #expect(listener.all == ["open", "bytes", "bytes", "end"])
        #expect(listener.threads.withLock { $0 } == [ObjectIdentifier(Thread.current)])
        #expect(input.streamStatus == .atEnd)
        #expect(input.streamError == nil)
    }

    @Test func `tells room once, and again when a write has used it and the backend has taken`() throws {
        let output = try #require(try open().outputStream)
        output.delegate = listener
        output.schedule(in: .current, forMode: .default)
        output.open()
        run(until: 2)
        #expect(output.write([1, 2, 3, 4, 5], maxLength: 5) == 4)
        idle()
        #expect(listener.all == ["open", "space"])
        #expect(pipe.take(10) == [1, 2, 3, 4])
        run(until: 3)
        #expect(listener.all == ["open", "space", "space"])
    }

    @Test func `a failed channel gives what came before, then its error`() throws {
        let input = try #require(try open().inputStream)
        input.open()
        pipe.receive([7])
        pipe.finish(.failed(BackendError(.connectionTimeout)))
        #expect(input.streamStatus == .open)
        var buffer: [UInt8] = [0, 0]
        #expect(input.read(&buffer, maxLength: 2) == 1)
        #expect(input.read(&buffer, maxLength: 2) == -1)
        #expect(input.streamStatus == .error)
        #expect((input.streamError as? CBError)?.code == .connectionTimeout)
    }

    @Test func `both streams closed close the channel, one alone doesn't`() throws {
        let channel = try open()
        channel.inputStream.open()
        channel.outputStream.open()
        channel.inputStream.close()
        #expect(!pipe.isClosedByProgram)
        channel.inputStream.close()
        #expect(!pipe.isClosedByProgram)
        channel.outputStream.close()
        #expect(pipe.isClosedByProgram)
        #expect(channel.outputStream.streamStatus == .closed)
    }

    @Test func `a channel of a central that nobody keeps closes`() {
        let bench = PeripheralBench()
        bench.play(.channelAccepted(central: bench.central, psm: 0x81, pipe))
        #expect(pipe.isClosedByProgram)
    }

    @Test func `a channel without a peer is empty`() {
        let channel = CBL2CAPChannel()
        #expect(channel.peer == nil)
        #expect(channel.inputStream == nil)
        #expect(channel.outputStream == nil)
        #expect(channel.psm == 0)
    }
}
