// Reason for its length: one suite over all link layer procedures.
import BLEController
import BLEWire
import Testing

@Suite struct ProcedureTests {
    @Test func `versions are exchanged once, and read again without a word on the air`() throws {
        var pair = try Pair(peripheral: {
            $0.version = 8; $0.manufacturer = 0x0059; $0.subversion = 0x1234
        })
        pair.radio.send(HCIReadRemoteVersionInformation(handle: pair.own), to: pair.central)
        pair.radio.run(.milliseconds(100))
        let expected = HCIEvent.readRemoteVersionInformationComplete(
            .init(status: .success, handle: pair.own, version: 8, companyIdentifier: 0x0059, subversion: 0x1234))
        #expect(pair.radio.events(pair.central).last == expected)
        #expect(pair.opcodes == [.versionInd, .versionInd])
        pair.radio.send(HCIReadRemoteVersionInformation(handle: pair.own), to: pair.central)
        pair.radio.send(HCIReadRemoteVersionInformation(handle: pair.other), to: pair.peripheral)
        #expect(pair.radio.events(pair.central).last == expected)
        #expect(
            pair.radio.events(pair.peripheral).contains {
                if case .readRemoteVersionInformationComplete = $0 { true } else { false }
            })
        pair.radio.run(.milliseconds(100))
        #expect(pair.opcodes.count == 2)
    }

    @Test(arguments: [true, false])
    func `features are asked for by either side, and the first octet of the answer is what both have`(
        _ byCentral: Bool
    ) throws {
        var pair = try Pair(central: { $0.version = 8 })
        let (id, handle) = byCentral ? (pair.central, pair.own) : (pair.peripheral, pair.other)
        pair.radio.send(LEReadRemoteFeatures(handle: handle), to: id)
        pair.radio.run(.milliseconds(100))
        #expect(pair.opcodes == [byCentral ? .featureReq : .peripheralFeatureReq, .featureRsp])
        // The central is a 4.2, the peripheral a 5.0: what the 5.0 has beyond the first octet, it shows.
        let features = LEFeatures(rawValue: byCentral ? 0x1797F : 0x7F)
        #expect(
            pair.radio.events(id).last
                == .leReadRemoteFeaturesComplete(.init(status: .success, handle: handle, features: features)))
    }

    @Test func `a central changes the parameters at an instant at least six events ahead`() throws {
        var pair = try Pair()
        let command = LEConnectionUpdate(
            handle: pair.own, intervalMinimum: 40, intervalMaximum: 40, latency: 2, supervisionTimeout: 500)
        #expect(pair.radio.status(command, to: pair.central) == .success)
        pair.radio.run(.milliseconds(500))
        guard case .connectionUpdateInd(let update)? = pair.controls.first?.1 else { return #expect(Bool(false)) }
        #expect((update.interval, update.latency, update.timeout) == (40, 2, 500))
        let complete = HCIEvent.leConnectionUpdateComplete(
            .init(status: .success, handle: pair.own, interval: 40, latency: 2, supervisionTimeout: 500))
        #expect(pair.radio.events(pair.central).last == complete)
        let sent = pair.radio.linkPackets.filter { $0.direction == .centralToPeripheral }.map(\.time)
        let gaps = zip(sent.dropFirst(), sent).map { $0 - $1 }
        let change = try #require(gaps.firstIndex { $0 != .milliseconds(15) })
        #expect(change >= 6)
        #expect(gaps[change...].dropFirst().allSatisfy { $0 == .milliseconds(50) })
        // The event at the instant tells both hosts.
        let times = [pair.central, pair.peripheral].map { id in
            pair.radio.time(of: id) { if case .leConnectionUpdateComplete = $0 { true } else { false } }
        }
        #expect(times == [sent[change], sent[change]])
        #expect(pair.radio.disconnections(pair.central).isEmpty)
    }

    @Test func `an update goes on without loss of data`() throws {
        var pair = try Pair()
        let payloads = (0..<500).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        pair.radio.pump(pair.central, pair.own, payloads, credits: 8)
        for interval in [UInt16(6), 80, 24] {
            pair.radio.send(
                LEConnectionUpdate(
                    handle: pair.own, intervalMinimum: interval, intervalMaximum: interval, latency: 0,
                    supervisionTimeout: 400),
                to: pair.central)
            pair.radio.run(.milliseconds(900))
        }
        pair.radio.run(.seconds(3))
        #expect(pair.radio.data(pair.peripheral).map(\.payloadOctets) == payloads)
    }

    @Test func `a peripheral asks, its central's host agrees, and both are told`() throws {
        var pair = try Pair()
        let command = LEConnectionUpdate(
            handle: pair.other, intervalMinimum: 80, intervalMaximum: 100, latency: 1, supervisionTimeout: 600)
        #expect(pair.radio.status(command, to: pair.peripheral) == .success)
        pair.radio.run(.milliseconds(100))
        #expect(
            pair.radio.events(pair.central).last
                == .leRemoteConnectionParameterRequest(
                    .init(
                        handle: pair.own, intervalMinimum: 80, intervalMaximum: 100, latency: 1, supervisionTimeout: 600
                    )))
        let reply = LERemoteConnectionParameterRequestReply(
            handle: pair.own, intervalMinimum: 90, intervalMaximum: 90, latency: 1, supervisionTimeout: 600)
        #expect(pair.radio.status(reply, to: pair.central) == .success)
        #expect(pair.radio.status(reply, to: pair.central) == .commandDisallowed)
        pair.radio.run(.milliseconds(500))
        for (id, handle) in [(pair.central, pair.own), (pair.peripheral, pair.other)] {
            #expect(
                pair.radio.events(id).contains(
                    .leConnectionUpdateComplete(
                        .init(status: .success, handle: handle, interval: 90, latency: 1, supervisionTimeout: 600))))
        }
        #expect(pair.opcodes == [.connectionParamReq, .connectionUpdateInd])
    }

    @Test func `a central's host refuses, and the peripheral's is told why`() throws {
        var pair = try Pair()
        pair.radio.send(
            LEConnectionUpdate(
                handle: pair.other, intervalMinimum: 80, intervalMaximum: 80, latency: 0, supervisionTimeout: 600),
            to: pair.peripheral)
        pair.radio.run(.milliseconds(100))
        let refusal = LERemoteConnectionParameterRequestNegativeReply(handle: pair.own, reason: .unacceptableParameters)
        #expect(pair.radio.status(refusal, to: pair.central) == .success)
        pair.radio.run(.milliseconds(100))
        #expect(
            pair.radio.events(pair.peripheral).last
                == .leConnectionUpdateComplete(
                    .init(
                        status: .unacceptableParameters, handle: pair.other, interval: 12, latency: 0,
                        supervisionTimeout: 400)))
        #expect(pair.opcodes == [.connectionParamReq, .rejectExtInd])
    }

    @Test func `a host that masks the request has it refused as unsupported`() throws {
        var pair = try Pair()
        pair.radio.send(LESetEventMask(mask: .standard), to: pair.central)
        pair.radio.send(
            LEConnectionUpdate(
                handle: pair.other, intervalMinimum: 80, intervalMaximum: 80, latency: 0, supervisionTimeout: 600),
            to: pair.peripheral)
        pair.radio.run(.milliseconds(100))
        guard case .leConnectionUpdateComplete(let event)? = pair.radio.events(pair.peripheral).last else {
            return #expect(Bool(false))
        }
        #expect(event.status == .unsupportedRemoteFeature)
    }

    @Test func `a peer without the procedure answers LL_UNKNOWN_RSP, and the host is told so`() throws {
        var pair = try Pair(central: { $0.version = 6 })
        pair.radio.send(
            LEConnectionUpdate(
                handle: pair.other, intervalMinimum: 80, intervalMaximum: 80, latency: 0, supervisionTimeout: 600),
            to: pair.peripheral)
        pair.radio.send(LEReadRemoteFeatures(handle: pair.other), to: pair.peripheral)
        pair.radio.send(
            LESetPHY(handle: pair.other, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.peripheral)
        pair.radio.run(.milliseconds(300))
        let statuses = pair.radio.events(pair.peripheral).compactMap { event -> HCIStatus? in
            switch event {
            case .leConnectionUpdateComplete(let event): event.status
            case .leReadRemoteFeaturesComplete(let event): event.status
            case .lePHYUpdateComplete(let event): event.status
            default: nil
            }
        }
        #expect(statuses == [.unsupportedRemoteFeature, .unsupportedRemoteFeature, .unsupportedRemoteFeature])
        #expect(pair.opcodes.filter { $0 == .unknownRsp }.count == 3)
    }

    @Test func `when both ask for a PHY at once, the central wins and the peripheral hears of the collision`() throws {
        var pair = try Pair()
        pair.radio.send(
            LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.central)
        pair.radio.send(
            LESetPHY(handle: pair.other, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.peripheral)
        pair.radio.run(.milliseconds(500))
        let statuses = pair.radio.events(pair.peripheral).compactMap {
            if case .lePHYUpdateComplete(let event) = $0 { event.status } else { nil }
        }
        #expect(statuses == [.llProcedureCollision, .success])
        #expect(
            pair.radio.events(pair.central).last
                == .lePHYUpdateComplete(
                    .init(status: .success, handle: pair.own, transmitPHY: .le2M, receivePHY: .le2M)))
    }

    @Test func `a request that meets the central's procedure of another kind is a different transaction collision`()
        throws
    {
        var pair = try Pair()
        pair.radio.send(
            LEConnectionUpdate(
                handle: pair.own, intervalMinimum: 40, intervalMaximum: 40, latency: 0, supervisionTimeout: 400),
            to: pair.central)
        pair.radio.send(
            LESetPHY(handle: pair.other, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.peripheral)
        pair.radio.run(.milliseconds(500))
        guard
            case .lePHYUpdateComplete(let event)? = pair.radio.events(pair.peripheral).first(where: {
                if case .lePHYUpdateComplete = $0 { true } else { false }
            })
        else { return #expect(Bool(false)) }
        #expect(event.status == .differentTransactionCollision)
        #expect(
            pair.radio.events(pair.central).contains {
                if case .leConnectionUpdateComplete = $0 { true } else { false }
            })
    }

    @Test func `procedures with instants wait for each other on one side`() throws {
        var pair = try Pair()
        pair.radio.send(
            LEConnectionUpdate(
                handle: pair.own, intervalMinimum: 24, intervalMaximum: 24, latency: 0, supervisionTimeout: 400),
            to: pair.central)
        pair.radio.send(
            LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.central)
        pair.radio.send(LESetHostChannelClassification(channelMap: 0x1F_0000_00FF), to: pair.central)
        pair.radio.run(.seconds(2))
        #expect(
            pair.opcodes.filter { $0 != .phyRsp } == [.connectionUpdateInd, .phyReq, .phyUpdateInd, .channelMapInd])
        #expect(
            pair.radio.linkPackets.suffix(2).allSatisfy {
                $0.phy == .le2M && ChannelMap(bits: 0x1F_0000_00FF).contains($0.channel)
            })
    }

    @Test func `channels that the host calls bad are left at the instant`() throws {
        var pair = try Pair()
        let map = ChannelMap(bits: 0x00_0000_0F0F)
        #expect(pair.radio.status(LESetHostChannelClassification(channelMap: map.bits), to: pair.central) == .success)
        pair.radio.run(.seconds(1))
        #expect(pair.opcodes == [.channelMapInd])
        #expect(pair.radio.linkPackets.suffix(60).allSatisfy { map.contains($0.channel) })
        for (id, handle) in [(pair.central, pair.own), (pair.peripheral, pair.other)] {
            let octets: [UInt8] = [0, UInt8(handle.rawValue), UInt8(handle.rawValue >> 8), 0x0F, 0x0F, 0, 0, 0]
            #expect(
                pair.radio.send(LEReadChannelMap(handle: handle), to: id) == [
                    .commandComplete(.init(opcode: .leReadChannelMap, returnParameters: octets))
                ])
        }
        #expect(pair.radio.disconnections(pair.central).isEmpty)
    }

    @Test(arguments: [0, 1, 0x20_0000_0003] as [UInt64])
    func `a map of fewer than two channels, or of others than 37, is refused`(_ map: UInt64) throws {
        var pair = try Pair()
        #expect(
            pair.radio.status(LESetHostChannelClassification(channelMap: map), to: pair.central) == .invalidParameters)
    }

    @Test func `an answer that doesn't come within 40 s ends the link with 0x22`() throws {
        var pair = try Pair(timeout: 3200)
        pair.radio.send(
            LEConnectionUpdate(
                handle: pair.other, intervalMinimum: 80, intervalMaximum: 80, latency: 0, supervisionTimeout: 600),
            to: pair.peripheral)
        let start = pair.radio.now
        // The central's host never replies.
        pair.radio.run(.seconds(60))
        let end = pair.radio.time(of: pair.peripheral) { if case .disconnectionComplete = $0 { true } else { false } }
        #expect(end == start + .seconds(40))
        #expect(pair.radio.disconnections(pair.peripheral).map(\.reason) == [.llResponseTimeout])
    }

    @Test func `commands for a link that isn't there answer Unknown Connection Identifier`() {
        var radio = TestRadio()
        let id = radio.add(1)
        let handle = ConnectionHandle(rawValue: 0x0123)
        let none = HCIStatus.unknownConnectionIdentifier
        #expect(radio.status(HCIDisconnect(handle: handle, reason: .remoteUserTerminated), to: id) == none)
        #expect(radio.status(HCIReadRemoteVersionInformation(handle: handle), to: id) == none)
        #expect(radio.status(LEReadRemoteFeatures(handle: handle), to: id) == none)
        #expect(radio.status(LEConnectionUpdate(handle: handle), to: id) == none)
        #expect(radio.status(LESetDataLength(handle: handle, transmitOctets: 27, transmitTime: 328), to: id) == none)
        #expect(radio.status(LEReadPHY(handle: handle), to: id) == none)
        #expect(
            radio.status(LESetPHY(handle: handle, allPHYs: 3, transmitPHYs: 0, receivePHYs: 0, options: 0), to: id)
                == none)
        #expect(radio.status(LEReadChannelMap(handle: handle), to: id) == none)
        #expect(radio.status(HCIReadRSSI(handle: handle), to: id) == none)
        #expect(radio.status(HCIReadTransmitPowerLevel(handle: handle, type: 0), to: id) == none)
        #expect(
            radio.status(
                LERemoteConnectionParameterRequestNegativeReply(handle: handle, reason: .unacceptableParameters), to: id
            ) == none)
    }
}
