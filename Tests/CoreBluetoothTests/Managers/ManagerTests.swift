import BLEBackend
import BLERuntime
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Contract A: managers, queues, state.
struct ManagerTests {
    @Test func `1 calls come on the given queue, in order`() {
        let bench = CentralBench(poweredOn: false)
        let key = DispatchSpecificKey<Bool>()
        bench.queue.setSpecific(key: key, value: true)
        let onQueue = Locked<[Bool]>([])
        bench.delegate.inside.withLock { inside in
            inside = { _ in onQueue.withLock { $0.append(DispatchQueue.getSpecific(key: key) ?? false) } }
        }
        bench.play(.stateChanged(.resetting), .stateChanged(.poweredOff), .stateChanged(.poweredOn))
        #expect(bench.delegate.take() == ["state 1", "state 4", "state 5"])
        #expect(onQueue.withLock { $0 } == [true, true, true])
    }

    @Test func `1 a concurrent queue keeps the order too`() {
        let backend = ScriptedBackend()
        // Of another class than tests: the threads of theirs may all be taken, and then nothing runs at once.
        let queue = DispatchQueue(label: "concurrent", qos: .userInitiated, attributes: .concurrent)
        let delegate = CentralRecorder()
        let manager = Device.$attached.withValue(Device(backend: backend, delivery: QueueDelivery())) {
            CBCentralManager(delegate: delegate, queue: queue)
        }
        // How many calls run, and whether there was ever more than one: each leaves the others time to come in.
        let calls = Locked((running: 0, haveMet: false))
        delegate.inside.withLock { inside in
            inside = { _ in
                calls.withLock { calls in
                    calls.running += 1
                    calls.haveMet = calls.haveMet || calls.running > 1
                }
                for _ in 0..<100 { sched_yield() }
                calls.withLock { $0.running -= 1 }
            }
        }
        // All of them wait at the queue, so that each could run as soon as it may.
        queue.suspend()
        for round in 0..<200 { backend.play(.stateChanged(round % 2 == 0 ? .poweredOff : .poweredOn)) }
        queue.resume()
        queue.sync(flags: .barrier) {}
        #expect(!calls.withLock { $0.haveMet })
        #expect(delegate.take() == (0..<200).map { $0 % 2 == 0 ? "state 4" : "state 5" })
        #expect(manager.state == .poweredOn)
    }

    @Test func `1 a nil queue is the main queue`() async {
        let backend = ScriptedBackend()
        let delegate = CentralRecorder()
        let manager = Device.$attached.withValue(Device(backend: backend, delivery: QueueDelivery())) {
            CBCentralManager(delegate: delegate, queue: nil)
        }
        let isMain = await withCheckedContinuation { continuation in
            delegate.inside.withLock { inside in
                inside = { _ in
                    dispatchPrecondition(condition: .onQueue(.main))
                    continuation.resume(returning: true)
                }
            }
            backend.play(.stateChanged(.poweredOn))
        }
        #expect(isMain)
        #expect(manager.state == .poweredOn)
    }

    @Test func `2 the state is unknown after init, and its update comes later`() {
        let bench = CentralBench(poweredOn: false)
        #expect(bench.manager.state == .unknown)
        #expect(bench.delegate.take() == [])
        bench.play(.stateChanged(.poweredOn))
        #expect(bench.manager.state == .poweredOn)
        #expect(bench.delegate.take() == ["state 5"])
    }

    @Test func `4 a late delegate is told nothing of before`() {
        let bench = CentralBench(poweredOn: false)
        bench.manager.delegate = nil
        bench.play(.stateChanged(.poweredOn))
        bench.manager.delegate = bench.delegate
        bench.settle()
        #expect(bench.delegate.take() == [])
        #expect(bench.manager.state == .poweredOn)
    }

