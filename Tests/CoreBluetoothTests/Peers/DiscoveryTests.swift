import BLEBackend
import BLEWire
import CoreBluetooth
import Testing

/// Contract E: discovery.
struct DiscoveryTests {
    @Test func `58 services are nil before the discovery, and in the order of their handles after`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        #expect(peripheral.services == nil)
        peripheral.discoverServices(nil)
        #expect(bench.backend.takeCommands() == [.discoverServices(bench.peer, filter: nil)])
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.other, Remote.service])))
        #expect(bench.delegate.take() == [#"services ["FFF0", "FFE0"] nil"#])
        #expect(peripheral.services?.map(\.isPrimary) == [true, true])
        #expect(peripheral.services?[0].peripheral === peripheral)
    }

    @Test func `58 a filter is passed on`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        peripheral.discoverServices([CBUUID(string: "FFF0")])
        #expect(bench.backend.takeCommands() == [.discoverServices(bench.peer, filter: [0xFFF0])])
    }

    @Test func `59 no match gives an empty array and no error`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.play(
            .characteristicsDiscovered(bench.peer, of: Remote.service, .success([])),
            .descriptorsDiscovered(bench.peer, of: Remote.characteristic(), .success([])),
            .includedServicesDiscovered(bench.peer, of: Remote.service, .success([])))
        #expect(
            bench.delegate.take() == [
                #"characteristics ["FFF1"] nil"#, "descriptors [] nil", "included [] nil",
            ])
        #expect(characteristic.descriptors == [])
        let other = CentralBench()
        let empty = other.connect()
        other.play(.servicesDiscovered(other.peer, .success([])))
        #expect(empty.services == [])
        withExtendedLifetime(peripheral) {}
    }

    @Test func `60 a second discovery keeps the objects and adds the new ones`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.other])))
        let first = peripheral.services?[0]
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.service])))
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["FFF0", "FFE0"])
        #expect(peripheral.services?[1] === first)
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.other])))
        #expect(peripheral.services?.count == 2)
    }

    @Test func `60 a failed discovery leaves what was found`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.service])))
        _ = bench.delegate.take()
        bench.play(.servicesDiscovered(bench.peer, .failure(BackendError(.att(.unlikelyError)))))
        #expect(bench.delegate.take() == [#"services ["FFF0"] CBATTError 14"#])
        #expect(peripheral.services?.count == 1)
    }

    @Test func `61 characteristics accumulate, each the same object`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.play(.characteristicsDiscovered(bench.peer, of: Remote.service, .success([Remote.second])))
        let service = peripheral.services?[0]
        #expect(service?.characteristics?.map(\.uuid.uuidString) == ["FFF1", "FFF2"])
        #expect(service?.characteristics?[0] === characteristic)
        bench.play(.characteristicsDiscovered(bench.peer, of: Remote.service, .success([Remote.characteristic()])))
        #expect(service?.characteristics?.count == 2)
        #expect(characteristic.service === service)
    }

    @Test func `the same characteristic UUID in two services is two objects`() throws {
        let bench = CentralBench()
        let peripheral = bench.connect()
        let twin = RemoteCharacteristic(
            uuid: 0xFFF1, properties: 0x02, declaration: 0x0021, value: 0x0022, end: 0x0022)
        bench.play(
            .servicesDiscovered(bench.peer, .success([Remote.service, Remote.other])),
            .characteristicsDiscovered(bench.peer, of: Remote.service, .success([Remote.characteristic()])),
            .characteristicsDiscovered(bench.peer, of: Remote.other, .success([twin])))
        let one = try #require(peripheral.services?[0].characteristics?[0])
        let other = try #require(peripheral.services?[1].characteristics?[0])
        #expect(one !== other)
        bench.play(.valueRead(bench.peer, 0x0022, .success([9])))
        #expect(one.value == nil)
        #expect(other.value == Data([9]))
    }

    @Test func `62 included services, also secondary ones`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        let secondary = RemoteService(uuid: 0xFFD0, isPrimary: false, handles: 0x0030...0x003F)
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.service, Remote.other])))
        guard let service = peripheral.services?[0] else { return }
        #expect(service.includedServices == nil)
        peripheral.discoverIncludedServices(nil, for: service)
        #expect(
            bench.backend.takeCommands() == [.discoverIncludedServices(bench.peer, of: Remote.service, filter: nil)])
        bench.play(
            .includedServicesDiscovered(bench.peer, of: Remote.service, .success([secondary, Remote.other])))
        #expect(service.includedServices?.map(\.isPrimary) == [false, true])
        #expect(service.includedServices?[1] === peripheral.services?[1])
        #expect(peripheral.services?.count == 2)
        guard let included = service.includedServices?[0] else { return }
        peripheral.discoverCharacteristics(nil, for: included)
        #expect(
            bench.backend.takeCommands() == [.discoverCharacteristics(bench.peer, of: secondary, filter: nil)])
    }

    @Test func `63 descriptors include the configuration`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        #expect(characteristic.descriptors == nil)
        peripheral.discoverDescriptors(for: characteristic)
        #expect(
            bench.backend.takeCommands() == [.discoverDescriptors(bench.peer, of: Remote.characteristic())])
        bench.play(.descriptorsDiscovered(bench.peer, of: Remote.characteristic(), .success([Remote.configuration])))
        #expect(bench.delegate.take() == [#"descriptors ["2902"] nil"#])
        #expect(characteristic.descriptors?[0].characteristic === characteristic)
    }

    @Test func `64 without a delegate nothing is discovered, and the log says so`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        peripheral.delegate = nil
        peripheral.discoverServices(nil)
        #expect(bench.backend.takeCommands() == [])
        #expect(
            bench.logged(
                "API MISUSE: Discovering services for peripheral <CBPeripheral: 0x", "\(peripheral.identifier)",
                "while delegate is either nil or does not implement peripheral:didDiscoverServices:"
            ).count == 1)
    }

    @Test func `64 a delegate without the method is told in the log`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        let delegate = EmptyDelegate()
        peripheral.delegate = delegate
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.service])))
        #expect(
            bench.logged(
                "API MISUSE: Discovering services", "\(peripheral.identifier)",
                "does not implement peripheral:didDiscoverServices:"
            ).count == 1)
    }

    @Test func `66 modified services are gone, with all that belongs to them`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.play(
            .servicesDiscovered(bench.peer, .success([Remote.other])),
            .notifyStateChanged(bench.peer, Remote.characteristic(), .success(true)))
        let stale = peripheral.services?[0]
        _ = bench.delegate.take()
        bench.play(.servicesModified(bench.peer, 0x0010...0x001F))
        #expect(bench.delegate.take() == [#"modified ["FFF0"], left ["FFE0"]"#])
        #expect(!characteristic.isNotifying)
        _ = bench.backend.takeCommands()
        peripheral.readValue(for: characteristic)
        if let stale { peripheral.discoverCharacteristics(nil, for: stale) }
        bench.settle()
        #expect(bench.backend.takeCommands() == [])
        #expect(bench.delegate.take() == ["value FFF1 nil CBError 2", #"characteristics ["FFF1"] CBError 2"#])
    }

    @Test func `66 a change where nothing was discovered gives an empty array`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.servicesDiscovered(bench.peer, .success([Remote.service])))
        _ = bench.delegate.take()
        bench.play(.servicesModified(bench.peer, 0x0020...0x002F))
        #expect(bench.delegate.take() == [#"modified [], left ["FFF0"]"#])
        withExtendedLifetime(peripheral) {}
    }

    @Test func `67 a delegate without didModifyServices is warned`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        let delegate = EmptyDelegate()
        peripheral.delegate = delegate
        bench.play(.servicesModified(bench.peer, 0x0001...0xFFFF))
        #expect(
            bench.logged(
                "WARNING: The delegate for <CBPeripheral: 0x", "\(peripheral.identifier)",
                "does not implement -[peripheral:didModifyServices:]"
            ).count == 1)
    }
}

/// A delegate without any method.
private final class EmptyDelegate: NSObject, CBPeripheralDelegate {}
