import BLEBackend
import BLEWire
import CoreBluetooth
import Testing

/// Contract 83: the types of descriptors' values, and reading and writing descriptors.
struct DescriptorTests {
    @Test(
        arguments: [
            (0x2900, [1, 0], NSNumber(value: 1)), (0x2902, [2, 0], NSNumber(value: 2)),
            (0x2903, [0x01, 0x02], NSNumber(value: 0x0201)), (0x2902, [1], NSNumber(value: 1)),
            (0x2902, [], NSNumber(value: 0)), (0x2902, [1, 0, 9], NSNumber(value: 1)),
        ] as [(UInt16, [UInt8], NSNumber)])
    func `83 bits are a number`(uuid: UInt16, octets: [UInt8], number: NSNumber) {
        #expect(value(of: uuid, octets) as? NSNumber == number)
    }

    @Test func `83 a user description is a string`() {
        #expect(value(of: 0x2901, Array("xmgDes1".utf8)) as? String == "xmgDes1")
    }

    @Test func `83 a user description that is no UTF-8 is repaired`() {
        #expect(value(of: 0x2901, [0x41, 0xFF]) as? String == "A\u{FFFD}")
    }

    @Test(arguments: [0x2904, 0x2905, 0x2906, 0xABCD] as [UInt16])
    func `83 all others are data`(uuid: UInt16) {
        #expect(value(of: uuid, [1, 2]) as? Data == Data([1, 2]))
    }

    @Test func `descriptors are read and written by their handles`() throws {
        let bench = CentralBench()
        let (peripheral, descriptor) = try explore(bench, 0x2901)
        peripheral.readValue(for: descriptor)
        peripheral.writeValue(Data([0x41]), for: descriptor)
        #expect(
            bench.backend.takeCommands() == [.read(bench.peer, 0x0013), .write(bench.peer, 0x0013, [0x41])])
        bench.play(
            .valueRead(bench.peer, 0x0013, .success([0x42])), .written(bench.peer, 0x0013, nil),
            .valueRead(bench.peer, 0x0013, .failure(BackendError(.att(.readNotPermitted)))))
        #expect(
            bench.delegate.take() == [
                "descriptor value B nil", "wrote descriptor nil", "descriptor value B CBATTError 2",
            ])
    }

    @Test func `54 descriptors of a connection that has ended are refused`() throws {
        let bench = CentralBench()
        let (peripheral, descriptor) = try explore(bench, 0x2901)
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        bench.manager.connect(peripheral)
        bench.play(.connected(bench.peer))
        _ = bench.delegate.take()
        _ = bench.backend.takeCommands()
        peripheral.readValue(for: descriptor)
        peripheral.writeValue(Data(), for: descriptor)
        bench.settle()
        #expect(bench.backend.takeCommands() == [])
        #expect(bench.delegate.take() == ["descriptor value nil CBError 2", "wrote descriptor CBError 2"])
    }

    private func explore(_ bench: CentralBench, _ uuid: UInt16) throws -> (CBPeripheral, CBDescriptor) {
        let (peripheral, characteristic) = bench.explore()
        let remote = RemoteDescriptor(uuid: BluetoothUUID(uuid), handle: 0x0013)
        bench.play(.descriptorsDiscovered(bench.peer, of: Remote.characteristic(), .success([remote])))
        _ = bench.delegate.take()
        return (peripheral, try #require(characteristic.descriptors?.first))
    }

    private func value(of uuid: UInt16, _ octets: [UInt8]) -> Any? {
        let bench = CentralBench()
        guard let (peripheral, descriptor) = try? explore(bench, uuid) else { return nil }
        bench.play(.valueRead(bench.peer, 0x0013, .success(octets)))
        return withExtendedLifetime(peripheral) { descriptor.value }
    }
}
