import BLEBackend
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Contract G: the database of the peripheral role.
struct PublishingTests {
    @Test func `86 didAdd hands out the very object that was added, later`() throws {
        let bench = PeripheralBench()
        let (service, _) = Local.service()
        bench.manager.add(service)
        #expect(bench.delegate.take() == [])
        let local = try #require(added(bench))
        bench.play(.serviceAdded(local.id, nil))
        #expect(bench.delegate.take() == ["added FFF0 nil"])
        #expect(bench.delegate.attributes.withLock { $0[0] } === service)
    }

    @Test func `86 a service that the backend refuses can be added again`() throws {
        let bench = PeripheralBench()
        let (service, _) = Local.service()
        bench.manager.add(service)
        let local = try #require(added(bench))
        bench.play(.serviceAdded(local.id, BackendError(.outOfSpace)))
        #expect(bench.delegate.take() == ["added FFF0 CBError 4"])
        #expect(bench.publish(service) != nil)
    }

    @Test func `88 what is published is the state at the moment of add`() throws {
        let bench = PeripheralBench()
        let (service, characteristic) = Local.service(
            properties: .read, value: Data([1]), permissions: .readable)
        let description = CBMutableDescriptor(type: CBUUID(string: "2901"), value: "xmgDes1")
        characteristic.descriptors = [description]
        // What were left to the queue would come too late.
        bench.queue.suspend()
        bench.manager.add(service)
        characteristic.value = Data([2])
        bench.queue.resume()
        bench.settle()
        let local = try #require(added(bench))
        #expect(local.uuid == 0xFFF0)
        #expect(local.isPrimary)
        #expect(local.characteristics[0].uuid == 0xFFF1)
        #expect(local.characteristics[0].value == [1])
        #expect(local.characteristics[0].properties == 0x02)
        #expect(local.characteristics[0].permissions == .readable)
        #expect(local.characteristics[0].descriptors.map(\.uuid) == [0x2901])
        #expect(local.characteristics[0].descriptors.map(\.value) == [Array("xmgDes1".utf8)])
        #expect(description.characteristic === characteristic)
        #expect(characteristic.service === service)
    }

    @Test func `89 an included service must have been added before`() throws {
        let bench = PeripheralBench()
        let (included, _) = Local.service()
        let service = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
        service.includedServices = [included]
        bench.manager.add(service)
        bench.settle()
        #expect(bench.delegate.take() == ["added FFE0 CBError 1"])
        let first = try #require(bench.publish(included))
        let second = try #require(bench.publish(service))
        #expect(second.includes == [first.id])
    }

    @Test func `90 a cached value is read-only, also where reading needs encryption`() throws {
        let bench = PeripheralBench()
        let (service, _) = Local.service(
            properties: .read, value: Data([1]), permissions: .readEncryptionRequired)
        #expect(try #require(bench.publish(service)).characteristics[0].value == [1])
    }

    @Test func `91 a nil value is dynamic, and stays so whatever is stored in it`() throws {
        let bench = PeripheralBench()
        let (service, characteristic) = Local.service()
        #expect(try #require(bench.publish(service)).characteristics[0].value == nil)
        characteristic.value = Data([7])
        #expect(characteristic.value == Data([7]))
        bench.manager.remove(service)
        #expect(try #require(bench.publish(service)).characteristics[0].value == nil)
    }

    @Test(arguments: ["1800", "1801", "1805", "180A", "180F", "1812", "181E"])
    func `93 a service that the system owns is refused`(uuid: String) {
        let bench = PeripheralBench()
        let service = CBMutableService(type: CBUUID(string: uuid), primary: true)
        bench.manager.add(service)
        bench.settle()
        #expect(bench.delegate.take() == ["added \(uuid) CBError 8"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `93 its 128-bit form is accepted`() {
        let bench = PeripheralBench()
        let service = CBMutableService(
            type: CBUUID(string: "0000180A-0000-1000-8000-00805F9B34FB"), primary: true)
        #expect(bench.publish(service) != nil)
    }

    @Test func `94 a removed service can be added again under another name`() throws {
        let bench = PeripheralBench()
        let (service, _) = Local.service()
        let before = try #require(bench.publish(service))
        bench.manager.remove(service)
        bench.manager.remove(service)
        #expect(bench.backend.takeCommands() == [.removeService(before.id)])
        #expect(try #require(bench.publish(service)).id != before.id)
        bench.manager.removeAllServices()
        #expect(bench.backend.takeCommands() == [.removeAllServices])
        #expect(bench.publish(service) != nil)
    }

    @Test func `94 a service removed before the answer is answered all the same`() throws {
        let bench = PeripheralBench()
        let (service, _) = Local.service()
        bench.manager.add(service)
        let local = try #require(added(bench))
        bench.manager.remove(service)
        bench.play(.serviceAdded(local.id, nil))
        #expect(bench.delegate.take() == ["added FFF0 nil"])
    }

    @Test func `attributes found on a peripheral can not be published`() {
        let central = CentralBench()
        let (peripheral, characteristic) = central.explore()
        let bench = PeripheralBench()
        let service = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
        service.characteristics = [characteristic]
        bench.manager.add(service)
        bench.settle()
        #expect(bench.delegate.take() == ["added FFE0 CBError 1"])
        withExtendedLifetime(peripheral) {}
    }

    @Test func `the same characteristic UUID in two services is two characteristics`() throws {
        let bench = PeripheralBench()
        let (first, one) = Local.service()
        let (second, other) = Local.service()
        let locals = [try #require(bench.publish(first)), try #require(bench.publish(second))]
        bench.play(
            .readRequest(RequestID(rawValue: 1), central: bench.central, locals[1].characteristics[0].id, offset: 0),
            .readRequest(RequestID(rawValue: 2), central: bench.central, locals[0].characteristics[0].id, offset: 0))
        let asked = bench.delegate.requests.withLock { $0.map(\.characteristic) }
        #expect(asked[0] === other)
        #expect(asked[1] === one)
    }

    private func added(_ bench: PeripheralBench) -> LocalService? {
        for case .addService(let local) in bench.backend.takeCommands() { return local }
        return nil
    }
}
