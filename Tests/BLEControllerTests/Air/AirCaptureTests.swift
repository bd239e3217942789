import BLEController
import BLETestSupport
import BLEWire
import Testing

/// What Wireshark's own dissector says about a life of two link layers.
@Suite(.enabled(if: Tshark.path != nil, "tshark is not installed"))
struct AirCaptureTests {
    @Test func `nothing of a link's life is malformed, every CRC fits, and the procedures are there by name`()
        async throws
    {
        let octets = Self.capture(try life())
        let wrong = Tshark.isWrong + " || btle.crc.incorrect"
        #expect(try await Tshark.run(octets, "pcap", filter: wrong) == [])
        let opcodes = try await values(of: "btle.control_opcode", in: octets)
        let expected = ["0x00", "0x01", "0x02", "0x08", "0x09", "0x0c", "0x0f", "0x14", "0x15", "0x16", "0x17", "0x18"]
        #expect(opcodes.isSuperset(of: expected), "\(opcodes.sorted())")
        let types = try await values(of: "btle.advertising_header.pdu_type", in: octets)
        #expect(types.isSuperset(of: ["0x00", "0x03", "0x04", "0x05"]), "\(types.sorted())")
    }

    private static func capture(_ packets: [AirPacket]) -> [UInt8] {
        var octets = Pcap.fileHeader(linkType: Pcap.linkLayerWithRadioHeader)
        for packet in packets {
            let direction: AirCapture.Direction =
                switch packet.direction {
                case .advertising: .advertising
                case .centralToPeripheral: .centralToPeripheral
                case .peripheralToCentral: .peripheralToCentral
                }
            let capture = AirCapture(
                channel: packet.channel, phy: packet.phy, rssi: packet.rssi, accessAddress: packet.accessAddress,
                direction: direction, pdu: packet.pdu, crc: packet.crc, isCRCValid: packet.isCRCValid)
            Pcap.Record(unixNanoseconds: packet.time.nanoseconds, packet: capture.packet()).append(to: &octets)
        }
        return octets
    }

    @Test func `nothing of extended advertising is malformed, chains and links on every PHY are read`() async throws {
        let octets = Self.capture(try extendedLife())
        let wrong = Tshark.isWrong + " || btle.crc.incorrect"
        #expect(try await Tshark.run(octets, "pcap", filter: wrong) == [])
        let types = try await values(of: "btle.advertising_header.pdu_type", in: octets)
        #expect(types.isSuperset(of: ["0x03", "0x05", "0x07", "0x08"]), "\(types.sorted())")
        // Older ones call every auxiliary packet of this type AUX_ADV_IND.
        let lines = try await Tshark.run(octets, "pcap")
        for name in [
            "ADV_EXT_IND", "AUX_ADV_IND", "AUX_SCAN_REQ", "AUX_CONNECT_REQ", "AUX_CONNECT_RSP",
        ] {
            #expect(lines.contains { $0.contains(name) }, "\(name)")
        }
        let trains = try await values(of: "btle.access_address", in: octets)
        #expect(trains.count == 1 + 1 + 3, "advertising, a train and three links")
        let phys = try await values(of: "btle_rf.phy", in: octets)
        #expect(phys.count == 3, "\(phys.sorted())")
    }

