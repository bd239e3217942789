import BLEController
import BLEWire

/// Three controllers on one air. The host of the first is the input: commands, data, anything; and its radio sends what no
/// link layer would. The other two are connected with each other, and must still be at the end.
enum RadioFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        var input = FuzzInput(octets)
        var air = FuzzAir()
        // An input reaches so far into time, and no further: it is to be short.
        let end = air.now + .seconds(20)
        while !input.isAtEnd, air.now < end { step(&air, &input) }
        air.advance(by: .seconds(2))
        require(air.isConnected, "others lose their link")
    }

    private static func step(_ air: inout FuzzAir, _ input: inout FuzzInput) {
        switch input.u8() {
        case 0: air.advance(by: .milliseconds(Int64(input.u16() % 1000)))
        case 1:
            let channel = 37 + input.u8() % 3
            air.injectAdvertising(input.counted(), channel)
        case 2: air.injectReply(input.counted())
        case 3: air.injectData(input.counted(), keepsSequence: input.u8() & 1 != 0)
        case 4: air.send(input.counted())
        case 5:
            // Data for the link with the handle that controllers give first.
            let pdu = L2CAPHeader.pdu(channel: .att, payload: input.counted())
            air.send(HCIACLData.packet(handle: air.firstHandle, boundary: .firstFromHost, payload: pdu))
        case 6: air.beginExtended()
        case let kind:
            // A command that exists, with parameters that may be anything.
            let command = HCICatalogue.commands[Int(kind) % HCICatalogue.commands.count]
            let opcode = command.opcode.rawValue
            let parameters = input.counted()
            air.send(
                [0x01, UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters)
        }
    }
}

/// An air with a hostile device and two that are connected.
struct FuzzAir {
    private var radio: Radio
    private(set) var now = Instant.start
    private let hostile: ControllerID
    private let peripheral: ControllerID
    private let central: ControllerID

    init() {
        var radio = Radio(seed: 1)
        let addresses: [UInt64] = [0x0011_2233_4401, 0x0011_2233_4402, 0x0011_2233_4403]
        let controllers = addresses.map { bits in
            radio.addController(ControllerProfile(address: DeviceAddress(bits), name: "device"), at: .start)
        }
        (hostile, peripheral, central) = (controllers[0], controllers[1], controllers[2])
        self.radio = radio
        send(LESetAdvertisingEnable(isEnabled: true).packet(), from: peripheral)
        send(LECreateConnection(peer: DeviceAddress(addresses[1])).packet(), from: central)
        advance(by: .seconds(3))
        require(isConnected, "the good devices don't connect")
        send(LESetAdvertisingEnable(isEnabled: true).packet(), from: peripheral)
        send(LESetAdvertisingEnable(isEnabled: true).packet(), from: hostile)
    }

    /// The hostile host begins anew, and uses the other family of commands: it advertises, scans and has a train.
    mutating func beginExtended() {
        let data = [UInt8](repeating: 0x55, count: 251)
        let commands: [any HCICommandPDU] = [
            HCIReset(), HCISetEventMask(mask: HCIEventMask(rawValue: .max)),
            LESetEventMask(mask: .init(rawValue: .max)),
            LESetExtendedAdvertisingParameters(handle: 0), LESetExtendedAdvertisingData(handle: 0, data: data),
            LESetPeriodicAdvertisingParameters(handle: 0), LESetPeriodicAdvertisingEnable(enable: 1, handle: 0),
            LESetExtendedAdvertisingParameters(handle: 1, properties: .connectable),
            LESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(handle: 0), .init(handle: 1)]),
            LESetExtendedScanParameters(settings: [.init(isActive: true, interval: 16, window: 16)]),
            LESetExtendedScanEnable(isEnabled: true),
        ]
        for command in commands { send(command.packet()) }
    }

    /// Whether the two have their link.
    var isConnected: Bool { !radio.linkHandles(of: central).isEmpty && !radio.linkHandles(of: peripheral).isEmpty }

    var firstHandle: ConnectionHandle { radio.linkHandles(of: hostile).first ?? ConnectionHandle(rawValue: 0) }

    mutating func send(_ packet: [UInt8]) { send(packet, from: hostile) }

    private mutating func send(_ packet: [UInt8], from controller: ControllerID) {
        var out: [RadioOutput] = []
        radio.receive(packet, from: controller, at: now, into: &out)
        check(out)
    }

    mutating func injectAdvertising(_ pdu: [UInt8], _ channel: UInt8) {
        var out: [RadioOutput] = []
        radio.injectAdvertising(pdu, channel: channel, at: now, into: &out)
        check(out)
    }

    mutating func injectReply(_ pdu: [UInt8]) { radio.injectReply(pdu, to: hostile) }

    mutating func injectData(_ pdu: [UInt8], keepsSequence: Bool) {
        radio.injectData(pdu, from: hostile, on: firstHandle, keepsSequence: keepsSequence)
    }

    mutating func advance(by delay: Delay) {
        let end = now + delay
        var turns = 0
        while let deadline = radio.nextDeadline, deadline <= end {
            turns += 1
            require(turns < 200_000, "the air never comes to rest")
            require(deadline >= now, "a deadline in the past")
            now = deadline
            var out: [RadioOutput] = []
            radio.advance(to: now, into: &out)
            check(out)
        }
        now = end
    }

    /// What a controller says can be read by a host.
    private func check(_ out: [RadioOutput]) {
        for case .packet(_, let packet) in out {
            require((try? HCIPacket(decoding: packet)) != nil, "a packet that no host reads: \(Hex.string(packet))")
        }
    }
}
