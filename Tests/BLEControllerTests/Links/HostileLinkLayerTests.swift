import BLEController
import BLEWire
import Testing

/// PDUs of a link layer that keeps no rules. Each test also sees that the link, or a fresh one, still works.
@Suite struct HostileLinkLayerTests {
    /// Sends raw PDUs from the peripheral or the central, and lets time pass.
    private func inject(_ pdus: [String], fromCentral: Bool = false, _ pair: inout Pair) {
        for pdu in pdus {
            pair.radio.radio.injectData(
                hex(pdu), from: fromCentral ? pair.central : pair.peripheral, on: fromCentral ? pair.own : pair.other)
        }
        pair.radio.run(.milliseconds(300))
    }

    private func answers(_ pair: Pair, fromCentral: Bool = true) -> [LLControlPacket] {
        pair.controls.filter { ($0.0 == .centralToPeripheral) == fromCentral }.map(\.1)
    }

    private func expectAlive(_ pair: inout Pair, sourceLocation: SourceLocation = #_sourceLocation) {
        pair.radio.clear()
        pair.radio.sendData([1, 2], to: pair.central, pair.own)
        pair.radio.sendData([3, 4], to: pair.peripheral, pair.other)
        pair.radio.run(.milliseconds(200))
        #expect(pair.radio.data(pair.peripheral).map(\.payloadOctets) == [[1, 2]], sourceLocation: sourceLocation)
        #expect(pair.radio.data(pair.central).map(\.payloadOctets) == [[3, 4]], sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        "03F00C0859000000", "02F00700060001030001100707", "06BA07000600 0C03F5FA100FBB", "02", "03", "",
        "0200000102", "03FF",
    ])
    func `L01, L02 and L06 a PDU whose length lies is dropped, and the link stays`(_ pdu: String) throws {
        var pair = try Pair()
        inject([pdu], &pair)
        #expect(pair.radio.data(pair.central).isEmpty)
        expectAlive(&pair)
    }

    @Test(arguments: ["00060C0859000000", "000B0700060001030001100707"])
    func `L03 and L04 the reserved LLID is acknowledged and ignored`(_ pdu: String) throws {
        var pair = try Pair()
        inject([pdu, "03060C0959000000"], &pair)
        #expect(pair.radio.data(pair.central).isEmpty)
        #expect(answers(pair).map(\.opcode) == [.versionInd])
        expectAlive(&pair)
    }

    @Test func `L05 an L2CAP length that lies is no matter of the link layer`() throws {
        var pair = try Pair()
        inject(["0207000004 0010EDEA"], &pair)
        #expect(pair.radio.data(pair.central).map(\.payloadOctets) == [[0, 0, 4, 0, 0x10, 0xED, 0xEA]])
    }

    @Test func `a start of an L2CAP PDU without an octet is nothing`() throws {
        var pair = try Pair()
        inject(["0200"], &pair)
        #expect(pair.radio.data(pair.central).isEmpty)
        expectAlive(&pair)
    }

    @Test func `L17 five versions are answered once`() throws {
        var pair = try Pair()
        inject([String](repeating: "03060C0859000000", count: 5), &pair)
        #expect(answers(pair).map(\.opcode) == [.versionInd])
        expectAlive(&pair)
    }

    @Test(
        arguments: [
            ("0301FF", 0xFF), ("03041A010203", 0x1A), ("030102", 0x02), ("030408010203", 0x08),
            ("030B0300000000000000000000", 0x03), ("0301 05", 0x05), ("0301 0A", 0x0A), ("0301 06", 0x06),
            ("0301 0B", 0x0B), ("030D 04 0000000000000000 00000000", 0x04),
        ] as [(String, UInt8)])
    func `L28 and L29 what is unknown, unsupported or of a wrong length is answered with LL_UNKNOWN_RSP`(
        _ pdu: String, _ opcode: UInt8
    ) throws {
        for fromCentral in [true, false] {
            var pair = try Pair()
            inject([pdu], fromCentral: fromCentral, &pair)
            #expect(
                answers(pair, fromCentral: !fromCentral)
                    == [.unknownRsp(LLUnknownRsp(unknown: LLOpcode(rawValue: opcode)))])
            expectAlive(&pair)
        }
    }

    @Test func `LL_UNKNOWN_RSP isn't answered, whatever it says`() throws {
        var pair = try Pair()
        inject(["030207FF", "030107", "030507FF000000", "03020D1A", "0303111623"], &pair)
        #expect(answers(pair).isEmpty)
        expectAlive(&pair)
    }

    @Test func `two requests for lengths in a row are answered each, and the last holds`() throws {
        var pair = try Pair()
        inject(["030914FB004808FB004808", "0309147B0058043C00D002"], &pair)
        #expect(answers(pair).map(\.opcode) == [.lengthRsp, .lengthRsp])
        let change = pair.radio.events(pair.central).compactMap {
            if case .leDataLengthChange(let event) = $0 { event } else { nil }
        }
        #expect(change.map(\.maxReceiveOctets) == [251, 60])
        expectAlive(&pair)
    }

    @Test func `L14 lengths below the least count as the least`() throws {
        var pair = try Pair()
        inject(["0309140000000000000000"], &pair)
        #expect(answers(pair).map(\.opcode) == [.lengthRsp])
        expectAlive(&pair)
        pair.radio.clear()
        pair.radio.sendData([UInt8](repeating: 7, count: 30), to: pair.central, pair.own)
        pair.radio.run(.milliseconds(200))
        #expect(pair.radio.data(pair.peripheral).map(\.payloadOctets.count) == [27, 3])
    }

    @Test func `L15 two requests for parameters: the second collides`() throws {
        var pair = try Pair()
        let request = "0318 0F 2800 2800 0000 C800 00 0000 FFFF FFFF FFFF FFFF FFFF FFFF"
        inject([request, request], &pair)
        #expect(
            answers(pair) == [
                .rejectExtInd(LLRejectExtInd(rejected: .connectionParamReq, reason: .differentTransactionCollision))
            ])
        expectAlive(&pair)
    }

    @Test func `a request for parameters that no link can have is rejected as invalid`() throws {
        var pair = try Pair()
        inject(["0318 0F 0000 0000 0000 0000 00 0000 FFFF FFFF FFFF FFFF FFFF FFFF"], &pair)
        #expect(
            answers(pair) == [
                .rejectExtInd(LLRejectExtInd(rejected: .connectionParamReq, reason: .invalidLLParameters))
            ])
        expectAlive(&pair)
    }

    @Test func `L16 features asked for twice in a row are answered twice`() throws {
        var pair = try Pair()
        inject(["03090EFF00000000000000", "03090EFF00000000000000"], &pair)
        #expect(answers(pair).map(\.opcode) == [.featureRsp, .featureRsp])
        expectAlive(&pair)
    }

    @Test(arguments: [
        "030C00 01 0000 0000 0000 4800", "030C00 00 0000 1800 0000 4800", "030C00 01 0000 1800 F401 4800",
        "030C00 01 0000 1800 0000 0000", "030C00 01 FFFF 1800 0000 4800", "030801 0000000000", "030801 0100000000",
    ])
    func `L11 an update to what no link can have isn't taken up`(_ pdu: String) throws {
        var pair = try Pair()
        // Instant 100 is ahead of the first events of a link.
        inject([pdu + "6400"], fromCentral: true, &pair)
        #expect(answers(pair, fromCentral: false).isEmpty)
        expectAlive(&pair)
    }

    @Test(arguments: ["030C00 01 0000 1800 0000 4800", "030801 FFFFFFFF1F", "030518 0202"])
    func `L30 an instant that has passed ends the link with 0x28`(_ pdu: String) throws {
        for instant in ["0000", "0280"] {
            var pair = try Pair()
            inject([pdu + instant], fromCentral: true, &pair)
            #expect(pair.radio.disconnections(pair.peripheral).map(\.reason) == [.instantPassed])
            // The central is left alone and finds out.
            pair.radio.run(.seconds(5))
            #expect(pair.radio.disconnections(pair.central).map(\.reason) == [.connectionTimeout])
        }
    }

    @Test(arguments: ["0303160000", "030518 0000 6400", "030518 FFFF 6400", "030518 0303 6400", "030518 0808 6400"])
    func `L31 PHYs of nothing, or of several at once, change nothing`(_ pdu: String) throws {
        for fromCentral in [true, false] {
            var pair = try Pair()
            inject([pdu], fromCentral: fromCentral, &pair)
            #expect(pair.radio.linkPackets.allSatisfy { $0.phy == .le1M })
            expectAlive(&pair)
        }
    }

    @Test func `a termination that a foreign sender puts in is a termination`() throws {
        var pair = try Pair()
        inject(["03020213"], &pair)
        #expect(pair.radio.disconnections(pair.central).map(\.reason) == [.remoteUserTerminated])
    }

    @Test func `sequence numbers out of turn don't fill anything up`() throws {
        var pair = try Pair()
        for number in 0..<1000 {
            // SN as acknowledged already: each is a repetition.
            let header: UInt8 = number % 2 == 0 ? 0b0000_0010 : 0b0000_1010
            pair.radio.radio.injectData([header, 1, 9], from: pair.peripheral, on: pair.other, keepsSequence: true)
        }
        pair.radio.run(.seconds(20))
        #expect(pair.radio.data(pair.central).count <= 1000)
        #expect(pair.radio.disconnections(pair.central).isEmpty)
    }

    @Test func `a peer that asks and asks gets answers, and the link ends when it wants`() throws {
        var pair = try Pair()
        inject([String](repeating: "030112", count: 200), &pair)
        pair.radio.run(.seconds(5))
        #expect(answers(pair).count == 200)
        expectAlive(&pair)
    }

    @Test func `L23 50 packets in a row and a termination: every credit comes back once`() throws {
        var pair = try Pair(central: { $0.aclPacketCount = 60 })
        for octet in UInt8(0)..<50 { pair.radio.sendData([octet], to: pair.central, pair.own) }
        pair.radio.run(.milliseconds(100))
        pair.radio.radio.injectData(hex("03020213"), from: pair.peripheral, on: pair.other)
        pair.radio.run(.milliseconds(200))
        let completed = pair.radio.events(pair.central).reduce(0) { sum, event in
            if case .numberOfCompletedPackets(let event) = event {
                sum + event.completed.reduce(0) { $0 + Int($1.count) }
            } else {
                sum
            }
        }
        #expect(completed == 50)
        #expect(pair.radio.disconnections(pair.central).count == 1)
    }

    /// PDUs drawn at random, all kinds of LLID, lengths true and false.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `whatever a peer sends, other links live on`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var radio = TestRadio(seed: seed)
        let center = radio.add(1)
        let honest = radio.add(2)
        let hostile = radio.add(3)
        let handles = try radio.connect(center, to: honest)
        for round in 0..<6 {
            radio.clear()
            // A fresh link for the hostile one, in both roles in turn.
            let pair = try round % 2 == 0 ? radio.connect(center, to: hostile) : radio.connect(hostile, to: center)
            let own = round % 2 == 0 ? pair.peripheral : pair.central
            for _ in 0..<60 {
                let count = Int.random(in: 0...30, using: &generator)
                var pdu = (0..<count + 2).map { _ in UInt8.random(in: 0...255, using: &generator) }
                if Int.random(in: 0..<4, using: &generator) > 0 { pdu[1] = UInt8(count) }
                if Bool.random(using: &generator) {
                    pdu[0] = 3
                    if count > 0 { pdu[2] = UInt8.random(in: 0...0x1A, using: &generator) }
                }
                radio.radio.injectData(
                    pdu, from: hostile, on: own, keepsSequence: Int.random(in: 0..<5, using: &generator) == 0)
            }
            radio.run(.seconds(3))
            radio.send(HCIReset(), to: hostile)
            radio.send(HCISetEventMask(mask: HCIEventMask(rawValue: 0x3FFF_FFFF_FFFF_FFFF)), to: hostile)
            radio.run(.seconds(40))
        }
        radio.clear()
        radio.sendData([7, 7], to: center, handles.central)
        radio.run(.milliseconds(300))
        #expect(radio.data(honest).map(\.payloadOctets) == [[7, 7]])
    }

    // MARK: Advertising channels

    @Test(arguments: [
        "00 05 0102030405", "00 25 0102", "04 05 0102030405", "0026 \(String(repeating: "00", count: 38))",
        "07 02 FF FF",
        "0F 00", "00", "", "01 0B 0102030405060102030405", "05 22 \(String(repeating: "11", count: 34))",
    ])
    func `an advertisement that isn't well formed is not reported`(_ pdu: String) {
        var radio = TestRadio()
        let scanner = radio.add(1)
        radio.scan(scanner, interval: 0x4000, window: 0x4000)
        var out: [RadioOutput] = []
        radio.radio.injectAdvertising(hex(pdu), channel: 37, at: radio.now, into: &out)
        #expect(out.isEmpty)
    }

    @Test func `an injected advertisement is heard, unless its CRC is wrong or nobody listens there`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        radio.scan(scanner, interval: 0x4000, window: 0x4000)
        let pdu = hex("02 09 0102030405C6 020106")
        var out: [RadioOutput] = []
        radio.radio.injectAdvertising(pdu, channel: 37, crcIsValid: false, at: radio.now, into: &out)
        radio.radio.injectAdvertising(pdu, channel: 38, at: radio.now, into: &out)
        #expect(out.isEmpty)
        radio.radio.injectAdvertising(pdu, channel: 37, rssi: -77, at: radio.now, into: &out)
        #expect(
            out.compactMap { TestRadio.event($0, of: scanner) } == [
                .leAdvertisingReport(
                    LEAdvertisingReport(reports: [
                        .init(
                            type: .nonConnectable, address: DeviceAddress(0xC605_0403_0201), data: [2, 1, 6], rssi: -77)
                    ]))
            ])
    }

    private static let good = LLConnectInd()

    @Test(
        arguments: [
            { $0.interval = 0 }, { $0.timeout = 0 },
            {
                $0.timeout = 10; $0.interval = 80
            }, { $0.latency = 500 },
            { $0.channelMap = 0 }, { $0.channelMap = 1 }, { $0.hopAndSleepClockAccuracy = 0 },
            { $0.hopAndSleepClockAccuracy = 4 }, { $0.hopAndSleepClockAccuracy = 17 },
            { $0.hopAndSleepClockAccuracy = 31 }, { $0.windowSize = 0 },
            { $0.advertiser = 0x42 },
        ] as [@Sendable (inout LLConnectInd) -> Void])
    func `L07, L08 and L10 a CONNECT_IND with values that no link can have is ignored, and advertising goes on`(
        _ spoil: @Sendable (inout LLConnectInd) -> Void
    ) throws {
        var radio = TestRadio()
        let id = radio.add(2)
        radio.advertise(id)
        var connect = LLConnectInd()
        connect.initiator = 0x42
        connect.advertiser = radio.address(id).bits
        connect.accessAddress = 0xAF9A_9CD4
        spoil(&connect)
        let packet = LLAdvertisingPacket(header: AdvertisingHeader(type: .connectInd), payload: .connectInd(connect))
        radio.radio.injectReply(try packet.encoded(), to: id)
        radio.run(.seconds(1))
        #expect(radio.connections(id).isEmpty)
        #expect(radio.radio.linkLayerState(of: id) == .advertising)
    }

    @Test(arguments: ["051C \(String(repeating: "00", count: 28))", "0522", "05", "", "030C 010203040506"])
    func `L09 an answer of a wrong length is ignored`(_ pdu: String) throws {
        var radio = TestRadio()
        let id = radio.add(2)
        radio.advertise(id)
        radio.radio.injectReply(hex(pdu), to: id)
        radio.run(.seconds(1))
        #expect(radio.radio.linkLayerState(of: id) == .advertising)
    }

    @Test func `a good CONNECT_IND of nobody makes a link that fails to be established`() throws {
        var radio = TestRadio()
        let id = radio.add(2)
        radio.advertise(id)
        var connect = LLConnectInd()
        connect.initiator = 0x42
        connect.advertiser = radio.address(id).bits
        connect.accessAddress = 0xAF9A_9CD4
        let packet = LLAdvertisingPacket(header: AdvertisingHeader(type: .connectInd), payload: .connectInd(connect))
        radio.radio.injectReply(try packet.encoded(), to: id)
        radio.run(.seconds(1))
        #expect(radio.connections(id).map(\.peer) == [DeviceAddress(0x42)])
        #expect(radio.disconnections(id).map(\.reason) == [.failedToBeEstablished])
    }
}
