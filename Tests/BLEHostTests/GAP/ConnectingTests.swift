import BLEHost
import BLEWire
import Testing

@Suite struct ConnectingTests {
    static let first = DeviceAddress(0xC000_0000_0001, .randomDevice)
    static let second = DeviceAddress(0x0000_0000_0002)
    static let third = DeviceAddress(0xC000_0000_0003, .randomDevice)

    static func connect(_ addresses: [DeviceAddress], _ bench: inout HostBench) {
        for address in addresses { bench.command(.connect(address, ConnectionSettings())) }
    }

    static func connected(_ handle: UInt16, _ peer: DeviceAddress) -> HostEvent {
        .connected(
            LinkInfo(
                handle: ConnectionHandle(rawValue: handle), peer: peer, isCentral: true, interval: 24, latency: 0,
                supervisionTimeout: 72))
    }

    @Test func `connects to one peer by its address, octet by octet`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first], &bench)
        #expect(
            bench.commands.map { Hex.string($0, separator: " ") } == [
                "01 0D 20 19 60 00 60 00 00 01 01 00 00 00 00 C0 00 18 00 18 00 00 00 48 00 00 00 00 00"
            ])
        bench.forget()
        bench.linkMade(to: Self.first, as: .central)
        #expect(bench.opcodes == [.leReadRemoteFeatures])
        #expect(bench.events == [Self.connected(0x40, Self.first)])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `tells of a link only when its peer has given a sign`() {
        var bench = HostBench.poweredOn()
        bench.controller.answer(LEReadRemoteFeatures.self, [LEReadRemoteFeatures.accepted()])
        Self.connect([Self.first], &bench)
        bench.linkMade(to: Self.first, as: .central)
        #expect(bench.events.isEmpty)
        // A request of the peer is one.
        bench.receive([0x02, 0x00, 0x02], on: .att)
        #expect(bench.events.first == Self.connected(0x40, Self.first))
        bench.receive(LEReadRemoteFeaturesComplete(handle: HostBench.handle).packet())
        #expect(bench.events.filter { $0 == Self.connected(0x40, Self.first) }.count == 1)
    }

    @Test func `tells of a link though the controller won't ask the peer for a sign`() {
        var bench = HostBench.poweredOn()
        bench.controller.refuse(LEReadRemoteFeatures.self, .unsupportedRemoteFeature)
        Self.connect([Self.first], &bench)
        bench.linkMade(to: Self.first, as: .central)
        #expect(bench.events == [Self.connected(0x40, Self.first)])
    }

    @Test func `waits for several peers at once through the Filter Accept List`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first, Self.second, Self.third], &bench)
        #expect(bench.controller.acceptList == [Self.first, Self.second, Self.third])
        // Initiator_Filter_Policy is 1.
        #expect(bench.commands.last?[8] == 1)
        bench.forget()
        bench.linkMade(to: Self.second, as: .central)
        #expect(bench.events == [Self.connected(0x40, Self.second)])
        #expect(bench.controller.acceptList == [Self.first, Self.third])
        #expect(bench.opcodes.last == .leCreateConnection)
    }

    @Test func `goes back to the address when one is left`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first, Self.second], &bench)
        bench.forget()
        bench.command(.cancelConnect(Self.second))
        #expect(bench.events == [.connectFailed(Self.second, .cancelled)])
        #expect(bench.opcodes.suffix(2) == [.leCreateConnectionCancel, .leCreateConnection])
        #expect(bench.commands.last?[8] == 0)
    }

    @Test func `cancels`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first], &bench)
        bench.forget()
        bench.command(.cancelConnect(Self.first))
        #expect(bench.events == [.connectFailed(Self.first, .cancelled)])
        #expect(bench.opcodes == [.leCreateConnectionCancel])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `ends a link that comes though it was called off, silently`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first], &bench)
        bench.controller.refuse(LECreateConnectionCancel.self, .commandDisallowed)
        bench.command(.cancelConnect(Self.first))
        bench.forget()
        bench.linkMade(to: Self.first, as: .central)
        #expect(bench.opcodes == [.disconnect])
        #expect(bench.events.isEmpty)
    }

    @Test func `says nothing of what the peer of a link that was called off still sends`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first], &bench)
        bench.controller.refuse(LECreateConnectionCancel.self, .commandDisallowed)
        bench.controller.answer(HCIDisconnect.self, [HCIDisconnect.accepted()])
        bench.command(.cancelConnect(Self.first))
        bench.linkMade(to: Self.first, as: .central)
        bench.forget()
        bench.receive([0x02, 0x00, 0x02], on: .att)
        bench.receive(HCIDisconnectionComplete(handle: HostBench.handle, reason: .localHostTerminated).packet())
        #expect(bench.events.isEmpty)
        #expect(bench.data.isEmpty)
    }

    @Test func `ends a link that was called off before its peer gave a sign`() {
        var bench = HostBench.poweredOn()
        bench.controller.answer(LEReadRemoteFeatures.self, [LEReadRemoteFeatures.accepted()])
        Self.connect([Self.first], &bench)
        bench.linkMade(to: Self.first, as: .central)
        bench.forget()
        bench.command(.cancelConnect(Self.first))
        #expect(bench.events == [.connectFailed(Self.first, .cancelled)])
        #expect(bench.opcodes == [.disconnect])
    }

    @Test func `takes a wish that is renewed while the old one is being cancelled`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first], &bench)
        bench.controller.ignore(LECreateConnectionCancel.self)
        bench.command(.cancelConnect(Self.first))
        Self.connect([Self.first], &bench)
        bench.forget()
        bench.receive(LECreateConnectionCancel.completed(.init()))
        bench.receive(LEConnectionComplete(status: .unknownConnectionIdentifier).packet())
        #expect(bench.opcodes == [.leCreateConnection])
        bench.linkMade(to: Self.first, as: .central)
        #expect(bench.events == [Self.connected(0x40, Self.first)])
    }

    @Test func `goes on where the event after a cancel never comes`() {
        var bench = HostBench.poweredOn()
        bench.controller.answer(LECreateConnectionCancel.self, [LECreateConnectionCancel.completed(.init())])
        Self.connect([Self.first, Self.second], &bench)
        bench.command(.cancelConnect(Self.first))
        bench.advance(by: .seconds(2))
        bench.linkMade(to: Self.second, as: .central)
        #expect(bench.events.last == Self.connected(0x40, Self.second))
    }

    @Test func `fails with the controller's limit and leaves the other links alone`() {
        var bench = HostBench.linked(as: .central)
        bench.controller.refuse(LECreateConnection.self, .connectionLimitExceeded)
        Self.connect([Self.first], &bench)
        #expect(bench.events == [.connectFailed(Self.first, .hci(.connectionLimitExceeded))])
        bench.forget()
        bench.command(.readRSSI(HostBench.handle))
        #expect(bench.events == [.rssi(HostBench.handle, .success(-42))])
    }

    @Test func `fails with the controller's limit when it comes by the event`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first, Self.second], &bench)
        bench.receive(LEConnectionComplete(status: .connectionLimitExceeded).packet())
        #expect(
            bench.events == [
                .connectFailed(Self.first, .hci(.connectionLimitExceeded)),
                .connectFailed(Self.second, .hci(.connectionLimitExceeded)),
            ])
    }

    @Test func `tries again when a connection failed to be established, as often as it was told`() {
        var configuration = HostConfiguration.quiet
        configuration.connecting.establishmentRetries = 2
        var bench = HostBench.poweredOn(configuration)
        Self.connect([Self.first], &bench)
        for _ in 0..<2 {
            bench.receive(LEConnectionComplete(status: .failedToBeEstablished, peer: Self.first).packet())
            bench.advance(by: .milliseconds(720))
            #expect(bench.events.isEmpty)
        }
        bench.receive(LEConnectionComplete(status: .failedToBeEstablished, peer: Self.first).packet())
        #expect(bench.events == [.connectFailed(Self.first, .hci(.failedToBeEstablished))])
        #expect(bench.opcodes == [.leCreateConnection, .leCreateConnection, .leCreateConnection])
    }

    @Test func `tries again when a link ends before its peer gave a sign`() {
        var bench = HostBench.poweredOn()
        bench.controller.answer(LEReadRemoteFeatures.self, [LEReadRemoteFeatures.accepted()])
        Self.connect([Self.first], &bench)
        bench.linkMade(to: Self.first, as: .central)
        bench.forget()
        bench.receive(
            HCIDisconnectionComplete(handle: HostBench.handle, reason: .failedToBeEstablished).packet())
        // Until its supervision time-out the peer may believe in the link.
        bench.advance(by: .milliseconds(719))
        #expect(bench.commands.isEmpty)
        bench.advance(by: .milliseconds(1))
        #expect(bench.events.isEmpty)
        #expect(bench.opcodes == [.leCreateConnection])
        bench.controller.behave(LEReadRemoteFeatures.self)
        bench.linkMade(to: Self.first, as: .central)
        #expect(bench.events == [Self.connected(0x40, Self.first)])
    }

    @Test func `refuses a second link to a peer`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        #expect(bench.events == [.connectFailed(HostBench.peer, .hci(.connectionAlreadyExists))])
        #expect(bench.commands.isEmpty)
    }

    @Test func `connects anew once the old link has ended`() {
        var bench = HostBench.linked(as: .central)
        bench.controller.answer(HCIDisconnect.self, [HCIDisconnect.accepted()])
        bench.command(.disconnect(HostBench.handle, reason: .remoteUserTerminated))
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        #expect(bench.opcodes == [.disconnect])
        bench.receive(HCIDisconnectionComplete(handle: HostBench.handle, reason: .localHostTerminated).packet())
        #expect(bench.opcodes == [.disconnect, .leCreateConnection])
    }

    @Test func `refuses parameters out of their limits`() {
        var settings = ConnectionSettings()
        settings.parameters.supervisionTimeout = 5
        var bench = HostBench.poweredOn()
        bench.command(.connect(Self.first, settings))
        guard case .connectFailed(Self.first, .invalidParameters)? = bench.events.first else {
            Issue.record("not refused: \(bench.events)")
            return
        }
    }

    @Test func `tries again where the controller isn't ready yet, then gives up`() {
        var bench = HostBench.poweredOn()
        bench.controller.refuse(LECreateConnection.self, .commandDisallowed)
        Self.connect([Self.first], &bench)
        #expect(bench.events.isEmpty)
        bench.advance(by: .milliseconds(300))
        #expect(bench.opcodes == Array(repeating: .leCreateConnection, count: 4))
        #expect(bench.events == [.connectFailed(Self.first, .hci(.commandDisallowed))])
    }

    @Test func `shrinks the batch to what the Filter Accept List takes`() {
        var bench = HostBench.poweredOn { $0.acceptListSize = 2 }
        Self.connect([Self.first, Self.second, Self.third], &bench)
        #expect(bench.controller.acceptList == [Self.first, Self.second])
    }

    @Test func `lets those that the list doesn't hold have their turn`() {
        var bench = HostBench.poweredOn { $0.acceptListSize = 2 }
        Self.connect([Self.first, Self.second, Self.third], &bench)
        bench.advance(by: .seconds(2))
        #expect(
            bench.controller.acceptList == [Self.third, Self.first]
                || bench.controller.acceptList == [Self.first, Self.third])
        bench.advance(by: .seconds(2))
        #expect(Set(bench.controller.acceptList) == [Self.second, Self.third])
    }

    @Test func `takes turns by address where there is no list`() {
        var bench = HostBench.poweredOn { $0.acceptListSize = 0 }
        Self.connect([Self.first, Self.second], &bench)
        bench.forget()
        bench.advance(by: .seconds(2))
        #expect(bench.opcodes == [.leCreateConnectionCancel, .leCreateConnection])
        #expect(bench.commands.last?[10] == 2)
        bench.forget()
        bench.advance(by: .seconds(2))
        #expect(bench.commands.last?[10] == 1)
    }

    @Test func `goes without the list where it turns out to be full of nothing`() {
        var bench = HostBench.poweredOn()
        bench.controller.refuse(LEAddDeviceToFilterAcceptList.self, .memoryCapacityExceeded)
        Self.connect([Self.first, Self.second], &bench)
        #expect(bench.opcodes.last == .leCreateConnection)
        #expect(bench.commands.last?[8] == 0)
    }

    @Test func `serves other settings in their turn`() {
        var bench = HostBench.poweredOn()
        Self.connect([Self.first], &bench)
        var settings = ConnectionSettings()
        settings.parameters.intervalMinimum = 6
        settings.parameters.intervalMaximum = 6
        bench.command(.connect(Self.second, settings))
        #expect(bench.opcodes == [.leCreateConnection])
        bench.advance(by: .seconds(2))
        #expect(bench.commands.last.map { Hex.string($0[17...20], separator: " ") } == "06 00 06 00")
    }
}
