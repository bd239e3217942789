import BLEHost
import BLEWire
import Testing

@Suite struct LinkControlTests {
    static let handle = HostBench.handle
    static let nobody = ConnectionHandle(rawValue: 0x0EFF)

    @Test func `asks for long packets, 2M and the ATT_MTU as a central, as a phone does`() {
        var configuration = HostConfiguration()
        configuration.preferredMTU = 527
        let bench = HostBench.poweredOn(configuration)
        var linked = bench
        linked.command(.connect(HostBench.peer, ConnectionSettings()))
        linked.forget()
        linked.linkMade(as: .central)
        #expect(
            linked.commands.map { Hex.string($0, separator: " ") } == [
                "01 16 20 02 40 00", "01 22 20 06 40 00 FB 00 48 08", "01 32 20 07 40 00 00 02 02 00 00",
            ])
        // No MTU above 517 has any use.
        #expect(linked.sentPDUs().map(\.payload) == [[0x02, 0x05, 0x02]])
        #expect(linked.events.contains(.phyUpdated(Self.handle, transmit: 2, receive: 2)))
    }

    @Test func `asks for nothing that the controller can't`() {
        var bench = HostBench.poweredOn(HostConfiguration()) { $0.features = [] }
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        bench.forget()
        bench.linkMade(as: .central)
        #expect(bench.opcodes == [.leReadRemoteFeatures])
    }

    @Test func `leaves the asking to the central as a peripheral`() {
        var bench = HostBench.poweredOn(HostConfiguration())
        bench.linkMade(as: .peripheral)
        #expect(bench.commands.isEmpty)
        #expect(bench.data.isEmpty)
    }

    @Test func `tells the RSSI, or why not`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.readRSSI(Self.handle))
        bench.controller.refuse(HCIReadRSSI.self, .unknownConnectionIdentifier)
        bench.command(.readRSSI(Self.handle))
        bench.controller.answer(
            HCIReadRSSI.self, [HCICommandComplete(opcode: .readRSSI, returnParameters: [0]).packet()])
        bench.command(.readRSSI(Self.handle))
        bench.command(.readRSSI(Self.nobody))
        #expect(
            bench.events == [
                .rssi(Self.handle, .success(-42)),
                .rssi(Self.handle, .failure(.hci(.unknownConnectionIdentifier))),
                .rssi(Self.handle, .failure(.invalidResponse("HCI_Read_RSSI returned nothing"))),
                .rssi(Self.nobody, .failure(.disconnected(.unknownConnectionIdentifier))),
            ])
    }

    @Test func `sends nothing that the controller doesn't list, and tells what holds`() {
        // Bumble's controller never answers LE_Set_PHY, and answers Read_RSSI with half an event.
        var bench = HostBench.linked(as: .central) {
            for command in [HCIReadRSSI.self, LESetPHY.self, LESetDataLength.self] as [any HCICommandPDU.Type] {
                $0.supported.remove(command)
            }
        }
        bench.command(.readRSSI(Self.handle))
        bench.command(.setPHY(Self.handle, transmit: .leCoded, receive: .leCoded))
        bench.command(.setDataLength(Self.handle, octets: 251, time: 2120))
        #expect(bench.commands.isEmpty)
        #expect(
            bench.events == [
                .rssi(Self.handle, .failure(.hci(.unknownCommand))),
                .phyUpdated(Self.handle, transmit: 1, receive: 1),
            ])
    }

    @Test func `updates the parameters as a central`() {
        var bench = HostBench.linked(as: .central)
        var parameters = ConnectionParameters()
        parameters.intervalMinimum = 6
        parameters.intervalMaximum = 12
        parameters.latency = 2
        bench.command(.updateConnection(Self.handle, parameters))
        #expect(
            bench.commands.map { Hex.string($0, separator: " ") } == [
                "01 13 20 0E 40 00 06 00 0C 00 02 00 48 00 00 00 00 00"
            ])
        #expect(bench.events == [.connectionUpdated(Self.handle, nil)])
    }

    @Test func `tells why parameters weren't updated`() {
        var bench = HostBench.linked(as: .central)
        bench.controller.refuse(LEConnectionUpdate.self, .controllerBusy)
        bench.command(.updateConnection(Self.handle, ConnectionParameters()))
        bench.controller.answer(
            LEConnectionUpdate.self,
            [
                LEConnectionUpdate.accepted(),
                LEConnectionUpdateComplete(status: .unacceptableParameters, handle: Self.handle).packet(),
            ])
        bench.command(.updateConnection(Self.handle, ConnectionParameters()))
        bench.command(.updateConnection(Self.nobody, ConnectionParameters()))
        #expect(
            bench.events == [
                .connectionUpdated(Self.handle, .hci(.controllerBusy)),
                .connectionUpdated(Self.handle, .hci(.unacceptableParameters)),
                .connectionUpdated(Self.nobody, .disconnected(.unknownConnectionIdentifier)),
            ])
    }

    @Test func `refuses parameters out of their limits without asking`() {
        var bench = HostBench.linked(as: .central)
        var parameters = ConnectionParameters()
        parameters.intervalMaximum = 3201
        bench.command(.updateConnection(Self.handle, parameters))
        #expect(bench.commands.isEmpty)
        #expect(bench.events.count == 1)
    }

    @Test func `tells of parameters that the other side changed`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.receive(LEConnectionUpdateComplete(handle: Self.handle, interval: 6).packet())
        #expect(bench.events == [.connectionUpdated(Self.handle, nil)])
    }

    @Test func `grants a peripheral's controller parameters within the policy`() {
        var bench = HostBench.linked(as: .central)
        let asked = LERemoteConnectionParameterRequest(
            handle: Self.handle, intervalMinimum: 6, intervalMaximum: 24, latency: 4, supervisionTimeout: 200)
        bench.receive(asked.packet())
        // From 15 ms on, as a phone does.
        #expect(
            bench.commands.map { Hex.string($0, separator: " ") } == [
                "01 20 20 0E 40 00 0C 00 18 00 04 00 C8 00 00 00 00 00"
            ])
    }

    @Test func `refuses a peripheral's controller parameters outside the policy`() {
        var bench = HostBench.linked(as: .central)
        let asked = LERemoteConnectionParameterRequest(
            handle: Self.handle, intervalMinimum: 6, intervalMaximum: 6, latency: 0, supervisionTimeout: 200)
        bench.receive(asked.packet())
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == ["01 21 20 03 40 00 3B"])
    }

    @Test func `tells the PHYs that stay when the controller refuses others`() {
        var bench = HostBench.linked(as: .central)
        bench.controller.refuse(LESetPHY.self, .unsupportedFeature)
        bench.command(.setPHY(Self.handle, transmit: .leCoded, receive: .leCoded))
        #expect(bench.events == [.phyUpdated(Self.handle, transmit: 1, receive: 1)])
    }

    @Test func `asks for no preference with an empty set of PHYs`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.setPHY(Self.handle, transmit: [], receive: .le2M))
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == ["01 32 20 07 40 00 01 00 02 00 00"])
    }

    @Test func `brings a data length into its limits`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.setDataLength(Self.handle, octets: 5000, time: 0))
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == ["01 22 20 06 40 00 FB 00 48 01"])
    }

    @Test func `tells of a changed data length`() {
        var bench = HostBench.linked(as: .central)
        bench.receive(LEDataLengthChange(handle: Self.handle, maxTransmitOctets: 251).packet())
        #expect(bench.events == [.dataLengthChanged(Self.handle, maxTransmitOctets: 251)])
    }

    static let reasons: [(HCIStatus, UInt8)] = [
        (.remoteUserTerminated, 0x13), (.remoteLowResources, 0x14), (.remotePowerOff, 0x15),
        (.authenticationFailure, 0x05), (.connectionTimeout, 0x13), (.success, 0x13),
    ]

    @Test(arguments: reasons) func `ends a link with a reason that HCI takes`(_ reason: HCIStatus, _ sent: UInt8) {
        var bench = HostBench.linked(as: .central)
        bench.command(.disconnect(Self.handle, reason: reason))
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == ["01 06 04 03 40 00 " + Hex.octet(sent)])
        #expect(bench.events == [.disconnected(Self.handle, HostBench.peer, reason: .localHostTerminated)])
    }

    @Test func `forgets a link that the controller has forgotten`() {
        var bench = HostBench.linked(as: .central)
        bench.controller.refuse(HCIDisconnect.self, .unknownConnectionIdentifier)
        bench.command(.disconnect(Self.handle, reason: .remoteUserTerminated))
        #expect(bench.events == [.disconnected(Self.handle, HostBench.peer, reason: .unspecifiedError)])
    }

    @Test func `ends what waits on a link before the link`() {
        var bench = HostBench.linked(as: .peripheral) { $0.features = [] }
        bench.controller.ignore(HCIReadRSSI.self)
        let token = OperationToken(rawValue: 7)
        bench.command(.gatt(Self.handle, token, .read(3)))
        bench.command(.readRSSI(Self.handle))
        bench.command(.updateConnection(Self.handle, ConnectionParameters()))
        bench.receive(HCIDisconnectionComplete(handle: Self.handle, reason: .connectionTimeout).packet())
        let error = HostError.disconnected(.connectionTimeout)
        #expect(
            bench.events == [
                .gattCompleted(Self.handle, token, .failure(error)),
                .rssi(Self.handle, .failure(error)),
                .connectionUpdated(Self.handle, error),
                .disconnected(Self.handle, HostBench.peer, reason: .connectionTimeout),
            ])
    }

    @Test func `answers what is asked of a link that isn't there`() {
        var bench = HostBench.poweredOn()
        let token = OperationToken(rawValue: 7)
        bench.command(.gatt(Self.nobody, token, .read(3)))
        bench.command(.sendValue(Self.nobody, token, 3, [1], indicate: false))
        bench.command(.respond(Self.nobody, GATTRequestID(rawValue: 1), .success, value: []))
        bench.command(.disconnect(Self.nobody, reason: .remoteUserTerminated))
        bench.command(.setPHY(Self.nobody, transmit: .le2M, receive: .le2M))
        bench.command(.setDataLength(Self.nobody, octets: 251, time: 2120))
        let error = HostError.disconnected(.unknownConnectionIdentifier)
        #expect(
            bench.events == [
                .gattCompleted(Self.nobody, token, .failure(error)), .valueSent(Self.nobody, token, error),
            ])
        #expect(bench.commands.isEmpty)
    }
}
