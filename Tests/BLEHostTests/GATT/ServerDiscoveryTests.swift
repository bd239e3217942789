import BLEHost
import BLEWire
import Testing

/// Services with gaps between them, types of both widths, a secondary service that is included.
private func gappy() -> GATTServer {
    let custom = BluetoothUUID(full: 0x0000_A00C_0000_0123_4567_89AB_CDEF_0001)
    var rows: [GATTAttribute] = []
    func add(
        _ handle: UInt16, _ type: BluetoothUUID, _ value: [UInt8], end: UInt16? = nil,
        _ permissions: AttributePermissions = .read
    ) {
        rows.append(
            GATTAttribute(
                handle: AttributeHandle(rawValue: handle), type: type, permissions: permissions,
                content: .stored(value), groupEnd: end.map { AttributeHandle(rawValue: $0) }))
    }
    add(0x0001, GATTType.secondaryService, [0x0A, 0x18], end: 0x0008)
    add(0x0002, GATTType.characteristic, [0x02, 0x03, 0x00, 0x29, 0x2A], end: 0x0003)
    add(0x0003, 0x2A29, [0x42])
    add(0x0010, GATTType.primaryService, [0x00, 0x18], end: 0x0018)
    add(0x0011, GATTType.include, [0x01, 0x00, 0x08, 0x00, 0x0A, 0x18])
    add(0x0012, GATTType.characteristic, [0x02, 0x13, 0x00, 0x00, 0x2A], end: 0x0013)
    add(0x0013, 0x2A00, [0x4E])
    add(0x0014, GATTType.characteristic, [0x0A, 0x15, 0x00] + custom.littleEndian, end: 0x0016)
    add(0x0015, custom, [0x09], [.read, .write])
    add(0x0016, 0x2901, [0x78])
    add(0x0030, GATTType.primaryService, custom.littleEndian, end: 0x0030)
    add(0xFFFF, GATTType.primaryService, [0x0A, 0x18], end: 0xFFFF)
    return GATTServer(table: rows) ?? GATTServer(configuration: .empty)
}

@Suite struct ServerDiscoveryTests {
    // MARK: Read By Group Type

    @Test func `lists services of one UUID length, with the ends of their groups`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 10 01 00 FF FF 00 28", "→ 11 06 10 00 18 00 00 18")
    }

    @Test func `a service that starts within the range counts, one that only reaches into it doesn't`() {
        var peer = ScriptedPeer(gappy())
        peer.play(
            "← 10 11 00 FF FF 00 28",
            "→ 11 14 30 00 30 00 01 00 EF CD AB 89 67 45 23 01 00 00 0C A0 00 00")
    }

    @Test func `A27 the last handle may be FFFF`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 10 31 00 FF FF 00 28", "→ 11 06 FF FF FF FF 0A 18")
    }

    @Test func `secondary services are a group of their own`() {
        var peer = ScriptedPeer(gappy())
        peer.play(
            "← 10 01 00 FF FF 01 28", "→ 11 06 01 00 08 00 0A 18", "← 10 09 00 FF FF 01 28", "→ 01 10 09 00 0A")
    }

    @Test(arguments: ["03 28", "02 28", "00 2A"]) func `any other group type is unsupported`(type: String) {
        var peer = ScriptedPeer(gappy())
        peer.play("← 10 01 00 FF FF " + type, "→ 01 10 01 00 10")
    }

    @Test func `as many services as fit the MTU`() {
        var server = GATTServer(configuration: .empty)
        for number in UInt16(0)..<5 { _ = server.addService(.init(uuid: BluetoothUUID(0xA000 + number))) }
        var peer = ScriptedPeer(server)
        peer.play("← 10 01 00 FF FF 00 28", "→ 11 06 01 00 01 00 00 A0 02 00 02 00 01 A0 03 00 03 00 02 A0")
    }

    @Test(arguments: [
        "10 00 00 FF FF 00 28", "10 05 00 01 00 00 28", "08 00 00 FF FF 03 28", "08 05 00 01 00 03 28",
        "04 00 00 FF FF", "04 05 00 01 00", "06 00 00 FF FF 00 28", "06 05 00 01 00 00 28",
    ])
    func `A03 handle 0 or a range that ends before it starts is an Invalid Handle`(request: String) {
        var peer = ScriptedPeer(gappy())
        let opcode = request.prefix(2)
        let start = request.dropFirst(3).prefix(5)
        peer.play("← " + request, "→ 01 \(opcode) \(start) 01")
    }

    @Test func `the range is judged before the group type`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 10 05 00 01 00 03 28", "→ 01 10 05 00 01")
    }

    // MARK: Find By Type Value

    @Test func `finds a service by its UUID`() {
        var peer = ScriptedPeer(gappy())
        peer.play(
            "← 06 01 00 FF FF 00 28 00 18", "→ 07 10 00 18 00", "← 06 19 00 FF FF 00 28 00 18",
            "→ 01 06 19 00 0A")
    }

    @Test func `finds a service by a UUID of 16 octets`() {
        var peer = ScriptedPeer(gappy())
        peer.play(
            "← 06 01 00 FF FF 00 28 01 00 EF CD AB 89 67 45 23 01 00 00 0C A0 00 00", "→ 07 30 00 30 00")
    }

    @Test func `the end of what begins no group is its own handle`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 06 01 00 FF FF 00 2A 4E", "→ 07 13 00 13 00")
    }

    // MARK: Read By Type

    @Test func `lists characteristics of one length`() {
        var peer = ScriptedPeer(gappy())
        peer.play(
            "← 08 01 00 FF FF 03 28", "→ 09 07 02 00 02 03 00 29 2A 12 00 02 13 00 00 2A",
            "← 08 13 00 FF FF 03 28",
            "→ 09 15 14 00 0A 15 00 01 00 EF CD AB 89 67 45 23 01 00 00 0C A0 00 00",
            "← 08 15 00 FF FF 03 28", "→ 01 08 15 00 0A")
    }

    @Test func `an include declaration carries a UUID of 16 bits`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 08 01 00 FF FF 02 28", "→ 09 08 11 00 01 00 08 00 0A 18")
    }

    @Test func `a type given in 16 octets finds what has it in 2`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 08 01 00 FF FF FB 34 9B 5F 80 00 00 80 00 10 00 00 00 2A 00 00", "→ 09 03 13 00 4E")
    }

    @Test func `A27 ends at FFFF without wrapping`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 08 FF FF FF FF 03 28", "→ 01 08 FF FF 0A")
    }

    // MARK: Find Information

    @Test func `types of one length in one response`() {
        var peer = ScriptedPeer(gappy())
        peer.play(
            "← 04 13 00 16 00", "→ 05 01 13 00 00 2A 14 00 03 28", "← 04 15 00 16 00",
            "→ 05 02 15 00 01 00 EF CD AB 89 67 45 23 01 00 00 0C A0 00 00", "← 04 16 00 16 00",
            "→ 05 01 16 00 01 29")
    }

    @Test func `a gap has nothing in it`() {
        var peer = ScriptedPeer(gappy())
        peer.play("← 04 19 00 2F 00", "→ 01 04 19 00 0A")
    }

    @Test func `an empty server has nothing`() {
        var peer = ScriptedPeer()
        peer.play("← 04 01 00 FF FF", "→ 01 04 01 00 0A", "← 10 01 00 FF FF 00 28", "→ 01 10 01 00 0A")
    }
}
