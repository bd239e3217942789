import BLEBackend
import BLEWire
import CoreBluetooth
import Testing

/// What raises an exception on Apple's platforms ends the program here, with the reason on standard error.
struct ExceptionTests {
    @Test func `82 writing the client characteristic configuration by hand`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = CentralBench()
            let (peripheral, characteristic) = bench.explore()
            bench.play(
                .descriptorsDiscovered(bench.peer, of: Remote.characteristic(), .success([Remote.configuration])))
            guard let descriptor = characteristic.descriptors?.first else { return }
            peripheral.writeValue(Data([1, 0]), for: descriptor)
        }
        #expect(
            result?.says(
                "Client Characteristic Configuration descriptors must be configured using "
                    + "setNotifyValue:forCharacteristic:") == true)
    }

    @Test func `87 adding one service twice`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = PeripheralBench()
            let (service, _) = Local.service()
            bench.manager.add(service)
            bench.manager.add(service)
        }
        #expect(result?.says("Services cannot be added more than once") == true)
    }

    @Test func `90 a cached value that can be written`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = PeripheralBench()
            bench.manager.add(Local.service(properties: .read, value: Data([1])).0)
        }
        #expect(result?.says("Characteristics with cached values must be read-only") == true)
    }

    @Test func `90 a cached value that can be subscribed to`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = PeripheralBench()
            bench.manager.add(
                Local.service(properties: [.read, .notify], value: Data([1]), permissions: .readable).0)
        }
        #expect(result?.says("Characteristics with cached values must be read-only") == true)
    }

    @Test func `92 a client characteristic configuration to be published`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBMutableDescriptor(type: CBUUID(string: "2902"), value: Data([0, 0]))
        }
        #expect(result?.says("Descriptor Client Characteristic Configuration is not supported") == true)
    }

    @Test func `92 a user description that is no text`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBMutableDescriptor(type: CBUUID(string: "2901"), value: Data([0x41]))
        }
        #expect(result?.says("Characteristic User Description descriptor must be a String") == true)
    }

    @Test func `92 a presentation format without a value`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicFormatString), value: nil)
        }
        #expect(result?.says("Characteristic Presentation Format descriptor must be a Data") == true)
    }

    @Test func `125 a restore identifier with a delegate that can not be restored`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let delegate = CentralRecorder()
            _ = CBCentralManager(
                delegate: delegate, queue: DispatchQueue(label: "125"),
                options: [CBCentralManagerOptionRestoreIdentifierKey: "mine"])
        }
        #expect(
            result?.says(
                "has provided a restore identifier but the delegate doesn't implement the "
                    + "centralManager:willRestoreState: method") == true)
    }

    @Test func `125 the same of a peripheral manager`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let delegate = PeripheralRecorder()
            _ = CBPeripheralManager(
                delegate: delegate, queue: DispatchQueue(label: "125"),
                options: [CBPeripheralManagerOptionRestoreIdentifierKey: "mine"])
        }
        #expect(result?.says("the delegate doesn't implement the peripheralManager:willRestoreState: method") == true)
    }

    @Test func `128 a string that is no UUID`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBUUID(string: "180")
        }
        #expect(result?.says("String 180 does not represent a valid UUID") == true)
    }

    @Test func `128 data that is no UUID`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBUUID(data: Data([1, 2, 3]))
        }
        #expect(result?.says("Data {length = 3, bytes = 0x010203} does not represent a valid UUID") == true)
    }
}

extension ExitTest.Result {
    /// Whether standard error holds the text.
    func says(_ text: String) -> Bool { String(decoding: standardErrorContent, as: UTF8.self).contains(text) }
}
