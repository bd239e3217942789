import BLEBackend
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Contract B and C: scanning, identity and name.
struct ScanTests {
    @Test func `18 a scan without services asks for everything, one with services for those`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: nil)
        bench.manager.scanForPeripherals(withServices: [CBUUID(string: "180D")])
        #expect(
            bench.backend.takeCommands() == [
                .startScan(ScanRequest()), .startScan(ScanRequest(services: [0x180D])),
            ])
    }

    @Test func `19 an empty array asks for everything`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: [])
        #expect(bench.backend.takeCommands() == [.startScan(ScanRequest(services: nil))])
    }

    @Test func `20 isScanning is true from the call on, and false from stopScan on`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: nil)
        #expect(bench.manager.isScanning)
        bench.manager.stopScan()
        #expect(!bench.manager.isScanning)
        bench.manager.stopScan()
        #expect(bench.backend.takeCommands() == [.startScan(ScanRequest()), .stopScan])
    }

    @Test func `21 and 25 options of a scan`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(
            withServices: nil,
            options: [
                CBCentralManagerScanOptionAllowDuplicatesKey: true,
                CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "1812")],
            ])
        #expect(
            bench.backend.takeCommands() == [
                .startScan(ScanRequest(solicitedServices: [0x1812], allowDuplicates: true))
            ])
    }

    @Test func `an option that a scan does not have is ignored with a warning`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: nil, options: ["no such option 4711": 1])
        #expect(bench.backend.takeCommands() == [.startScan(ScanRequest())])
        #expect(bench.logged("WARNING", "no such option 4711").count == 1)
    }

    @Test func `27 a dictionary has only what was received, and always whether it is connectable`() {
        let dictionary = dictionary(Advertisement())
        #expect(Array(dictionary.keys) == [CBAdvertisementDataIsConnectable])
        #expect(dictionary[CBAdvertisementDataIsConnectable] as? Bool == false)
    }

    @Test func `27 to 29 the types of a dictionary's values`() throws {
        var advertisement = Advertisement()
        advertisement.localName = "OBand-75"
        advertisement.txPower = -4
        advertisement.services = [0x180D, 0xFFF0]
        advertisement.solicitedServices = [0x1812]
        advertisement.overflowServices = [0x1809]
        advertisement.serviceData = [.init(uuid: 0x180F, data: [100])]
        advertisement.manufacturerData = [0x4C, 0x00, 0x02]
        advertisement.isConnectable = true
        let dictionary = dictionary(advertisement)
        #expect(dictionary[CBAdvertisementDataLocalNameKey] as? String == "OBand-75")
        #expect(dictionary[CBAdvertisementDataTxPowerLevelKey] as? NSNumber == -4)
        #expect(dictionary[CBAdvertisementDataTxPowerLevelKey] as? Int == -4)
        #expect(
            dictionary[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [
                CBUUID(string: "180D"), CBUUID(string: "FFF0"),
            ])
        #expect(dictionary[CBAdvertisementDataSolicitedServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "1812")])
        #expect(dictionary[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "1809")])
        let serviceData = try #require(dictionary[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data])
        #expect(serviceData[CBUUID(string: "180F")] == Data([100]))
        #expect(dictionary[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0x00, 0x02]))
        #expect(dictionary[CBAdvertisementDataIsConnectable] as? NSNumber == true)
        #expect(dictionary.count == 8)
    }

    @Test func `30 the signal strength is a number`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: nil)
        bench.play(.discovered(bench.peer, name: "a", Advertisement(), rssi: 127))
        #expect(bench.delegate.take() == ["discovered a 127"])
    }

    @Test func `a discovery on its way when the scan ended is not told`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: nil)
        bench.manager.stopScan()
        bench.play(.discovered(bench.peer, name: nil, Advertisement(), rssi: 0))
        #expect(bench.delegate.take() == [])
    }

    @Test func `33 a peripheral that nobody keeps is told once and forgotten`() {
        let bench = CentralBench()
        weak var peripheral: CBPeripheral?
        do { peripheral = bench.discover() }
        bench.settle()
        #expect(peripheral == nil)
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `33 a connection whose peripheral nobody keeps is cancelled with a word in the log`() {
        let bench = CentralBench()
        var identifier: UUID?
        do {
            let peripheral = bench.discover()
            identifier = peripheral.identifier
            bench.manager.connect(peripheral)
        }
        bench.settle()
        #expect(bench.backend.takeCommands() == [.connect(bench.peer, ConnectOptions()), .forget(bench.peer)])
        #expect(
            bench.logged(
                "API MISUSE: Cancelling connection for unused peripheral <CBPeripheral: 0x",
                "\(identifier.map { "\($0)" } ?? "none")", ">, Did you forget to keep a reference to it?"
            ).count == 1)
        bench.play(.connected(bench.peer))
        #expect(bench.delegate.take() == [])
    }

    @Test func `34 one device is one object while the program keeps it`() {
        let bench = CentralBench()
        let first = bench.discover()
        let second = bench.discover()
        #expect(first === second)
        #expect(first == second)
        #expect(first.copy() as? CBPeripheral === first)
    }

    @Test func `34 a peripheral is held for the program as long as it keeps the object`() {
        let bench = CentralBench()
        var first: CBPeripheral? = bench.discover()
        #expect(bench.held == 1)
        #expect(first === bench.discover())
        #expect(bench.held == 1)
        bench.delegate.found.withLock { $0 = [] }
        _ = bench.delegate.take()
        first = nil
        #expect(bench.held == 0)
        withExtendedLifetime(bench.discover()) { #expect(bench.held == 1) }
    }

    @Test func `34 another manager has its own object of the same identifier`() {
        let one = CentralBench()
        let peripheral = one.discover()
        let other = CentralBench()
        other.manager.scanForPeripherals(withServices: nil)
        other.play(.discovered(one.peer, name: nil, Advertisement(), rssi: 0))
        let same = other.delegate.found.withLock { $0[0] }
        #expect(same !== peripheral)
        #expect(same.identifier == peripheral.identifier)
    }

    @Test func `35 the identifier shows the backend's name of the peer`() {
        let bench = CentralBench()
        #expect(bench.discover().identifier.uuidString == bench.peer.description)
    }

    @Test func `37 the name is the one that the backend gives`() {
        let bench = CentralBench()
        let peripheral = bench.discover("advertised")
        #expect(peripheral.name == "advertised")
        #expect(bench.discover(nil).name == "advertised")
    }

    @Test func `39 a change of name is told while connected`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.nameChanged(bench.peer, "new"))
        bench.play(.nameChanged(bench.peer, "new"))
        #expect(bench.delegate.take() == ["name new"])
        #expect(peripheral.name == "new")
    }

    @Test func `40 known peripherals are retrieved in the order asked`() {
        let bench = CentralBench()
        let other = Peers.next()
        bench.backend.state.withLock {
            $0.known = [KnownPeer(id: bench.peer, name: "one"), KnownPeer(id: other, name: "two")]
        }
        let asked = [other, Peers.next(), bench.peer].compactMap { UUID(uuidString: $0.description) }
        let peripherals = bench.manager.retrievePeripherals(withIdentifiers: asked)
        #expect(peripherals.map(\.name) == ["two", "one"])
        #expect(peripherals.map(\.state) == [.disconnected, .disconnected])
    }

    @Test func `41 connected peripherals are retrieved and need a connection of their own`() {
        let bench = CentralBench()
        bench.backend.state.withLock { $0.connected = [KnownPeer(id: bench.peer, name: "other's")] }
        let peripherals = bench.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")])
        #expect(peripherals.map(\.name) == ["other's"])
        #expect(peripherals[0].state == .disconnected)
        bench.manager.connect(peripherals[0])
        #expect(bench.backend.takeCommands() == [.connect(bench.peer, ConnectOptions())])
    }

    /// What the delegate would get of the advertisement.
    private func dictionary(_ advertisement: Advertisement) -> [String: Any] {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: nil)
        bench.play(.discovered(bench.peer, name: nil, advertisement, rssi: 0))
        return bench.delegate.advertisement.withLock { $0.content }
    }
}