    @Test func `4 the delegate is held weakly`() {
        let bench = CentralBench()
        var delegate: CentralRecorder? = CentralRecorder()
        bench.manager.delegate = delegate
        #expect(bench.manager.delegate === delegate)
        delegate = nil
        #expect(bench.manager.delegate == nil)
    }

    @Test func `5 a command in another state is ignored and logged`() {
        let bench = CentralBench(poweredOn: false)
        bench.manager.scanForPeripherals(withServices: nil)
        bench.manager.stopScan()
        #expect(bench.manager.retrievePeripherals(withIdentifiers: []) == [])
        #expect(bench.manager.retrieveConnectedPeripherals(withServices: []) == [])
        #expect(!bench.manager.isScanning)
        #expect(bench.backend.takeCommands() == [])
        let text = "API MISUSE: \(bench.manager) can only accept this command while in the powered on state"
        #expect(bench.logged(text).count == 4)
        #expect("\(bench.manager)".hasPrefix("<CBCentralManager: 0x"))
    }

    @Test func `5 the peripheral manager says so too`() {
        let bench = PeripheralBench(poweredOn: false)
        bench.manager.startAdvertising(nil)
        bench.manager.stopAdvertising()
        bench.manager.add(CBMutableService(type: CBUUID(string: "FFF0"), primary: true))
        bench.manager.removeAllServices()
        #expect(bench.backend.takeCommands() == [])
        let text = "API MISUSE: \(bench.manager) can only accept this command while in the powered on state"
        #expect(bench.logged(text).count == 4)
    }

