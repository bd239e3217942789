import BLEController
import BLEWire
import Testing

@Suite struct InitiatingTests {
    private func captured() -> TestRadio {
        var settings = RadioSettings()
        settings.capturesAir = true
        return TestRadio(settings)
    }

    @Test func `CONNECT_IND follows the advertisement by one inter frame space and carries what the host asked for`()
        throws
    {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        radio.advertise(peripheral, interval: 32)
        radio.initiate(central, to: radio.address(peripheral), interval: 40, latency: 3, timeout: 100)
        radio.run(.milliseconds(200))
        let place = try #require(radio.air.firstIndex { $0.pdu[0] & 0x0F == 5 })
        let (before, packet) = (radio.air[place - 1], radio.air[place])
        #expect(packet.time - before.time == .microseconds(152 + 150))
        #expect(packet.channel == before.channel)
        guard case .connectInd(let connect) = try LLAdvertisingPacket(decoding: packet.pdu).payload else {
            return #expect(Bool(false))
        }
        #expect((connect.interval, connect.latency, connect.timeout) == (40, 3, 100))
        #expect(connect.isValid)
        #expect(AccessAddress.isAllowed(connect.accessAddress))
        #expect(DeviceAddress(connect.initiator) == radio.address(central))
        // Both can do algorithm #2.
        #expect(packet.pdu[0] & 0x20 != 0)
    }

