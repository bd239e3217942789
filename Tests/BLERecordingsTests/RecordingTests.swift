import BLERecordings
import BLEWire
import Testing

@Suite struct RecordingTests {
    private func discovered() -> Stage {
        var stage = Stage()
        stage.connect()
        stage.discover()
        return stage
    }

    @Test func `a discovery gives services, characteristics and descriptors`() throws {
        let device = try #require(discovered().devices.first)
        #expect(device.endpoint == .device(Stage.peer))
        let service = try #require(device.services.first)
        #expect((service.uuid, service.isPrimary, service.handle, service.end) == (0xFFF0, true, 0x10, 0x14))
        let characteristic = try #require(service.characteristics.first)
        #expect((characteristic.uuid, characteristic.properties, characteristic.valueHandle) == (0xFFF1, 0x3E, 0x12))
        #expect(characteristic.descriptors.map(\.uuid) == [0x2902, 0x2901])
        #expect(device.missing == ["the value of FFF0/FFF1 wasn't read"])
    }

    @Test func `a discovery by UUID and long UUIDs are read as well`() throws {
        let uuid = try #require(BluetoothUUID("71DA3FD1-7E10-41C1-B16F-4430B506CDE7"))
        var stage = Stage()
        stage.connect()
        stage.phone([0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28] + uuid.littleEndian)
        stage.device([0x07, 0x20, 0, 0x24, 0])
        stage.phone([0x08, 0x20, 0, 0x24, 0, 0x03, 0x28])
        stage.device([0x09, 21, 0x21, 0, 0x02, 0x22, 0] + uuid.littleEndian)
        let service = try #require(stage.devices.first?.services.first)
        #expect(service.uuid == uuid)
        #expect(service.characteristics.map(\.uuid) == [uuid])
    }

    @Test(arguments: [512, 7, 3, 1]) func `PDUs are put together from any fragments`(parts: Int) {
        var stage = discovered()
        stage.phone([0x0A, 0x12, 0], parts: parts)
        stage.device([0x0B] + Array("hello".utf8), parts: parts)
        #expect(stage.characteristic?.value == Array("hello".utf8))
    }

    @Test func `a value that was read on is put together`() {
        var stage = discovered()
        let value = (0..<30).map { UInt8($0) }
        stage.phone([0x0A, 0x12, 0])
        stage.device([0x0B] + value[..<22])
        #expect(stage.characteristic?.mayBeLonger == true)
        stage.phone([0x0C, 0x12, 0, 22, 0])
        stage.device([0x0D] + value[22...])
        #expect(stage.characteristic?.value == value)
        #expect(stage.characteristic?.mayBeLonger == false)
    }

    @Test func `a value of just one packet is whole when there is nothing behind it`() {
        var stage = discovered()
        stage.phone([0x0A, 0x12, 0])
        stage.device([0x0B] + [UInt8](repeating: 7, count: 22))
        #expect(stage.devices[0].missing == ["the value of FFF0/FFF1 may be longer than what was read"])
        stage.phone([0x0C, 0x12, 0, 22, 0])
        stage.device([0x01, 0x0C, 0x12, 0, 0x0B])
        #expect(stage.devices[0].missing == [])
        #expect(stage.characteristic?.value?.count == 22)
    }

    @Test func `the first value stays, later ones are in what the client did`() {
        var stage = discovered()
        for value: UInt8 in [1, 2] {
            stage.phone([0x0A, 0x12, 0])
            stage.device([0x0B, value])
        }
        #expect(stage.characteristic?.value == [1])
        #expect(stage.devices[0].actions.map(\.outcome) == [.value([1]), .value([2])])
    }