    /// Chains, scan responses and links on all PHYs.
    private func extendedLife() throws -> [AirPacket] {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(settings)
        let central = radio.add(1)
        let chain = radio.add(2)
        let scannable = radio.add(3)
        radio.scanExtended(central, active: true, phys: [.le1M, .leCoded], interval: 160, window: 80)
        // tshark reads each packet by itself, so no AD structure goes over the end of one: an AUX_ADV_IND with its power
        // holds 241 octets, an AUX_SCAN_RSP 242, an AUX_CHAIN_IND in the middle 248.
        func data(_ counts: [Int]) -> [UInt8] {
            counts.flatMap { [UInt8($0 - 1), 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 7, count: $0 - 4) }
        }
        #expect(
            radio.advertiseSet(chain, .includesTransmitPower, data: data([241, 248, 100]), secondary: .le2M) == .success
        )
        #expect(
            radio.advertiseSet(chain, handle: 1, data: data([242, 90]), primary: .leCoded, secondary: .leCoded)
                == .success)
        #expect(radio.advertiseSet(scannable, .scannable, scanResponse: data([242, 248, 200])) == .success)
        radio.run(.seconds(1))
        #expect(radio.advertiseSet(chain, handle: 2, data: data([60])) == .success)
        radio.send(LESetPeriodicAdvertisingParameters(handle: 2, properties: 1 << 6), to: chain)
        // An AUX_SYNC_IND with its power holds 249.
        for (operation, part) in TestRadio.fragments(data([249, 60])) {
            radio.send(LESetPeriodicAdvertisingData(handle: 2, operation: operation, data: part), to: chain)
        }
        radio.send(LESetPeriodicAdvertisingEnable(enable: 1, handle: 2), to: chain)
        radio.run(.seconds(1))
        radio.send(LESetExtendedScanEnable(isEnabled: false), to: central)
        for (index, phy) in [LEPHY.le1M, .le2M, .leCoded].enumerated() {
            let peripheral = radio.add(UInt8(10 + index))
            let primary: LEPHY = phy == .leCoded ? .leCoded : .le1M
            #expect(
                radio.advertiseSet(peripheral, .connectable, data: [2, 1, 6], primary: primary, secondary: phy)
                    == .success)
            radio.initiateExtended(central, to: radio.address(peripheral), phys: [.le1M, .leCoded])
            radio.run(atMost: .seconds(5)) { !$0.connections(peripheral).isEmpty }
            let handle = try #require(radio.connections(central).last).handle
            radio.send(HCIReadRemoteVersionInformation(handle: handle), to: central)
            radio.run(.milliseconds(300))
        }
        return radio.air
    }

    private func values(of field: String, in capture: [UInt8]) async throws -> Set<String> {
        Set(try await Tshark.run(capture, "pcap", filter: field, fields: [field]))
    }

    /// Scan, connect, every procedure, data both ways, and the end.
    private func life() throws -> [AirPacket] {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(settings)
        let central = radio.add(1)
        let peripheral = radio.add(2)
        radio.scan(central, active: true)
        radio.advertise(peripheral)
        radio.run(.milliseconds(300))
        radio.send(LESetScanEnable(isEnabled: false, filterDuplicates: false), to: central)
        let handles = try radio.connect(central, to: peripheral, interval: 24, timeout: 400)
        let (own, other) = (handles.central, handles.peripheral)
        radio.send(LEReadRemoteFeatures(handle: own), to: central)
        radio.send(HCIReadRemoteVersionInformation(handle: own), to: central)
        radio.send(LESetDataLength(handle: own, transmitOctets: 251, transmitTime: 2120), to: central)
        radio.run(.seconds(1))
        radio.send(LESetPHY(handle: own, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: central)
        radio.run(.seconds(1))
        radio.send(
            LEConnectionUpdate(
                handle: other, intervalMinimum: 40, intervalMaximum: 40, latency: 0, supervisionTimeout: 400),
            to: peripheral)
        radio.run(.milliseconds(200))
        radio.send(
            LERemoteConnectionParameterRequestReply(
                handle: own, intervalMinimum: 40, intervalMaximum: 40, latency: 0, supervisionTimeout: 400), to: central
        )
        radio.run(.seconds(1))
        radio.send(LESetHostChannelClassification(channelMap: 0x0F_FFFF_FF00), to: central)
        radio.run(.seconds(1))
        // An ATT request and its answer, and a long notification in fragments.
        radio.sendData(hex("0300 0400 02 F700"), to: central, own)
        radio.sendData(hex("0300 0400 03 F700"), to: peripheral, other)
        radio.sendData(hex("3300 0400 1B 0300") + [UInt8](repeating: 0x41, count: 48), to: peripheral, other)
        radio.run(.seconds(1))
        radio.send(LESetPHY(handle: own, allPHYs: 0, transmitPHYs: 4, receivePHYs: 4, options: 1), to: central)
        radio.run(.seconds(1))
        radio.send(HCIDisconnect(handle: own, reason: .remoteUserTerminated), to: central)
        radio.run(.seconds(1))
        return radio.air
    }
}
