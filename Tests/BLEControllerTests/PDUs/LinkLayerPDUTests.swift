import BLEWire
import Testing

@Suite struct LinkLayerPDUTests {
    @Test(
        arguments: [
            (
                "00 02 0300 1800 0000 4800 6400",
                LLControlPacket.connectionUpdateInd(
                    .init(
                        windowSize: 2, windowOffset: 3,
                        interval: 24, latency: 0, timeout: 72, instant: 100))
            ),
            ("01 FFFFFFFF1F 0700", .channelMapInd(.init(channelMap: 0x1F_FFFF_FFFF, instant: 7))),
            ("02 13", .terminateInd(.init(reason: .remoteUserTerminated))),
            (
                "03 9078563412EFCDAB 7424 1302F1E0DFCEBDAC 24ABDCBA",
                .encReq(
                    .init(
                        random: 0xABCD_EF12_3456_7890,
                        diversifier: 0x2474, sessionKeyDiversifier: 0xACBD_CEDF_E0F1_0213,
                        initializationVector: 0xBADC_AB24))
            ),
            (
                "04 7968574635241302 BEBAAFDE",
                .encRsp(
                    .init(
                        sessionKeyDiversifier: 0x0213_2435_4657_6879,
                        initializationVector: 0xDEAF_BABE))
            ),
            ("05", .startEncReq(.init())), ("06", .startEncRsp(.init())),
            ("07 FF", .unknownRsp(.init(unknown: LLOpcode(rawValue: 0xFF)))),
            ("08 0D40000000000000", .featureReq(.init(features: LEFeatures(rawValue: 0x400D)))),
            ("09 0140000000000000", .featureRsp(.init(features: LEFeatures(rawValue: 0x4001)))),
            ("0A", .pauseEncReq(.init())), ("0B", .pauseEncRsp(.init())),
            ("0C 09 FFFF 3412", .versionInd(.init(version: 9, company: 0xFFFF, subversion: 0x1234))),
            ("0D 1A", .rejectInd(.init(reason: .unsupportedRemoteFeature))),
            ("0E 0100000000000000", .peripheralFeatureReq(.init(features: .encryption))),
            ("11 16 23", .rejectExtInd(.init(rejected: .phyReq, reason: .llProcedureCollision))),
            ("12", .pingReq(.init())), ("13", .pingRsp(.init())),
            (
                "14 FB00 4808 1B00 4801",
                .lengthReq(
                    .init(
                        maximumReceiveOctets: 251, maximumReceiveTime: 2120,
                        maximumTransmitOctets: 27, maximumTransmitTime: 328))
            ),
            (
                "15 1B00 4801 FB00 4808",
                .lengthRsp(
                    .init(
                        maximumReceiveOctets: 27, maximumReceiveTime: 328,
                        maximumTransmitOctets: 251, maximumTransmitTime: 2120))
            ),
            ("16 03 02", .phyReq(.init(transmit: [.le1M, .le2M], receive: .le2M))),
            ("17 04 01", .phyRsp(.init(transmit: .leCoded, receive: .le1M))),
            ("18 02 00 0A00", .phyUpdateInd(.init(centralToPeripheral: .le2M, peripheralToCentral: [], instant: 10))),
            ("19 01 02", .minUsedChannelsInd(.init(phys: .le1M, minimum: 2))),
            ("1A 0102", .unknown(LLOpcode(rawValue: 0x1A), [1, 2])),
        ] as [(String, LLControlPacket)])
    func `a control PDU is these octets and back`(_ octets: String, _ packet: LLControlPacket) throws {
        #expect(try packet.encoded() == hex(octets))
        #expect(try LLControlPacket(decoding: hex(octets)) == packet)
    }

    @Test func `a request for parameters has six offsets, not given ones as 0xFFFF`() throws {
        var parameters = LLConnectionParameters()
        parameters.intervalMaximum = 40
        parameters.preferredPeriodicity = 8
        parameters.offsets = [2]
        let octets = hex("0F 1800 2800 0000 4800 08 0000 0200 FFFF FFFF FFFF FFFF FFFF")
        #expect(try LLControlPacket.connectionParamReq(.init(parameters: parameters)).encoded() == octets)
        parameters.offsets += [UInt16](repeating: 0xFFFF, count: 5)
        #expect(try LLControlPacket(decoding: octets) == .connectionParamReq(.init(parameters: parameters)))
    }

