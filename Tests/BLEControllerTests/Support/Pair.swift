import BLEController
import BLEWire

/// A link of two controllers with the air captured.
struct Pair {
    var radio: TestRadio
    let central: ControllerID
    let peripheral: ControllerID
    let own: ConnectionHandle
    let other: ConnectionHandle

    init(
        interval: UInt16 = 12, latency: UInt16 = 0, timeout: UInt16 = 400, seed: UInt64 = 1,
        central change1: (inout ControllerProfile) -> Void = { _ in },
        peripheral change2: (inout ControllerProfile) -> Void = { _ in }
    ) throws {
        var settings = RadioSettings()
        settings.capturesAir = true
        radio = TestRadio(seed: seed, settings)
        central = radio.add(1, change1)
        peripheral = radio.add(2, change2)
        let handles = try radio.connect(
            central, to: peripheral, interval: interval, latency: latency, timeout: timeout)
        own = handles.central
        other = handles.peripheral
        radio.clear()
    }

    /// Control PDUs that were on the air: who sent them, and what they said.
    var controls: [(AirPacket.Direction, LLControlPacket)] {
        radio.linkPackets.compactMap { packet in
            guard packet.pdu[0] & 0b11 == 0b11,
                let control = try? LLControlPacket(decoding: Array(packet.pdu.dropFirst(2)))
            else { return nil }
            return (packet.direction, control)
        }
    }
    var opcodes: [LLOpcode] { controls.map { $0.1.opcode } }
}