    @Test
    func `the first packet comes 1.25 ms after CONNECT_IND where nothing else is to be done, then at each interval`()
        throws
    {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral, interval: 24)
        let connect = try #require(radio.air.first { $0.pdu[0] & 0x0F == 5 && $0.direction == .advertising })
        let sent = radio.linkPackets.filter { $0.direction == .centralToPeripheral }.map(\.time)
        #expect(sent.first == connect.time + .microseconds(352 + 1250))
        #expect(zip(sent.dropFirst(), sent).allSatisfy { $0 - $1 == .milliseconds(30) })
    }

    @Test func `both hosts are told of the link when CONNECT_IND has ended, and of the algorithm`() throws {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral, interval: 24)
        let connect = try #require(radio.air.first { $0.pdu[0] & 0x0F == 5 && $0.direction == .advertising })
        for (id, role, peer) in [(central, LERole.central, peripheral), (peripheral, .peripheral, central)] {
            let time = radio.time(of: id) { TestRadio.isConnectionComplete($0) }
            #expect(time == connect.time + .microseconds(352))
            let event = try #require(radio.connections(id).first)
            #expect(event.status == .success)
            #expect(event.role == role)
            #expect(event.peer == radio.address(peer))
            #expect((event.interval, event.latency, event.supervisionTimeout) == (24, 0, 72))
            #expect(radio.events(id).contains(.leChannelSelectionAlgorithm(.init(handle: event.handle, algorithm: 1))))
        }
    }

    @Test func `a controller without algorithm #2 gets links with #1`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2) { $0.supportsChannelSelection2 = false }
        let handle = try radio.connect(central, to: peripheral).central
        #expect(radio.events(central).contains(.leChannelSelectionAlgorithm(.init(handle: handle, algorithm: 0))))
    }

    @Test func `advertising ends with the link`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral)
        #expect(radio.states(peripheral) == [.advertising, .connectedAsPeripheral])
        #expect(radio.states(central) == [.initiating, .connectedAsCentral])
    }

    @Test func `a CONNECT_IND that isn't heard is a link that fails to be established after six intervals`() throws {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        radio.radio.loseNext(1, from: central, to: peripheral)
        radio.advertise(peripheral, interval: 32)
        radio.initiate(central, to: radio.address(peripheral), interval: 24)
        radio.run(.seconds(2))
        let event = try #require(radio.connections(central).first)
        #expect(event.status == .success)
        let made = try #require(radio.time(of: central) { TestRadio.isConnectionComplete($0) })
        let lost = radio.time(of: central) { if case .disconnectionComplete = $0 { true } else { false } }
        #expect(lost == made + .milliseconds(30 * 6))
        #expect(radio.disconnections(central).map(\.reason) == [.failedToBeEstablished])
        #expect(radio.radio.linkLayerState(of: peripheral) == .advertising)
    }

    @Test func `a peripheral that never hears its central gives up after six intervals as well`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        radio.advertise(peripheral, interval: 32)
        radio.initiate(central, to: radio.address(peripheral))
        radio.run(atMost: .seconds(1)) { !$0.connections(peripheral).isEmpty }
        radio.radio.setLoss(1, between: central, and: peripheral)
        radio.run(.seconds(1))
        for id in [central, peripheral] {
            #expect(radio.disconnections(id).map(\.reason) == [.failedToBeEstablished])
        }
    }

    @Test func `a cancelled attempt ends with Unknown Connection Identifier`() {
        var radio = TestRadio()
        let central = radio.add(1)
        #expect(radio.status(LECreateConnectionCancel(), to: central) == .commandDisallowed)
        #expect(radio.initiate(central, to: DeviceAddress(0x42)) == .success)
        #expect(radio.initiate(central, to: DeviceAddress(0x43)) == .commandDisallowed)
        radio.run(.seconds(1))
        #expect(radio.status(LECreateConnectionCancel(), to: central) == .success)
        #expect(radio.connections(central).map(\.status) == [.unknownConnectionIdentifier])
        #expect(radio.states(central) == [.initiating, .standby])
    }

    @Test func `the accept list is whom an initiator connects to`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let wanted = radio.add(2)
        let other = radio.add(3)
        radio.advertise(other, interval: 32)
        radio.advertise(wanted, interval: 160)
        radio.send(LEAddDeviceToFilterAcceptList(address: radio.address(wanted)), to: central)
        var command = LECreateConnection()
        command.usesAcceptList = true
        radio.send(command, to: central)
        radio.run(.seconds(1))
        #expect(radio.connections(central).map(\.peer) == [radio.address(wanted)])
    }

    @Test func `a second link with the same device is refused`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral)
        #expect(radio.initiate(central, to: radio.address(peripheral)) == .connectionAlreadyExists)
    }

    @Test(
        arguments: [
            { $0.scanWindow = $0.scanInterval + 1 },
            {
                $0.intervalMinimum = 30; $0.intervalMaximum = 29
            },
            {
                $0.supervisionTimeout = 10; $0.intervalMaximum = 80; $0.intervalMinimum = 80
            },
            {
                $0.minimumCELength = 2; $0.maximumCELength = 1
            },
            { $0.intervalMinimum = 5 }, { $0.latency = 500 }, { $0.supervisionTimeout = 9 },
        ] as [@Sendable (inout LECreateConnection) -> Void])
    func `parameters that no link can have are refused`(_ spoil: @Sendable (inout LECreateConnection) -> Void) {
        var radio = TestRadio()
        let central = radio.add(1)
        var command = LECreateConnection()
        spoil(&command)
        #expect(radio.status(command, to: central) == .invalidParameters)
    }

    @Test func `two initiators that want the same advertiser: one gets it, the other fails to be established`() {
        var radio = TestRadio()
        let centrals = [radio.add(1), radio.add(2)]
        let peripheral = radio.add(3)
        for central in centrals {
            var command = LECreateConnection()
            command.peer = radio.address(peripheral)
            command.scanInterval = 0x4000
            command.scanWindow = 0x4000
            radio.send(command, to: central)
        }
        radio.advertise(peripheral)
        radio.run(.seconds(1))
        #expect(radio.connections(peripheral).count == 1)
        let reasons = centrals.flatMap { radio.disconnections($0).map(\.reason) }
        #expect(reasons == [.failedToBeEstablished])
    }

    @Test func `the eighth link of a central with seven is refused with 0x09, and the others live on`() throws {
        var radio = TestRadio()
        let central = radio.add(100) { $0.maximumLinksAsCentral = 7 }
        var handles: [ConnectionHandle] = []
        for last in UInt8(1)...7 { handles.append(try radio.connect(central, to: radio.add(last)).central) }
        #expect(Set(handles).count == 7)
        let eighth = radio.add(8)
        radio.advertise(eighth)
        #expect(radio.initiate(central, to: radio.address(eighth)) == .connectionLimitExceeded)
        radio.run(.seconds(2))
        #expect(radio.disconnections(central).isEmpty)
        #expect(radio.radio.linkHandles(of: central).sorted() == handles.sorted())
        // A link that ends makes room.
        radio.send(HCIDisconnect(handle: handles[3], reason: .remoteUserTerminated), to: central)
        radio.run(.seconds(1))
        #expect(radio.initiate(central, to: radio.address(eighth)) == .success)
    }

    @Test func `a peripheral with one link refuses to advertise connectably with 0x09, but may otherwise`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2) { $0.maximumLinksAsPeripheral = 1 }
        _ = try radio.connect(central, to: peripheral)
        #expect(radio.status(LESetAdvertisingEnable(isEnabled: true), to: peripheral) == .connectionLimitExceeded)
        var parameters = LESetAdvertisingParameters()
        parameters.type = .nonConnectable
        radio.send(parameters, to: peripheral)
        #expect(radio.status(LESetAdvertisingEnable(isEnabled: true), to: peripheral) == .success)
        radio.run(.seconds(1))
        #expect(radio.disconnections(peripheral).isEmpty)
    }
}