    @Test(arguments: ["", "02", "02 13 00", "08 010203", "03 00000000000000000000", "05 00", "16 01"])
    func `a control PDU of another length than its own is an error`(_ octets: String) {
        #expect(throws: WireError.self) { try LLControlPacket(decoding: hex(octets)) }
    }

    @Test func `a CONNECT_IND is these octets and back`() throws {
        var connect = LLConnectInd()
        connect.initiator = 0xC605_0403_0201
        connect.advertiser = 0xC102_0304_0506
        connect.accessAddress = 0xAF9A_9CD4
        connect.crcInit = 0x12_3456
        connect.windowSize = 2
        connect.windowOffset = 5
        connect.interval = 24
        connect.latency = 1
        connect.timeout = 100
        connect.hopAndSleepClockAccuracy = 0x27
        let header = AdvertisingHeader(
            type: .connectInd, channelSelection2: true, transmitterIsRandom: true, receiverIsRandom: true)
        let octets = hex(
            "E522 0102030405C6 0605040302C1 D49C9AAF 563412 02 0500 1800 0100 6400 FFFFFFFF1F 27")
        #expect(try LLAdvertisingPacket(header: header, payload: .connectInd(connect)).encoded() == octets)
        let packet = try LLAdvertisingPacket(decoding: octets)
        #expect(packet.payload == .connectInd(connect))
        #expect(packet.header.channelSelection2)
        #expect(packet.header.transmitterKind == .randomDevice)
        #expect(packet.header.receiverKind == .randomDevice)
        #expect(connect.hopIncrement == 7)
        #expect(connect.isValid)
    }

    @Test(
        arguments: [
            { $0.interval = 0 }, { $0.timeout = 0 }, { $0.latency = 500 },
            {
                $0.timeout = 10; $0.interval = 40
            },
            { $0.channelMap = 0 }, { $0.channelMap = 1 }, { $0.hopAndSleepClockAccuracy = 4 },
            { $0.hopAndSleepClockAccuracy = 17 }, { $0.windowSize = 0 }, { $0.windowSize = 9 },
            { $0.windowOffset = 25 },
        ] as [@Sendable (inout LLConnectInd) -> Void])
    func `a CONNECT_IND with a value that a link can't have is not valid`(
        _ spoil: @Sendable (inout LLConnectInd) -> Void
    ) {
        var connect = LLConnectInd()
        #expect(connect.isValid)
        spoil(&connect)
        #expect(!connect.isValid)
    }

    @Test(arguments: [
        "00 05 0102030405", "00 26 \(String(repeating: "00", count: 38))", "04 05 0102030405", "05 04 01020304",
        "00 06 0102030405", "00 06 01020304050607", "00", "",
    ])
    func `an advertising PDU of a length that it can't have is an error`(_ octets: String) {
        #expect(throws: WireError.self) { try LLAdvertisingPacket(decoding: hex(octets)) }
    }

    @Test func `a data header has its bits where the specification has them`() throws {
        let header = DataHeader(llid: .start, nesn: 1, sn: 0, moreData: true, length: 7)
        #expect(try header.encoded() == [0b0001_0110, 7])
        #expect(header.llid == .start && header.nesn == 1 && header.sn == 0 && header.moreData)
    }

    @Test func `the catalogue has every opcode from 0x00 to 0x19 once`() {
        #expect(LLCatalogue.control.map { $0.opcode.rawValue } == Array(0x00...0x19))
    }

    @Test func `every PDU of the catalogue reads back what it writes`() throws {
        func check<P: WirePDU>(_ type: P.Type) throws {
            let value = P()
            #expect(try P(decoding: value.encoded()) == value, "\(P.name)")
        }
        for type in LLCatalogue.all { try check(type) }
    }
}
