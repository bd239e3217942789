import BLEBackend
import BLERuntime
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Contract H: requests.
struct RequestTests {
    private let bench = PeripheralBench()
    private let id = RequestID(rawValue: 7)

    @Test func `97 a read is answered with the value of its request`() throws {
        let (characteristic, name) = try publish()
        bench.play(.readRequest(id, central: bench.central, name, offset: 22))
        #expect(bench.delegate.take() == ["read FFF1 from 22"])
        let request = try #require(takeRequests().first)
        #expect(request.characteristic === characteristic)
        #expect(request.value == nil)
        #expect(request.central.identifier.uuidString == bench.central.id.description)
        request.value = Data([1, 2])
        bench.manager.respond(to: request, withResult: .success)
        #expect(bench.backend.takeCommands() == [.respond(id, .success, value: [1, 2])])
    }

    @Test func `97 a read answered without a value gives an empty one`() throws {
        let (_, name) = try publish()
        bench.play(.readRequest(id, central: bench.central, name, offset: 0))
        bench.manager.respond(to: try #require(takeRequests().first), withResult: .success)
        #expect(bench.backend.takeCommands() == [.respond(id, .success, value: [])])
    }

    @Test(
        arguments: [
            (CBATTError.Code.invalidOffset, 0x07), (.readNotPermitted, 0x02), (.unlikelyError, 0x0E),
        ] as [(CBATTError.Code, UInt8)])
    func `97 a read is refused with the code given`(code: CBATTError.Code, raw: UInt8) throws {
        let (_, name) = try publish()
        bench.play(.readRequest(id, central: bench.central, name, offset: 9))
        bench.manager.respond(to: try #require(takeRequests().first), withResult: code)
        #expect(bench.backend.takeCommands() == [.respond(id, ATTErrorCode(rawValue: raw), value: nil)])
    }

    @Test func `97 an application's own code is passed on`() throws {
        let (_, name) = try publish()
        bench.play(.readRequest(id, central: bench.central, name, offset: 0))
        let code = try #require(CBATTError.Code(rawValue: 0x80))
        bench.manager.respond(to: try #require(takeRequests().first), withResult: code)
        #expect(bench.backend.takeCommands() == [.respond(id, ATTErrorCode(rawValue: 0x80), value: nil)])
    }

    @Test func `98 writes come as one array and are answered once, by the first`() throws {
        let (_, name) = try publish()
        bench.play(
            .writeRequests(
                id, central: bench.central,
                [
                    .init(characteristic: name, offset: 0, value: [1]),
                    .init(characteristic: name, offset: 1, value: [2, 3]),
                ]))
        #expect(bench.delegate.take() == [#"write ["FFF1 1", "FFF1 2 3"]"#])
        let requests = takeRequests()
        #expect(requests.map(\.offset) == [0, 1])
        bench.manager.respond(to: requests[0], withResult: .success)
        #expect(bench.backend.takeCommands() == [.respond(id, .success, value: nil)])
    }

    @Test func `98 answering twice, or each of an array, sends one answer and is logged`() throws {
        let (_, name) = try publish()
        bench.play(
            .writeRequests(
                id, central: bench.central,
                [
                    .init(characteristic: name, offset: 0, value: [1]),
                    .init(characteristic: name, offset: 1, value: [2]),
                ]))
        let requests = takeRequests()
        for request in requests { bench.manager.respond(to: request, withResult: .success) }
        #expect(bench.backend.takeCommands() == [.respond(id, .success, value: nil)])
        let address = "\(requests[1])".prefix { $0 != "," }
        #expect(bench.logged("API MISUSE: \(address)", "was answered already").count == 1)
    }

    @Test func `98 a write to a service that is gone is refused whole`() throws {
        let (_, name) = try publish()
        bench.play(
            .writeRequests(
                id, central: bench.central,
                [
                    .init(characteristic: name, offset: 0, value: [1]),
                    .init(characteristic: LocalAttributeID(rawValue: .max), offset: 0, value: [2]),
                ]))
        #expect(bench.delegate.take() == [])
        #expect(bench.backend.takeCommands() == [.respond(id, .attributeNotFound, value: nil)])
    }

    @Test func `a request of another manager is not answered, and the log says so`() throws {
        let (_, name) = try publish()
        bench.play(.readRequest(id, central: bench.central, name, offset: 0))
        let request = try #require(takeRequests().first)
        let other = PeripheralBench()
        other.manager.respond(to: request, withResult: .success)
        #expect(other.backend.takeCommands() == [])
        #expect(bench.backend.takeCommands() == [])
        let address = "\(request)".prefix { $0 != "," }
        #expect(bench.logged("API MISUSE: \(address)", "doesn't belong to this manager").count == 1)
    }

    @Test func `99 a write without response comes the same way and need not be answered`() throws {
        let (_, name) = try publish()
        bench.play(
            .writeRequests(
                id, central: bench.central,
                [.init(characteristic: name, offset: 0, value: [5], isCommand: true)]))
        #expect(bench.delegate.take() == [#"write ["FFF1 5"]"#])
    }

    @Test func `100 a request that was never answered is logged when it goes`() throws {
        let (_, name) = try publish()
        bench.play(.readRequest(id, central: bench.central, name, offset: 0))
        #expect(takeRequests().count == 1)
        bench.settle()
        #expect(!bench.logged("API MISUSE: A read request was never answered").isEmpty)
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `a delegate without the method, or none, refuses`() throws {
        let (_, name) = try publish()
        let delegate = StateDelegate()
        bench.manager.delegate = delegate
        bench.play(.readRequest(id, central: bench.central, name, offset: 0))
        bench.manager.delegate = nil
        bench.play(
            .writeRequests(
                id, central: bench.central, [.init(characteristic: name, offset: 0, value: [])]))
        #expect(
            bench.backend.takeCommands() == [
                .respond(id, .requestNotSupported, value: nil), .respond(id, .requestNotSupported, value: nil),
            ])
    }

    @Test func `a value stored in a dynamic characteristic is there at the next request`() throws {
        let (characteristic, name) = try publish()
        bench.play(
            .writeRequests(
                id, central: bench.central, [.init(characteristic: name, offset: 0, value: [8])]))
        let write = try #require(takeRequests().first)
        (write.characteristic as? CBMutableCharacteristic)?.value = write.value
        bench.manager.respond(to: write, withResult: .success)
        bench.play(.readRequest(id, central: bench.central, name, offset: 0))
        #expect(try #require(takeRequests().first).characteristic.value == Data([8]))
        #expect(characteristic.value == Data([8]))
    }

    private func publish() throws -> (CBMutableCharacteristic, LocalAttributeID) {
        let (service, characteristic) = Local.service()
        let local = try #require(bench.publish(service))
        return (characteristic, local.characteristics[0].id)
    }

    private func takeRequests() -> [CBATTRequest] {
        bench.delegate.requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}

/// A delegate with the required method only.
private final class StateDelegate: NSObject, CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
}
