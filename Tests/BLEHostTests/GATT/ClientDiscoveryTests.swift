import BLEHost
import BLEWire
import Testing

private let custom = BluetoothUUID(full: 0x0000_6085_0000_0000_0123_4567_89AB_CDEF)
private let customOctets = "EF CD AB 89 67 45 23 01 00 00 00 00 85 60 00 00"

@Suite struct ClientDiscoveryTests {
    @Test func `all primary services, until there is none any more`() {
        var peer = ScriptedPeer()
        peer.start(.discoverServices(nil))
        peer.play(
            "→ 10 01 00 FF FF 00 28", "← 11 06 10 00 13 00 00 18 20 00 29 00 B0 68", "→ 10 2A 00 FF FF 00 28",
            "← 11 14 90 00 96 00 \(customOctets)", "→ 10 97 00 FF FF 00 28", "← 01 10 97 00 0A")
        #expect(
            peer.result()
                == .success(
                    .services([
                        GATTService(handles: 0x10...0x13, uuid: 0x1800),
                        GATTService(handles: 0x20...0x29, uuid: 0x68B0),
                        GATTService(handles: 0x90...0x96, uuid: custom),
                    ])))
    }

    @Test func `a service that ends at FFFF is the last`() {
        var peer = ScriptedPeer()
        peer.start(.discoverServices(nil))
        peer.play("→ 10 01 00 FF FF 00 28", "← 11 06 10 F0 FF FF 00 18", "→ nothing")
        #expect(peer.result() == .success(.services([GATTService(handles: 0xF010...0xFFFF, uuid: 0x1800)])))
    }

    @Test func `services of one UUID`() {
        var peer = ScriptedPeer()
        peer.start(.discoverServices(0x1800))
        peer.play(
            "→ 06 01 00 FF FF 00 28 00 18", "← 07 01 00 07 00", "→ 06 08 00 FF FF 00 28 00 18", "← 01 06 08 00 0A")
        #expect(peer.result() == .success(.services([GATTService(handles: 1...7, uuid: 0x1800)])))
    }

    @Test func `services of one UUID of 128 bits`() {
        var peer = ScriptedPeer()
        peer.start(.discoverServices(custom))
        peer.play("→ 06 01 00 FF FF 00 28 \(customOctets)", "← 01 06 01 00 0A")
        #expect(peer.result() == .success(.services([])))
    }

    @Test func `secondary services`() {
        var peer = ScriptedPeer()
        peer.start(.discoverSecondaryServices)
        peer.play("→ 10 01 00 FF FF 01 28", "← 11 06 01 00 10 00 0A 18", "→ 10 11 00 FF FF 01 28", "← 01 10 11 00 0A")
        #expect(peer.result() == .success(.services([GATTService(handles: 1...16, uuid: 0x180A)])))
    }

    @Test func `included services, whose long UUIDs are read where they stand`() {
        var peer = ScriptedPeer()
        peer.start(.discoverIncludedServices(1...0xFFFF))
        peer.play(
            "→ 08 01 00 FF FF 02 28", "← 09 08 02 00 10 00 1F 00 0F 18", "→ 08 03 00 FF FF 02 28",
            "← 09 06 03 00 20 00 2F 00 04 00 30 00 3F 00", "→ 0A 20 00", "← 0B \(customOctets)", "→ 0A 30 00",
            "← 0B \(customOctets)", "→ 08 05 00 FF FF 02 28", "← 01 08 05 00 0A")
        func included(
            _ declaration: AttributeHandle, _ handles: ClosedRange<AttributeHandle>, _ uuid: BluetoothUUID
        )
            -> GATTIncludedService
        { GATTIncludedService(declaration: declaration, service: GATTService(handles: handles, uuid: uuid)) }
        #expect(
            peer.result()
                == .success(
                    .includedServices([
                        included(2, 0x10...0x1F, 0x180F), included(3, 0x20...0x2F, custom),
                        included(4, 0x30...0x3F, custom),
                    ])))
    }

    @Test func `an included service that can't be read fails the procedure`() {
        var peer = ScriptedPeer()
        peer.start(.discoverIncludedServices(1...9))
        peer.play("→ 08 01 00 09 00 02 28", "← 09 06 03 00 20 00 2F 00", "→ 0A 20 00", "← 01 0A 20 00 0A")
        #expect(peer.result() == .failure(.att(.attributeNotFound)))
    }

    @Test func `characteristics of a range`() {
        var peer = ScriptedPeer()
        peer.start(.discoverCharacteristics(0x10...0x20))
        peer.play(
            "→ 08 10 00 20 00 03 28", "← 09 07 11 00 02 12 00 25 2A", "→ 08 12 00 20 00 03 28",
            "← 09 15 13 00 02 14 00 \(customOctets)", "→ 08 14 00 20 00 03 28", "← 01 08 14 00 0A")
        #expect(
            peer.result()
                == .success(
                    .characteristics([
                        GATTCharacteristic(declaration: 0x11, value: 0x12, properties: 2, uuid: 0x2A25),
                        GATTCharacteristic(declaration: 0x13, value: 0x14, properties: 2, uuid: custom),
                    ])))
    }

    @Test func `descriptors up to the end of the range, which asks for nothing more`() {
        var peer = ScriptedPeer()
        peer.start(.discoverDescriptors(0x13...0x16))
        peer.play(
            "→ 04 13 00 16 00", "← 05 01 13 00 02 29 14 00 03 29", "→ 04 15 00 16 00",
            "← 05 02 15 00 \(customOctets)", "→ 04 16 00 16 00", "← 05 01 16 00 05 29", "→ nothing")
        #expect(
            peer.result()
                == .success(
                    .descriptors([
                        GATTDescriptor(handle: 0x13, uuid: 0x2902), GATTDescriptor(handle: 0x14, uuid: 0x2903),
                        GATTDescriptor(handle: 0x15, uuid: custom), GATTDescriptor(handle: 0x16, uuid: 0x2905),
                    ])))
    }

    @Test func `values of a UUID, until there is none any more`() {
        var peer = ScriptedPeer()
        peer.start(.readByUUID(0x2A0D, 1...0xFFFF))
        peer.play(
            "→ 08 01 00 FF FF 0D 2A", "← 09 05 0A 00 01 02 03", "→ 08 0B 00 FF FF 0D 2A", "← 01 08 0B 00 0A")
        #expect(peer.result() == .success(.values([GATTHandleValue(handle: 10, value: [1, 2, 3])])))
    }

    @Test func `no value of a UUID is an error`() {
        var peer = ScriptedPeer()
        peer.start(.readByUUID(0x2A0D, 1...0xFFFF))
        peer.play("→ 08 01 00 FF FF 0D 2A", "← 01 08 01 00 0A")
        #expect(peer.result() == .failure(.att(.attributeNotFound)))
    }

    @Test func `another error ends a discovery as that error`() {
        var peer = ScriptedPeer()
        peer.start(.discoverCharacteristics(1...9))
        peer.play("→ 08 01 00 09 00 03 28", "← 01 08 01 00 05")
        #expect(peer.result() == .failure(.att(.insufficientAuthentication)))
    }

    @Test func `procedures keep their order`() {
        var peer = ScriptedPeer()
        peer.start(.read(3), token: 1)
        peer.start(.write(5, [1]), token: 2)
        peer.start(.read(7), token: 3)
        peer.play("→ 0A 03 00", "← 0B 01", "→ 12 05 00 01", "← 13", "→ 0A 07 00", "← 0B")
        let link = peer.connection.link
        let outcomes: [GATTOutcome] = [.value([1]), .done, .value([])]
        #expect(
            peer.events
                == zip(UInt64(1)..., outcomes).map {
                    .gattCompleted(link, OperationToken(rawValue: $0), .success($1))
                })
    }
}

