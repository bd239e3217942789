import BLERuntime
import BLETransport
import BLEWire
import Glibc

/// A host without a stack: speaks HCI to a hosted radio by hand.
final class RadioClient {
    struct TimedOut: Error {}
    struct Closed: Error {
        let reason: String
    }

    let transport: StreamTransport
    private var packets: [[UInt8]] = []

    init(_ descriptor: Int32) { transport = StreamTransport(descriptor: descriptor) }

    /// Joins over a socket pair.
    convenience init(_ radio: HostedRadio, as device: RadioName? = nil) {
        var pair: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        radio.join(pair[1], as: device)
        self.init(pair[0])
    }

    func send(_ packets: [UInt8]...) { _ = transport.send(packets) }

    /// Waits for a packet that is wanted; those before it are dropped.
    func next<Result>(_ match: (HCIPacket) -> Result?) throws -> Result {
        while true {
            while !packets.isEmpty {
                if let result = match(try HCIPacket(decoding: packets.removeFirst())) { return result }
            }
            var wait = pollfd(fd: transport.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { throw TimedOut() }
            if case .closed(let reason) = transport.receive(into: &packets), packets.isEmpty {
                throw Closed(reason: reason)
            }
        }
    }

    /// Sends a command and waits for its Command Complete.
    @discardableResult
    func perform<Command: HCICommandPDU>(_ command: Command) throws -> Command.ReturnParameters {
        send(command.packet())
        return try next { packet in
            guard case .event(.commandComplete(let answer)) = packet, answer.opcode == Command.opcode else {
                return nil
            }
            return try? answer.returned(by: Command.self)
        }
    }

    /// The addresses in the next advertising report.
    func nextReport() throws -> [DeviceAddress] {
        try next { packet in
            guard case .event(.leAdvertisingReport(let event)) = packet else { return nil }
            return event.reports.map(\.address)
        }
    }

    /// The RSSI of the next advertising report of a device.
    func nextRSSI(of address: DeviceAddress) throws -> Int8 {
        try next { packet in
            guard case .event(.leAdvertisingReport(let event)) = packet else { return nil }
            return event.reports.first { $0.address == address }?.rssi
        }
    }

    func enableAdvertising() throws {
        var parameters = LESetAdvertisingParameters()
        parameters.intervalMinimum = 0x20
        parameters.intervalMaximum = 0x20
        try perform(parameters)
        try perform(LESetAdvertisingEnable(isEnabled: true))
    }

    func enableScanning() throws {
        // LE events are off after a reset. [Vol 4, Part E, 7.3.1]
        try perform(HCISetEventMask(mask: HCIEventMask(rawValue: .max)))
        try perform(LESetScanEnable(isEnabled: true, filterDuplicates: false))
    }
}