    @Test func `notifications keep their times, the first one from the subscription on`() {
        var stage = discovered()
        stage.phone([0x12, 0x13, 0, 1, 0])
        stage.device([0x13])
        stage.after(500)
        stage.device([0x1B, 0x12, 0, 0xAA])
        stage.after(20)
        stage.device([0x1D, 0x12, 0, 0xBB])
        stage.phone([0x1E])
        #expect(
            stage.characteristic?.updates == [
                RecordedUpdate(after: 500_000_000, value: [0xAA]), RecordedUpdate(after: 20_000_000, value: [0xBB]),
            ])
        #expect(stage.characteristic?.value == [0xAA])
        #expect(stage.devices[0].actions.map(\.kind) == [.subscribe])
    }

    @Test func `what is refused until the link is encrypted needs encryption`() {
        var stage = discovered()
        stage.phone([0x0A, 0x12, 0])
        stage.device([0x01, 0x0A, 0x12, 0, 0x0F])
        #expect(stage.characteristic?.readNeedsEncryption == true)
        #expect(stage.characteristic?.writeNeedsEncryption == false)
        stage.phone([0x12, 0x12, 0, 1])
        stage.device([0x01, 0x12, 0x12, 0, 0x05])
        #expect(stage.characteristic?.writeNeedsEncryption == true)
    }

    @Test func `a long write is one write`() {
        var stage = discovered()
        for (offset, part): (UInt8, [UInt8]) in [(0, [1, 2, 3]), (3, [4, 5])] {
            stage.phone([0x16, 0x12, 0, offset, 0] + part)
            stage.device([0x17, 0x12, 0, offset, 0] + part)
        }
        stage.phone([0x18, 1])
        stage.device([0x19])
        #expect(
            stage.devices[0].actions.map(\.kind) == [.write([1, 2, 3, 4, 5], withResponse: true)])
        #expect(stage.devices[0].actions.map(\.outcome) == [.done])
    }

    @Test func `what the client did is a script that can be run again`() {
        var stage = discovered()
        stage.phone([0x12, 0x13, 0, 1, 0])
        stage.device([0x13])
        stage.after(1250)
        stage.phone([0x52, 0x12, 0, 0xAB])
        stage.phone([0x12, 0x12, 0, 1])
        stage.device([0x01, 0x12, 0x12, 0, 0x80])
        stage.phone([0x0A, 0x12, 0])
        stage.device([0x0B, 0x2A])
        stage.phone([0x12, 0x13, 0, 0, 0])
        stage.device([0x13])
        #expect(
            stage.devices[0].script(connectingTo: "My Lamp") == [
                "connect \"My Lamp\"", "subscribe FFF0/FFF1 --background", "wait 1.250",
                "write FFF0/FFF1 --hex AB --without-response", "write FFF0/FFF1 --hex 01 --expect-error 0x80",
                "read FFF0/FFF1 --expect 2A", "unsubscribe FFF0/FFF1", "disconnect",
            ])
    }

    @Test func `a capture that begins within a link says so, and has what it has`() {
        var stage = Stage()
        stage.phone([0x0A, 0x12, 0])
        stage.device([0x0B, 0x2A])
        stage.discover()
        #expect(stage.devices.map(\.endpoint) == [.unknown(ConnectionHandle(rawValue: 0x40))])
        #expect(stage.characteristic?.value == [0x2A])
        #expect(
            stage.recording.remarks == ["1 links were there before the capture began: who they are with isn't in it"])
    }

    @Test func `attributes that were used and never discovered are named`() {
        var stage = Stage()
        stage.connect()
        stage.phone([0x0A, 0x12, 0])
        stage.device([0x0B, 0x2A])
        #expect(
            stage.devices[0].missing == [
                "no discovery of services: the client knew them already, or the capture began later",
                "what the attributes 0x0012 are, which were used",
            ])
    }

    @Test func `with only classic Bluetooth it says so`() {
        var stage = Stage()
        // Connection Complete, and L2CAP's signalling channel of classic Bluetooth. [Vol 4, Part E, 7.7.3]
        stage.event(0x03, [0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
        stage.take([0x02, 0x40, 0x20, 8, 0, 4, 0, 1, 0, 0x0A, 1, 0, 0], .controllerToHost)
        stage.take([0x02, 0x41, 0x20, 8, 0, 4, 0, 1, 0, 0x0A, 1, 0, 0], .controllerToHost)
        #expect(stage.devices.isEmpty)
        #expect(
            stage.recording.remarks == [
                "only classic Bluetooth (BR/EDR): 2 packets of classic Bluetooth, which aren't read"
            ])
    }

    @Test func `a phone that is a peripheral is a device of its own`() {
        var stage = Stage()
        stage.connect()
        stage.device([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
        stage.phone([0x11, 6, 1, 0, 3, 0, 0x0F, 0x18])
        #expect(stage.devices.map(\.endpoint) == [.local])
        #expect(stage.devices[0].services.map(\.uuid) == [0x180F])
    }

    @Test func `the second connection to a device adds to the first`() {
        var stage = discovered()
        stage.disconnect()
        stage.handle = 0x41
        stage.connect()
        stage.phone([0x0A, 0x12, 0])
        stage.device([0x0B, 0x2A])
        #expect(stage.devices.count == 1)
        #expect(stage.characteristic?.value == [0x2A])
    }

    @Test func `the advertisement is the last one, with its scan response`() throws {
        var stage = discovered()
        let address = (0..<6).map { UInt8(Stage.peer.bits >> ($0 * 8) & 0xFF) }
        stage.event(0x3E, [0x02, 1, 0x00, 1] + address + [3, 0x02, 0x01, 0x06, 0xC0])
        stage.event(0x3E, [0x02, 1, 0x04, 1] + address + [4, 0x03, 0x09, 0x48, 0x69, 0xC0])
        let advertisement = try #require(stage.devices[0].advertisement)
        #expect(advertisement.isConnectable)
        #expect(advertisement.fields.name == "Hi")
        #expect(advertisement.fields.flags == 6)
    }

    @Test func `any packets at all never trap`() {
        var seed: UInt64 = 0x2545_F491_4F6C_DD1D
        func next() -> UInt8 {
            seed ^= seed << 13
            seed ^= seed >> 7
            seed ^= seed << 17
            return UInt8(truncatingIfNeeded: seed >> 24)
        }
        var stage = discovered()
        let opcodes: [UInt8] = [
            0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12,
            0x13, 0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23, 0x52, 0xD2,
        ]
        for _ in 0..<20_000 {
            let pdu = [opcodes[Int(next()) % opcodes.count]] + (0..<Int(next() % 24)).map { _ in next() % 32 }
            if next() & 1 == 0 { stage.phone(pdu, parts: 1 + Int(next() % 9)) } else { stage.device(pdu) }
        }
        for device in stage.devices { #expect(device.script(connectingTo: "x").count < 60_000) }
        #expect(!stage.devices.isEmpty)
    }
}