@Suite struct HostileServerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let procedure: GATTProcedure
        let answers: [String]
        var testDescription: String { name }
        init(_ name: String, _ procedure: GATTProcedure, _ answers: String...) {
            self.name = name
            self.procedure = procedure
            self.answers = answers
        }
    }

    static let cases: [Case] = [
        Case("a service list with entries of no length", .discoverServices(nil), "11 00 01 00"),
        Case("a service list with entries of 3 octets", .discoverServices(nil), "11 03 01 00 02"),
        Case("a service list that is empty", .discoverServices(nil), "11 06"),
        Case("a service list that is cut", .discoverServices(nil), "11 06 01 00 02 00 00"),
        Case("a service that ends before it starts", .discoverServices(nil), "11 06 05 00 04 00 00 18"),
        Case("a service at handle 0", .discoverServices(nil), "11 06 00 00 04 00 00 18"),
        Case("services that overlap", .discoverServices(nil), "11 06 01 00 04 00 00 18 04 00 05 00 01 18"),
        Case("services that begin again", .discoverServices(nil), "11 06 05 00 06 00 00 18", "11 06 05 00 06 00 00 18"),
        Case("a service behind FFFF", .discoverServices(nil), "11 06 01 00 FF FF 00 18 FF FF FF FF 00 18"),
        Case("a found service below the range", .discoverServices(0x1800), "07 05 00 06 00", "07 05 00 06 00"),
        Case("a found list that is empty", .discoverServices(0x1800), "07"),
        Case("a found list that is cut", .discoverServices(0x1800), "07 01 00 02"),
        Case("an include without a range", .discoverIncludedServices(1...9), "09 08 02 00 06 00 05 00 00 18"),
        Case("an include outside", .discoverIncludedServices(1...9), "09 08 0A 00 01 00 05 00 00 18"),
        Case("an include of 7 octets", .discoverIncludedServices(1...9), "09 07 02 00 01 00 05 00 00"),
        Case("a declaration without UUID", .discoverIncludedServices(1...9), "09 06 02 00 01 00 05 00", "0B 00 18 00"),
        Case("a characteristic outside", .discoverCharacteristics(1...9), "09 07 0A 00 02 0B 00 00 2A"),
        Case("a value outside", .discoverCharacteristics(1...9), "09 07 08 00 02 0A 00 00 2A"),
        Case("a value handle 0", .discoverCharacteristics(1...9), "09 07 02 00 02 00 00 00 2A"),
        Case("a value below its declaration", .discoverCharacteristics(1...9), "09 07 03 00 02 02 00 00 2A"),
        Case(
            "a declaration within another", .discoverCharacteristics(1...9),
            "09 07 02 00 02 05 00 00 2A 04 00 02 06 00 01 2A"
        ),
        Case("characteristics of 8 octets", .discoverCharacteristics(1...9), "09 08 02 00 02 03 00 00 2A 00"),
        Case(
            "characteristics that begin again", .discoverCharacteristics(1...9), "09 07 02 00 02 03 00 00 2A",
            "09 07 02 00 02 03 00 00 2A"),
        Case("information of no entries", .discoverDescriptors(1...9), "05 01"),
        Case("information of format 3", .discoverDescriptors(1...9), "05 03 01 00 02 29"),
        Case("information that is cut", .discoverDescriptors(1...9), "05 01 01 00 02"),
        Case("a descriptor outside", .discoverDescriptors(1...9), "05 01 0A 00 02 29"),
        Case("descriptors that begin again", .discoverDescriptors(1...9), "05 01 01 00 02 29", "05 01 01 00 02 29"),
        Case("a descriptor of handle 0", .discoverDescriptors(0...9), "05 01 00 00 02 29"),
        Case("values of length 0", .readByUUID(0x2A00, 1...9), "09 00 01 00"),
        Case("values of length 1", .readByUUID(0x2A00, 1...9), "09 01 01"),
        Case("values that begin again", .readByUUID(0x2A00, 1...9), "09 03 01 00 41", "09 03 01 00 41"),
        Case("an MTU response that is cut", .exchangeMTU(100), "03 17"),
        Case("a write response with octets behind", .write(3, [1]), "13 00"),
        Case("an error response that is cut", .read(3), "01 0A 03 00"),
    ]

    @Test(arguments: cases) func `G01, G02, G03 and G05 nonsense ends the procedure`(test: Case) {
        var peer = ScriptedPeer()
        peer.start(test.procedure)
        for answer in test.answers {
            #expect(peer.sent.count == 1)
            peer.sent = []
            peer.receive(Hex.octets(answer) ?? [])
        }
        guard case .failure(.invalidResponse) = peer.result() else {
            Issue.record("ended in \(String(describing: peer.result()))")
            return
        }
        // The bearer goes on.
        peer.start(.read(3), token: 2)
        peer.play("→ 0A 03 00", "← 0B 01")
        #expect(peer.result(2) == .success(.value([1])))
    }

    @Test func `a list longer than the MTU is nonsense`() {
        var peer = ScriptedPeer()
        peer.start(.discoverServices(nil))
        peer.sent = []
        peer.receive([0x11, 6] + Array(repeating: [1, 0, 1, 0, 0, 0x18], count: 4).flatMap { $0 })
        #expect(peer.result() == .failure(.invalidResponse("a response longer than ATT_MTU")))
    }

    @Test func `a value longer than the MTU is cut, and read on from there`() {
        var peer = ScriptedPeer()
        peer.start(.readLong(3))
        peer.sent = []
        peer.receive([0x0B] + Array(repeating: 1, count: 30))
        peer.play("→ 0C 03 00 16 00", "← 0D 02")
        #expect(peer.result() == .success(.value(Array(repeating: 1, count: 22) + [2])))
    }

    @Test(arguments: ["13", "09 03 01 00 01", "03 17 00", "01 12 03 00 01", "0D 01"])
    func `G08 an answer to another request is not taken for the answer to this one`(stray: String) {
        var peer = ScriptedPeer()
        peer.start(.read(3))
        peer.play("→ 0A 03 00", "← " + stray, "→ nothing")
        #expect(peer.result() == nil)
        peer.play("← 0B 05")
        #expect(peer.result() == .success(.value([5])))
    }

    @Test func `G10 blobs without end stop at 512 octets`() {
        var peer = ScriptedPeer()
        peer.start(.readLong(3))
        peer.sent = []
        peer.receive([0x0B] + Array(repeating: 0, count: 22))
        for _ in 0..<100 where !peer.sent.isEmpty {
            peer.sent = []
            peer.receive([0x0D] + Array(repeating: 0, count: 22))
        }
        #expect(peer.result() == .failure(.invalidResponse("a value of more than 512 octets")))
    }

    @Test func `G04 as many services as there are handles come to an end`() {
        var peer = ScriptedPeer()
        peer.start(.discoverServices(nil))
        var next = 1
        while peer.result() == nil, next <= 0x10000 {
            peer.sent = []
            let handle = [UInt8(truncatingIfNeeded: next), UInt8(truncatingIfNeeded: next >> 8)]
            peer.receive([0x11, 6] + handle + handle + [0, 0x18])
            next += 1
        }
        guard case .success(.services(let services)) = peer.result() else {
            Issue.record("no list")
            return
        }
        #expect(services.count == 65535)
    }

    @Test func `G11 a prepared write that comes back changed is cancelled`() {
        var peer = ScriptedPeer()
        peer.start(.writeReliable([GATTWrite(handle: 7, offset: 0, value: [1, 2, 3])]))
        peer.play("→ 16 07 00 00 00 01 02 03", "← 17 07 00 00 00 01 02 04", "→ 18 00", "← 19")
        #expect(peer.result() == .failure(.invalidResponse("a prepared write came back changed")))
    }

    @Test func `nonsense in the middle of a long write empties the server's queue`() {
        var peer = ScriptedPeer()
        peer.start(.writeLong(7, Array(repeating: 1, count: 20)))
        peer.sent = []
        peer.play("← 17 07", "→ 18 00", "← 19")
        guard case .failure(.invalidResponse) = peer.result() else {
            Issue.record("not refused")
            return
        }
    }

    // MARK: Notifications

    @Test func `G12 a notification is taken at any time, also while a request is in flight`() {
        var peer = ScriptedPeer()
        peer.start(.write(4, [1, 0]))
        peer.play("→ 12 04 00 01 00", "← 1B 03 00 07", "← 13", "← 1B 03 00")
        let link = peer.connection.link
        #expect(
            peer.events == [
                .valueReceived(link, 3, [7], indicated: false),
                .gattCompleted(link, OperationToken(rawValue: 1), .success(.done)),
                .valueReceived(link, 3, [], indicated: false),
            ])
    }

    @Test(arguments: ["1B", "1B 03", "1B 00 00 01", "23", "23 03 00", "23 03 00 FF FF 41"])
    func `G12 and G14 a notification that is cut, or of handle 0, is dropped`(pdu: String) {
        var peer = ScriptedPeer()
        peer.play("← " + pdu, "→ nothing")
        #expect(peer.events == [])
    }

    @Test func `a notification longer than the MTU is dropped`() {
        var peer = ScriptedPeer()
        peer.receive([0x1B, 3, 0] + Array(repeating: 0, count: 21))
        #expect(peer.events == [])
    }

    @Test func `G14 several values in one notification, the last one cut`() {
        var peer = ScriptedPeer()
        peer.play("← 23 03 00 01 00 07 05 00 00 00 09 00 02 00 01")
        let link = peer.connection.link
        #expect(
            peer.events == [
                .valueReceived(link, 3, [7], indicated: false), .valueReceived(link, 5, [], indicated: false),
            ])
    }

    @Test(arguments: ["1D 03 00 07", "1D 03", "1D", "1D 00 00"]) func `an indication is confirmed, whatever is in it`(
        pdu: String
    ) {
        var peer = ScriptedPeer()
        peer.play("← " + pdu, "→ 1E")
        #expect(peer.events.count == (pdu == "1D 03 00 07" ? 1 : 0))
    }

    @Test func `G13 10,000 indications without a pause are confirmed one by one`() {
        var peer = ScriptedPeer()
        for number in 0..<10_000 { peer.receive([0x1D, 3, 0, UInt8(truncatingIfNeeded: number)]) }
        #expect(peer.sent == Array(repeating: [0x1E], count: 10_000))
        #expect(peer.events.count == 10_000)
    }
}
