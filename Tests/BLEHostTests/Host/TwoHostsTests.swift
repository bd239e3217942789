import BLEController
import BLEHost
import BLEWire
import Testing

/// Whole hosts on virtual controllers: what one does, the other sees.
@Suite struct TwoHostsTests {
    static let service = GATTServiceDefinition(
        uuid: BluetoothUUID(0xFFF0),
        characteristics: [
            .init(
                uuid: BluetoothUUID(0xFFF1), properties: 0x12, permissions: [.read],
                value: (0..<100).map { UInt8($0) }),
            .init(uuid: BluetoothUUID(0xFFF2), properties: 0x0C, permissions: [.write]),
        ])

    /// A central and a peripheral with the service, linked.
    static func linked() throws -> (
        AirBench, central: ConnectionHandle, peripheral: ConnectionHandle, GATTServiceLayout
    ) {
        var bench = AirBench()
        let central = bench.add()
        let peripheral = bench.add()
        bench.command(peripheral, .addService(OperationToken(rawValue: 1), service))
        let layout: GATTServiceLayout? = bench.wait(peripheral) { event in
            if case .serviceAdded(_, .success(let layout)) = event { layout } else { nil }
        }
        let made = bench.link(central, to: peripheral)
        let handles = try #require(made)
        return (bench, handles.central, handles.peripheral, try #require(layout))
    }

    @Test func `a scan finds an advertiser with what it says`() throws {
        var bench = AirBench()
        let scanner = bench.add()
        let advertiser = bench.add()
        var settings = AdvertisingSettings()
        settings.data = [2, 1, 6]
        settings.scanResponse = [3, 9, 0x48, 0x69]
        bench.command(advertiser, .startAdvertising(settings))
        bench.command(scanner, .startScanning(ScanSettings()))
        let reports = (0..<2).compactMap { _ in
            bench.wait(scanner) { event -> AdvertisingReport? in
                if case .advertisingReport(let report) = event { report } else { nil }
            }
        }
        try #require(reports.count == 2)
        #expect(reports.map(\.address) == [AirBench.address(1), AirBench.address(1)])
        #expect(reports.map(\.data) == [[2, 1, 6], [3, 9, 0x48, 0x69]])
        #expect(reports.map(\.isScanResponse) == [false, true])
        #expect(reports[0].isConnectable)
        #expect(reports[0].rssi == -40)
    }

    @Test func `a new link gets its MTU, its data length and its PHY`() throws {
        var (bench, central, peripheral, _) = try Self.linked()
        let mtu: Int? = bench.wait(0) { event in
            if case .attMTUChanged(central, let mtu) = event { mtu } else { nil }
        }
        #expect(mtu == 517)
        let octets: UInt16? = bench.wait(1) { event in
            if case .dataLengthChanged(peripheral, let octets) = event { octets } else { nil }
        }
        #expect(octets == 251)
        let phy: UInt8? = bench.wait(0) { event in
            if case .phyUpdated(central, let transmit, _) = event { transmit } else { nil }
        }
        #expect(phy == 2)
    }

    @Test func `discovers, reads, writes and is notified`() throws {
        var (bench, central, peripheral, layout) = try Self.linked()
        let found = bench.perform(0, central, .discoverServices(BluetoothUUID(0xFFF0)))
        #expect(found == .success(.services([GATTService(handles: layout.handles, uuid: BluetoothUUID(0xFFF0))])))
        guard
            case .success(.characteristics(let characteristics))? = bench.perform(
                0, central, .discoverCharacteristics(layout.handles))
        else {
            Issue.record("no characteristics")
            return
        }
        #expect(characteristics.map(\.value) == layout.characteristics)
        #expect(
            bench.perform(0, central, .readLong(layout.characteristics[0]))
                == .success(.value((0..<100).map { UInt8($0) })))

        // A dynamic value is the application's.
        bench.command(0, .gatt(central, OperationToken(rawValue: 5), .write(layout.characteristics[1], [9, 8, 7])))
        let request: GATTRequestID? = bench.wait(1) { event in
            if case .writeRequested(peripheral, let id, let writes, needsResponse: true) = event {
                writes == [GATTWrite(handle: layout.characteristics[1], offset: 0, value: [9, 8, 7])] ? id : nil
            } else {
                nil
            }
        }
        bench.command(1, .respond(peripheral, try #require(request), .success, value: []))
        let written: Bool? = bench.wait(0) { event in
            event == .gattCompleted(central, OperationToken(rawValue: 5), .success(.done)) ? true : nil
        }
        #expect(written == true)

        guard
            case .success(.descriptors(let descriptors))? = bench.perform(
                0, central, .discoverDescriptors(layout.handles))
        else {
            Issue.record("no descriptors")
            return
        }
        let cccd = try #require(descriptors.first { $0.uuid == BluetoothUUID(0x2902) }?.handle)
        #expect(bench.perform(0, central, .write(cccd, [1, 0])) == .success(.done))
        bench.command(
            1, .sendValue(peripheral, OperationToken(rawValue: 9), layout.characteristics[0], [42], indicate: false))
        let value: [UInt8]? = bench.wait(0) { event in
            if case .valueReceived(central, layout.characteristics[0], let value, indicated: false) = event {
                value
            } else {
                nil
            }
        }
        #expect(value == [42])
    }

    @Test func `a link that is ended ends on both sides with its reasons`() throws {
        var (bench, central, peripheral, _) = try Self.linked()
        bench.command(0, .disconnect(central, reason: .remoteUserTerminated))
        #expect(bench.wait(0, for: { $0.end(of: central) }) == .localHostTerminated)
        #expect(bench.wait(1, for: { $0.end(of: peripheral) }) == .remoteUserTerminated)
    }

    @Test func `a link out of range ends after its supervision time-out`() throws {
        var (bench, central, peripheral, _) = try Self.linked()
        bench.run(.seconds(1))
        let start = bench.now
        bench.radio.setLoss(1, between: bench.devices[0].controller, and: bench.devices[1].controller)
        bench.command(0, .gatt(central, OperationToken(rawValue: 3), .read(1)))
        #expect(bench.wait(0, for: { $0.end(of: central) }) == .connectionTimeout)
        // 720 ms from the last packet, an interval of 30 ms before the loss at most.
        #expect((.milliseconds(690)...(.milliseconds(750))).contains(bench.now - start))
        #expect(
            bench.devices[0].events.contains(
                .gattCompleted(central, OperationToken(rawValue: 3), .failure(.disconnected(.connectionTimeout)))))
        #expect(bench.wait(1, for: { $0.end(of: peripheral) }) == .connectionTimeout)
    }

    @Test func `a device that powers off says so to its peers`() throws {
        var (bench, _, peripheral, _) = try Self.linked()
        bench.command(0, .powerOff)
        #expect(bench.wait(1, for: { $0.end(of: peripheral) }) == .remotePowerOff)
        bench.run(.seconds(5))
        #expect(bench.devices[0].events.last == .stateChanged(.poweredOff))
        #expect(bench.devices[0].host.nextDeadline == nil)
    }

    @Test func `a connection that fails to be established is made again`() throws {
        var bench = AirBench()
        let central = bench.add()
        let peripheral = bench.add()
        bench.command(peripheral, .startAdvertising(AdvertisingSettings()))
        bench.command(central, .connect(AirBench.address(peripheral), ConnectionSettings()))
        // What the peripheral sends on the link is lost until six events are over. [Vol 6, Part B, 4.5.2]
        let lost = bench.run(.seconds(10)) { bench in
            bench.devices[peripheral].events.contains { $0.link(to: AirBench.address(central)) != nil }
        }
        #expect(lost)
        let controllers = (bench.devices[peripheral].controller, bench.devices[central].controller)
        bench.radio.loseNext(6, from: controllers.0, to: controllers.1)
        #expect(bench.wait(central, for: { $0.link(to: AirBench.address(peripheral)) }) != nil)
        // The peripheral saw the first one come and go.
        let links = bench.devices[peripheral].events.filter { $0.link(to: AirBench.address(central)) != nil }
        #expect(links.count == 2)
    }

    @Test func `a peripheral gets the parameters that it asks for`() throws {
        var (bench, central, peripheral, _) = try Self.linked()
        bench.run(.seconds(1))
        bench.devices[0].events = []
        var parameters = ConnectionParameters()
        parameters.intervalMinimum = 40
        parameters.intervalMaximum = 40
        parameters.supervisionTimeout = 400
        bench.command(1, .updateConnection(peripheral, parameters))
        let result: HostError?? = bench.wait(1) { event in
            if case .connectionUpdated(peripheral, let error) = event { .some(error) } else { nil }
        }
        #expect(result == .some(nil))
        #expect(bench.devices[0].events.contains(.connectionUpdated(central, nil)))
    }

    @Test func `a peripheral doesn't get what a phone doesn't grant`() throws {
        var (bench, _, peripheral, _) = try Self.linked()
        bench.run(.seconds(1))
        var parameters = ConnectionParameters()
        parameters.intervalMinimum = 6
        parameters.intervalMaximum = 6
        parameters.supervisionTimeout = 400
        bench.command(1, .updateConnection(peripheral, parameters))
        let result: HostError?? = bench.wait(1) { event in
            if case .connectionUpdated(peripheral, let error) = event { .some(error) } else { nil }
        }
        #expect(result == .some(.hci(.unacceptableParameters)))
    }
}
