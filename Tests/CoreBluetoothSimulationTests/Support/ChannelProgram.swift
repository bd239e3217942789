import CoreBluetooth
import CoreBluetoothSimulation
import Foundation

/// One end of an L2CAP channel in a program: writes down the events of both streams, sends what it is given, and keeps
/// what it reads. Scheduled in the run loop of the thread that makes it.
final class ChannelEnd: NSObject, StreamDelegate, @unchecked Sendable {
    var channel: CBL2CAPChannel?
    let input: InputStream
    let output: OutputStream
    let diary = Diary()
    private(set) var received = Data()
    /// What is still to be sent.
    var outbox = Data()
    private(set) var written = 0
    /// Octets that one event reads at most; 0: none.
    var appetite = Int.max

    init(_ channel: CBL2CAPChannel) {
        self.channel = channel
        input = channel.inputStream
        output = channel.outputStream
        super.init()
        for stream in [input, output] as [Stream] {
            stream.delegate = self
            stream.schedule(in: .current, forMode: .default)
        }
    }

    func open() {
        input.open()
        output.open()
    }

    /// Reads once, as much as its appetite allows.
    @discardableResult
    func read(_ limit: Int = .max) -> Int {
        let limit = min(limit, appetite, 4096)
        guard limit > 0 else { return 0 }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = input.read(&buffer, maxLength: limit)
        if count > 0 { received.append(contentsOf: buffer[..<count]) }
        return count
    }

    func write() {
        while !outbox.isEmpty {
            let piece = Array(outbox.prefix(4096))
            let count = output.write(piece, maxLength: piece.count)
            guard count > 0 else { return }
            written += count
            outbox = outbox.dropFirst(count)
        }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        let side = stream === input ? "input" : "output"
        switch event {
        case .openCompleted: diary.write("\(side) open")
        case .hasBytesAvailable:
            diary.write("\(side) bytes")
            read()
        case .hasSpaceAvailable:
            diary.write("\(side) space")
            write()
        case .endEncountered: diary.write("\(side) end")
        case .errorOccurred: diary.write("\(side) error \(text(stream.streamError))")
        default: diary.write("\(side) \(event.rawValue)")
        }
    }
}

/// Two phones in a world, linked, of which the second has published a channel.
final class ChannelPair {
    let world: World
    let central: CentralProgram
    let server: PeripheralProgram
    let peripheral: CBPeripheral
    private(set) var psm: CBL2CAPPSM = 0

    init?(_ world: World = World(seed: 9), profile: PhoneProfile = PhoneProfile()) {
        self.world = world
        central = CentralProgram(world, on: world.addPhone("central", profile: profile))
        server = PeripheralProgram(world, on: world.addPhone("server", profile: profile))
        guard server.publish([PeripheralProgram.service("AA00")], name: "server") else { return nil }
        guard let peripheral = central.find("server"), central.connect(peripheral) else { return nil }
        self.peripheral = peripheral
        guard let psm = publish() else { return nil }
        self.psm = psm
    }

    /// Publishes a channel and lets time go by until that is told.
    func publish(encrypted isEncrypted: Bool = false) -> CBL2CAPPSM? {
        let before = server.psms.count
        server.manager.publishL2CAPChannel(withEncryption: isEncrypted)
        guard world.run(until: { self.server.psms.count > before }, timeout: .seconds(1)) else { return nil }
        return server.psms.last
    }

    /// Opens a channel and lets time go by until both sides have it.
    func open() -> (central: ChannelEnd, server: ChannelEnd)? {
        let (ours, theirs) = (central.channels.count, server.channels.count)
        peripheral.openL2CAPChannel(psm)
        let isOpen = world.run(
            until: { self.central.channels.count > ours && self.server.channels.count > theirs },
            timeout: .seconds(5))
        guard isOpen else { return nil }
        // The programs keep them by their ends alone.
        let ends = (
            central: ChannelEnd(central.channels.removeLast()), server: ChannelEnd(server.channels.removeLast())
        )
        return ends
    }
}
