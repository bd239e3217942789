import BLEBackend
import BLEWire
import CoreBluetooth
import Testing

/// Contract 129: how objects print.
struct DescriptionTests {
    private let bench = CentralBench()

    @Test func `129 a peripheral`() {
        let peripheral = bench.connect()
        #expect(
            "\(peripheral)".hasSuffix(
                ", identifier = \(peripheral.identifier), name = Band, mtu = 23, state = connected>"))
        #expect("\(peripheral)".hasPrefix("<CBPeripheral: 0x"))
    }

    @Test func `129 a service and a characteristic`() throws {
        let (peripheral, characteristic) = bench.explore(.notify)
        #expect(
            try #require(peripheral.services?.first).description.hasSuffix(", isPrimary = YES, UUID = FFF0>"))
        #expect("\(characteristic)".hasPrefix("<CBCharacteristic: 0x"))
        #expect("\(characteristic)".hasSuffix(", UUID = FFF1, properties = 0x10, value = (null), notifying = NO>"))
        bench.play(.valueNotified(bench.peer, Remote.value, [0x41]))
        #expect(
            "\(characteristic)".hasSuffix(
                ", UUID = FFF1, properties = 0x10, value = {length = 1, bytes = 0x41}, notifying = NO>"))
    }

    @Test func `129 a long value is cut in the middle`() {
        let (peripheral, characteristic) = bench.explore(.notify)
        bench.play(.valueNotified(bench.peer, Remote.value, [UInt8](0..<25)))
        #expect(
            "\(characteristic)".contains(
                "{length = 25, bytes = 0x000102030405060708090a0b0c0d0e0f ... 1112131415161718}"))
        withExtendedLifetime(peripheral) {}
    }

    @Test func `129 a descriptor`() throws {
        let (peripheral, characteristic) = bench.explore()
        bench.play(
            .descriptorsDiscovered(bench.peer, of: Remote.characteristic(), .success([Remote.configuration])))
        let descriptor = try #require(characteristic.descriptors?.first)
        #expect("\(descriptor)".hasSuffix(", UUID = Client Characteristic Configuration, value = (null)>"))
        bench.play(.valueRead(bench.peer, 0x0013, .success([1, 0])))
        #expect("\(descriptor)".hasSuffix(", UUID = Client Characteristic Configuration, value = 1>"))
        withExtendedLifetime(peripheral) {}
    }

    @Test func `published attributes`() {
        let (service, characteristic) = Local.service()
        #expect("\(service)".hasPrefix("<CBMutableService: 0x"))
        #expect("\(service)".contains("Primary = YES, UUID = FFF0, Included Services = (null), Characteristics = (<CB"))
        #expect(
            "\(characteristic)".hasSuffix(
                ", UUID = FFF1, Value = (null), Properties = 0x1A, Permissions = 0x3, Descriptors = (null), "
                    + "SubscribedCentrals = (null)>"))
    }

    @Test func `a subclass prints its own name`() {
        #expect("\(Band(delegate: nil, queue: nil))".hasPrefix("<Band: 0x"))
    }
}

private final class Band: CBCentralManager, @unchecked Sendable {}
