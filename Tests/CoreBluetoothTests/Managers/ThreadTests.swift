import BLEBackend
import BLERuntime
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Commands and property reads from any thread while events arrive: what ThreadSanitizer looks at.
struct ThreadTests {
    @Test func `everything may be read and commanded from other threads meanwhile`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<100 {
                switch thread {
                case 0:
                    bench.backend.play(
                        .valueNotified(bench.peer, Remote.value, [UInt8(round)]),
                        .notifyStateChanged(bench.peer, Remote.characteristic(), .success(round % 2 == 0)),
                        .nameChanged(bench.peer, "name \(round)"), .rssi(bench.peer, .success(-40)))
                case 1:
                    peripheral.readValue(for: characteristic)
                    peripheral.setNotifyValue(round % 2 == 0, for: characteristic)
                    peripheral.discoverServices(nil)
                case 2:
                    _ = "\(peripheral) \(characteristic) \(peripheral.services?.first?.characteristics?.count ?? 0)"
                    _ = (bench.manager.state, bench.manager.isScanning, peripheral.canSendWriteWithoutResponse)
                default:
                    bench.manager.delegate = round % 2 == 0 ? nil : bench.delegate
                    peripheral.delegate = round % 2 == 0 ? nil : bench.delegate
                }
            }
        }
        bench.settle()
        #expect(characteristic.value == Data([99]))
        #expect(peripheral.name == "name 99")
    }

    @Test func `connecting, cancelling and losing at once ends in one of the states`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            for _ in 0..<200 {
                switch thread {
                case 0: bench.manager.connect(peripheral)
                case 1: bench.manager.cancelPeripheralConnection(peripheral)
                default:
                    bench.backend.play(
                        .connected(bench.peer), .disconnected(bench.peer, nil, reconnecting: false))
                }
            }
        }
        bench.settle()
        bench.manager.cancelPeripheralConnection(peripheral)
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        #expect(peripheral.state == .disconnected)
        bench.manager.connect(peripheral)
        bench.play(.connected(bench.peer))
        #expect(peripheral.state == .connected)
    }

    @Test func `peripherals come and go on several threads`() {
        let bench = CentralBench()
        bench.manager.scanForPeripherals(withServices: nil)
        bench.manager.delegate = nil
        let peers = (0..<20).map { _ in Peers.next() }
        bench.backend.state.withLock { $0.known = peers.map { KnownPeer(id: $0, name: nil) } }
        let identifiers = peers.compactMap { UUID(uuidString: $0.description) }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<50 {
                let found = bench.manager.retrievePeripherals(withIdentifiers: identifiers)
                for peripheral in found where thread == 0 { bench.manager.connect(peripheral) }
                if thread == 1 {
                    bench.backend.play(batch: peers.map { .discovered($0, name: nil, Advertisement(), rssi: 0) })
                }
            }
        }
        bench.settle()
        let kept = bench.manager.retrievePeripherals(withIdentifiers: identifiers)
        #expect(kept.map(\.identifier) == identifiers)
        #expect(kept.allSatisfy { $0.state == .disconnected })
    }

    @Test func `a peripheral manager is used from several threads`() throws {
        let bench = PeripheralBench()
        let (service, characteristic) = Local.service()
        let local = try #require(bench.publish(service))
        let name = local.characteristics[0].id
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            for round in 0..<100 {
                switch thread {
                case 0:
                    bench.backend.play(
                        .subscribed(central: bench.central, name),
                        .writeRequests(
                            RequestID(rawValue: UInt64(round)), central: bench.central,
                            [.init(characteristic: name, offset: 0, value: [UInt8(round)])]),
                        .unsubscribed(central: bench.central, name))
                case 1:
                    bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil)
                    characteristic.value = Data([UInt8(round)])
                default:
                    bench.manager.startAdvertising(nil)
                    bench.manager.stopAdvertising()
                    _ = "\(service)"
                }
            }
        }
        bench.settle()
        #expect(characteristic.subscribedCentrals == [])
        for request in bench.delegate.requests.withLock({ $0 }) {
            bench.manager.respond(to: request, withResult: .success)
        }
        let answers = bench.backend.takeCommands().filter { if case .respond = $0 { true } else { false } }
        #expect(answers.count == 100)
    }

    @Test func `the last reference may go on any thread`() {
        for _ in 0..<20 {
            let backend = ScriptedBackend()
            let delegate = CentralRecorder()
            let queue = DispatchQueue(label: "short")
            let manager = Locked<CBCentralManager?>(
                backend.attach { CBCentralManager(delegate: delegate, queue: queue) })
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 { backend.play(.stateChanged(.poweredOn), .stateChanged(.poweredOff), to: 1) }
                let last = manager.withLock { manager in
                    defer { manager = nil }
                    return manager
                }
                withExtendedLifetime(last) {}
            }
            // The last one may be that of a callback on its way.
            queue.sync {}
            #expect(backend.state.withLock { $0.closed } == [SessionID(rawValue: 1)])
        }
    }
}
