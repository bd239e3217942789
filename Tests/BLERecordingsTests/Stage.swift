import BLERecordings
import BLEWire

/// A capture of a phone's HCI, packet by packet.
struct Stage {
    static let peer = DeviceAddress(0xC011_2233_4455, .randomDevice)
    private(set) var recording = Recording()
    private var milliseconds: Int64 = 0
    var handle: UInt16 = 0x0040

    mutating func after(_ milliseconds: Int64) { self.milliseconds += milliseconds }

    mutating func take(_ packet: [UInt8], _ direction: BTSnoop.Record.Direction) {
        recording.take(
            CapturedPacket(unixNanoseconds: milliseconds * 1_000_000, content: .hci(packet, direction)))
    }

    mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
        take([0x04, code, UInt8(parameters.count)] + parameters, .controllerToHost)
    }

    /// LE Connection Complete with the phone as the central. [Vol 4, Part E, 7.7.65.1]
    mutating func connect(to peer: DeviceAddress = Stage.peer) {
        let address = (0..<6).map { UInt8(peer.bits >> ($0 * 8) & 0xFF) }
        event(0x3E, [0x01, 0x00, UInt8(handle), 0x00, 0x00, peer.kind.rawValue] + address + [24, 0, 0, 0, 72, 0, 0])
    }

    mutating func disconnect() { event(0x05, [0, UInt8(handle), 0, 0x13]) }

    /// An ATT PDU of the phone, in as many ACL packets as parts of so many octets need.
    mutating func phone(_ pdu: [UInt8], parts: Int = 512) { send(pdu, .hostToController, .firstFromHost, parts) }
    mutating func device(_ pdu: [UInt8], parts: Int = 512) { send(pdu, .controllerToHost, .first, parts) }

    private mutating func send(
        _ pdu: [UInt8], _ direction: BTSnoop.Record.Direction, _ first: HCIACLData.Boundary, _ parts: Int
    ) {
        let whole = L2CAPHeader.pdu(channel: .att, payload: pdu)
        for start in stride(from: 0, to: whole.count, by: parts) {
            let packet = HCIACLData.packet(
                handle: ConnectionHandle(rawValue: handle), boundary: start == 0 ? first : .continuing,
                fragment: start..<min(start + parts, whole.count), of: whole)
            take(packet, direction)
        }
    }

    /// A service FFF0 at 0x0010 with FFF1 (all properties but broadcast, value 0x0012, configuration 0x0013), as a phone
    /// discovers it.
    mutating func discover() {
        phone([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
        device([0x11, 6, 0x10, 0, 0x14, 0, 0xF0, 0xFF])
        phone([0x10, 0x15, 0, 0xFF, 0xFF, 0x00, 0x28])
        device([0x01, 0x10, 0x15, 0, 0x0A])
        phone([0x08, 0x10, 0, 0x14, 0, 0x03, 0x28])
        device([0x09, 7, 0x11, 0, 0x3E, 0x12, 0, 0xF1, 0xFF])
        phone([0x08, 0x12, 0, 0x14, 0, 0x03, 0x28])
        device([0x01, 0x08, 0x12, 0, 0x0A])
        phone([0x04, 0x13, 0, 0x14, 0])
        device([0x05, 1, 0x13, 0, 0x02, 0x29, 0x14, 0, 0x01, 0x29])
    }

    var devices: [RecordedDevice] { recording.devices }
    /// FFF1 of the only device.
    var characteristic: RecordedCharacteristic? { devices.first?.services.first?.characteristics.first }
}