    @Test func `6 a command to a peripheral that is not connected is ignored and logged`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        peripheral.discoverServices(nil)
        #expect(bench.backend.takeCommands() == [])
        #expect(
            bench.logged(
                "API MISUSE: <CBPeripheral: 0x", "\(peripheral.identifier)",
                "> can only accept commands while in the connected state"
            ).count == 1)
    }

    @Test func `7 and 8 power off ends scan and links without a word`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.play(.notifyStateChanged(bench.peer, Remote.characteristic(), .success(true)))
        bench.manager.scanForPeripherals(withServices: nil)
        _ = bench.delegate.take()
        bench.play(.stateChanged(.poweredOff))
        #expect(bench.delegate.take() == ["state 4"])
        #expect(!bench.manager.isScanning)
        #expect(peripheral.state == .disconnected)
        #expect(peripheral.services == nil)
        #expect(!characteristic.isNotifying)
    }

    @Test func `8 a loss reported after power off is not told`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(
            .stateChanged(.poweredOff),
            .disconnected(bench.peer, BackendError(.peripheralDisconnected), reconnecting: false))
        #expect(bench.delegate.take() == ["state 4"])
        #expect(peripheral.state == .disconnected)
    }

    @Test func `9 cancelling after power off only logs`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.stateChanged(.poweredOff))
        bench.manager.cancelPeripheralConnection(peripheral)
        #expect(bench.backend.takeCommands() == [])
        #expect(bench.logged("\(bench.manager) can only accept this command").count == 1)
    }

    @Test func `10 below powered off peripherals are invalid`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.stateChanged(.resetting), .stateChanged(.poweredOn))
        _ = bench.delegate.take()
        bench.manager.connect(peripheral)
        bench.settle()
        #expect(bench.delegate.take() == ["failed CBError 12, state 0"])
        #expect(bench.backend.takeCommands() == [])
        let again = bench.discover()
        #expect(again !== peripheral)
        #expect(again.identifier == peripheral.identifier)
    }

    @Test func `10 at powered off they stay valid`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.stateChanged(.poweredOff), .stateChanged(.poweredOn))
        bench.manager.connect(peripheral)
        #expect(bench.backend.takeCommands() == [.connect(bench.peer, ConnectOptions())])
    }

    @Test func `11 losses told before a reset come with their error`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(
            .disconnected(bench.peer, BackendError(.connectionTimeout), reconnecting: false),
            .stateChanged(.resetting), .stateChanged(.poweredOn))
        #expect(bench.delegate.take() == ["disconnected CBError 6, state 0", "state 1", "state 5"])
        #expect(peripheral.state == .disconnected)
    }

    @Test func `12 advertising pauses and subscribers are gone at power off`() throws {
        let bench = PeripheralBench()
        let (service, characteristic) = Local.service()
        let local = try #require(bench.publish(service))
        bench.manager.startAdvertising(nil)
        bench.play(.advertisingStarted(nil), .subscribed(central: bench.central, local.characteristics[0].id))
        _ = bench.delegate.take()
        bench.play(.stateChanged(.poweredOff))
        #expect(bench.delegate.take() == ["state 4", "unsubscribed FFF1, now 0"])
        #expect(!bench.manager.isAdvertising)
        #expect(characteristic.subscribedCentrals == [])
        bench.play(.stateChanged(.poweredOn))
        #expect(!bench.manager.isAdvertising)
    }

    @Test func `12 published services stay through power off`() throws {
        let bench = PeripheralBench()
        let (service, _) = Local.service()
        let local = try #require(bench.publish(service))
        bench.play(.stateChanged(.poweredOff), .stateChanged(.poweredOn))
        _ = bench.delegate.take()
        bench.play(.readRequest(RequestID(rawValue: 1), central: bench.central, local.characteristics[0].id, offset: 0))
        #expect(bench.delegate.take() == ["read FFF1 from 0"])
    }

    @Test func `13 below powered off the database is cleared and the objects can be added again`() throws {
        let bench = PeripheralBench()
        let (service, characteristic) = Local.service()
        let before = try #require(bench.publish(service))
        // A dynamic characteristic stays so, whatever the program has stored in it since.
        characteristic.value = Data([1])
        bench.play(.stateChanged(.resetting), .stateChanged(.poweredOn))
        let after = try #require(bench.publish(service))
        #expect(after.id != before.id)
        #expect(after.characteristics[0].value == nil)
    }

    @Test func `14 without rights the state is unauthorized and the authorization denied`() {
        let bench = CentralBench(poweredOn: false)
        bench.play(.stateChanged(.unauthorized))
        #expect(bench.manager.state == .unauthorized)
        Device.$attached.withValue(bench.device) {
            #expect(CBManager.authorization == .denied)
            #expect(CBCentralManager.authorization == .denied)
        }
    }

    @Test func `15 the authorization needs no manager`() {
        #expect(CBManager.authorization == .allowedAlways)
    }

    @Test func `16 the last reference to a manager ends what it had running`() {
        let backend = ScriptedBackend()
        let delegate = CentralRecorder()
        let queue = DispatchQueue(label: "short life")
        var manager: CBCentralManager? = Device.$attached.withValue(Device(backend: backend, delivery: QueueDelivery()))
        {
            CBCentralManager(delegate: delegate, queue: queue)
        }
        let peer = Peers.next()
        backend.play(.stateChanged(.poweredOn))
        queue.sync {}
        manager?.scanForPeripherals(withServices: nil)
        backend.play(.discovered(peer, name: nil, Advertisement(), rssi: 0))
        queue.sync {}
        let peripheral = delegate.found.withLock { $0[0] }
        manager?.connect(peripheral)
        #expect(peripheral.state == .connecting)
        manager = nil
        #expect(backend.state.withLock { $0.closed } == [SessionID(rawValue: 1)])
        #expect(peripheral.state == .disconnected)
        backend.play(.connected(peer), to: 1)
        #expect(peripheral.state == .disconnected)
    }

    @Test func `16 a peripheral manager that goes frees its services`() throws {
        let (service, _) = Local.service()
        do {
            let bench = PeripheralBench()
            _ = try #require(bench.publish(service))
        }
        let bench = PeripheralBench()
        #expect(bench.publish(service) != nil)
    }
}
