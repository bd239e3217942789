import BLEBackend
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Contract D: connecting and disconnecting.
struct ConnectionTests {
    @Test func `43 connecting straight after the call, connected before the callback`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        bench.manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
        bench.play(.connected(bench.peer))
        #expect(bench.delegate.take() == ["connected, state 2"])
    }

    @Test func `42 a second call while connecting asks for nothing more`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        bench.manager.connect(peripheral)
        bench.manager.connect(peripheral)
        #expect(bench.backend.takeCommands() == [.connect(bench.peer, ConnectOptions())])
    }

    @Test func `44 connecting a connected peripheral is told again without radio traffic`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.manager.connect(peripheral)
        bench.settle()
        #expect(bench.delegate.take() == ["connected, state 2"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `45 cancelling a pending connection is told as a disconnection`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        bench.manager.connect(peripheral)
        bench.manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        #expect(bench.delegate.take() == ["disconnected nil, state 0"])
    }

    @Test(arguments: [
        BackendEvent.connected(PeerID(bits: 0)), .connectFailed(PeerID(bits: 0), BackendError(.connectionFailed)),
    ])
    func `45 what was on its way when it was cancelled is not told`(event: BackendEvent) {
        let bench = CentralBench()
        let peripheral = bench.discover()
        bench.manager.connect(peripheral)
        bench.manager.cancelPeripheralConnection(peripheral)
        switch event {
        case .connected: bench.play(.connected(bench.peer), .disconnected(bench.peer, nil, reconnecting: false))
        default: bench.play(.connectFailed(bench.peer, BackendError(.connectionFailed)))
        }
        #expect(bench.delegate.take() == ["disconnected nil, state 0"])
    }

    @Test func `46 cancelling a connection ends it without an error`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        #expect(bench.backend.takeCommands() == [.disconnect(bench.peer)])
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        #expect(bench.delegate.take() == ["disconnected nil, state 0"])
    }

    @Test func `46 cancelling twice, or what is not connected, asks for nothing`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.manager.cancelPeripheralConnection(peripheral)
        bench.manager.cancelPeripheralConnection(peripheral)
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        bench.manager.cancelPeripheralConnection(peripheral)
        #expect(bench.backend.takeCommands() == [.disconnect(bench.peer)])
    }

    @Test func `47 after the disconnection the peripheral's delegate is not called`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.play(
            .disconnected(bench.peer, nil, reconnecting: false),
            .valueRead(bench.peer, Remote.value, .success([1])),
            .rssi(bench.peer, .success(-3)))
        #expect(bench.delegate.take() == ["disconnected nil, state 0"])
        #expect(characteristic.value == nil)
        #expect(peripheral.state == .disconnected)
    }

    @Test(arguments: [
        (BackendError.Cause.peripheralDisconnected, "CBError 7"), (.connectionTimeout, "CBError 6"),
        (.peerRemovedPairingInformation, "CBError 14"), (.encryptionTimedOut, "CBError 15"),
    ])
    func `48 and 50 a lost connection is told with its error`(cause: BackendError.Cause, text: String) {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.play(.disconnected(bench.peer, BackendError(cause), reconnecting: false))
        #expect(bench.delegate.take() == ["disconnected \(text), state 0"])
        #expect(peripheral.state == .disconnected)
    }

    @Test func `49 a connection that can not be made fails with its error`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        bench.manager.connect(peripheral)
        bench.play(.connectFailed(bench.peer, BackendError(.connectionFailed)))
        #expect(bench.delegate.take() == ["failed CBError 10, state 0"])
        bench.manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
    }

    @Test(
        arguments: [
            ["no such option": true], [CBConnectPeripheralOptionStartDelayKey: 1.5],
            [CBConnectPeripheralOptionStartDelayKey: -1], [CBConnectPeripheralOptionStartDelayKey: "1"],
            [CBConnectPeripheralOptionNotifyOnDisconnectionKey: "yes"],
        ] as [[String: any Sendable]])
    func `51 an unknown or ill-typed option fails the connection`(options: [String: any Sendable]) {
        let bench = CentralBench()
        let peripheral = bench.discover()
        bench.manager.connect(peripheral, options: options)
        bench.settle()
        #expect(bench.delegate.take() == ["failed CBError 1, state 0"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `51 known options are passed on or have no effect`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        bench.manager.connect(
            peripheral,
            options: [
                CBConnectPeripheralOptionNotifyOnDisconnectionKey: true,
                CBConnectPeripheralOptionNotifyOnConnectionKey: NSNumber(value: false),
                CBConnectPeripheralOptionStartDelayKey: 3, CBConnectPeripheralOptionEnableAutoReconnect: true,
            ])
        #expect(
            bench.backend.takeCommands() == [
                .connect(bench.peer, ConnectOptions(startDelay: 3, autoReconnect: true))
            ])
    }

    @Test func `a peripheral of another manager fails to connect as unknown`() {
        let one = CentralBench()
        let other = CentralBench()
        let peripheral = one.discover()
        other.manager.connect(peripheral)
        other.settle()
        #expect(other.delegate.take() == ["failed CBError 12, state 0"])
    }

    @Test func `52 a lost connection that is made again is told in the newer form, with the peripheral connecting`() {
        let bench = CentralBench()
        let delegate = NewFormRecorder()
        let peripheral = bench.connect()
        bench.manager.delegate = delegate
        bench.play(.disconnected(bench.peer, BackendError(.connectionTimeout), reconnecting: true))
        #expect(delegate.take() == ["disconnected CBError 6, reconnecting true, state 1"])
        bench.play(.connected(bench.peer))
        #expect(delegate.take() == ["connected"])
        #expect(peripheral.state == .connected)
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `53 a delegate with the newer form only gets it for every disconnection`() {
        let bench = CentralBench()
        let delegate = NewFormRecorder()
        let peripheral = bench.connect()
        bench.manager.delegate = delegate
        bench.manager.cancelPeripheralConnection(peripheral)
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        #expect(delegate.take() == ["disconnected nil, reconnecting false, state 0"])
        #expect(abs(delegate.timestamp.withLock { $0 } - CFAbsoluteTimeGetCurrent()) < 600)
    }

    @Test func `53 a delegate with both forms gets the older one, and no reconnection`() {
        let bench = CentralBench()
        let delegate = BothFormsRecorder()
        let peripheral = bench.connect()
        bench.manager.delegate = delegate
        bench.play(.disconnected(bench.peer, BackendError(.connectionTimeout), reconnecting: true))
        #expect(delegate.take() == ["older form"])
        #expect(peripheral.state == .disconnected)
        #expect(bench.backend.takeCommands() == [.disconnect(bench.peer)])
    }

    @Test func `54 a disconnection makes every attribute invalid`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        let service = peripheral.services?[0]
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        #expect(peripheral.services == nil)
        bench.manager.connect(peripheral)
        bench.play(.connected(bench.peer), .servicesDiscovered(bench.peer, .success([Remote.service])))
        #expect(peripheral.services?[0] !== service)
        _ = bench.delegate.take()
        _ = bench.backend.takeCommands()
        peripheral.readValue(for: characteristic)
        bench.settle()
        #expect(bench.backend.takeCommands() == [])
        #expect(bench.delegate.take() == ["value FFF1 nil CBError 2"])
        #expect(
            bench.logged("API MISUSE", "is not a valid attribute", "\(peripheral.identifier)").count == 1)
    }

    @Test func `55 a subscription ends with the connection`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.play(.notifyStateChanged(bench.peer, Remote.characteristic(), .success(true)))
        #expect(characteristic.isNotifying)
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        #expect(peripheral.state == .disconnected)
        #expect(!characteristic.isNotifying)
    }

    @Test func `connecting again before the end is told ends in a connection`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.manager.cancelPeripheralConnection(peripheral)
        bench.manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        #expect(bench.delegate.take() == ["disconnected nil, state 1"])
        bench.play(.connected(bench.peer))
        #expect(bench.delegate.take() == ["connected, state 2"])
        #expect(
            bench.backend.takeCommands() == [.disconnect(bench.peer), .connect(bench.peer, ConnectOptions())])
    }

    @Test func `56 connection events tell of other managers' connections on the device`() {
        let bench = CentralBench()
        let listener = CentralBench(on: bench)
        listener.manager.registerForConnectionEvents(options: [
            .peripheralUUIDs: [UUID(uuidString: bench.peer.description)]
        ])
        let other = Peers.next()
        let peripheral = bench.discover()
        bench.manager.connect(peripheral)
        bench.play(.connected(bench.peer), .discovered(other, name: nil, Advertisement(), rssi: 0))
        listener.settle()
        #expect(listener.delegate.take() == ["connection event 1"])
        bench.play(.disconnected(bench.peer, nil, reconnecting: false))
        listener.settle()
        #expect(listener.delegate.take() == ["connection event 0"])
        listener.manager.registerForConnectionEvents(options: nil)
        bench.manager.connect(peripheral)
        bench.play(.connected(bench.peer))
        listener.settle()
        #expect(listener.delegate.take() == [])
    }

    @Test func `56 at most four services are listened for`() {
        let bench = CentralBench()
        let services = (0..<5).map { CBUUID(string: "FE0\($0)") }
        bench.manager.registerForConnectionEvents(options: [.serviceUUIDs: services])
        #expect(!bench.logged("WARNING", "four services").isEmpty)
        let peripheral = bench.connect()
        #expect(bench.backend.state.withLock { $0.askedServices } == [0xFE00, 0xFE01, 0xFE02, 0xFE03])
        withExtendedLifetime(peripheral) {}
        bench.manager.registerForConnectionEvents()
    }
}

/// A delegate with the newer form for disconnections only.
private final class NewFormRecorder: Recorder, CBCentralManagerDelegate, @unchecked Sendable {
    let timestamp = Locked<CFAbsoluteTime>(0)
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { note("connected") }
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {
        self.timestamp.withLock { $0 = timestamp }
        note("disconnected \(Self.text(error)), reconnecting \(isReconnecting), state \(peripheral.state.rawValue)")
    }
}

/// A delegate with both.
private final class BothFormsRecorder: Recorder, CBCentralManagerDelegate, @unchecked Sendable {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { note("older form") }
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) { note("newer form") }
}
