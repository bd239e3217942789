import BLEBackend
import BLERuntime
import BLEWire
import CoreBluetooth
import BLELocking
import Synchronization

/// A central manager on a scripted backend, with its own queue.
final class CentralBench: Sendable {
    let backend: ScriptedBackend
    let device: Device
    /// Which of the backend's sessions is this manager's.
    let session: UInt64
    let queue = DispatchQueue(label: "central bench")
    let delegate = CentralRecorder()
    let manager: CBCentralManager
    /// A device that no other test of the process uses.
    let peer = Peers.next()
    private let logMark = Locked(0)

    /// - Parameter other: a bench whose device this manager shares.
    init(on other: CentralBench? = nil, poweredOn: Bool = true) {
        LogCapture.install()
        let backend = other?.backend ?? ScriptedBackend()
        let device = other?.device ?? Device(backend: backend, delivery: QueueDelivery())
        self.backend = backend
        self.device = device
        manager = Device.$attached.withValue(device) { [delegate, queue] in
            CBCentralManager(delegate: delegate, queue: queue)
        }
        session = backend.state.withLock { $0.sessionCount }
        markLog()
        if poweredOn {
            play(.stateChanged(.poweredOn))
            _ = delegate.take()
        }
    }

    /// Looks in the log only at what comes from now on: after a test's objects were made.
    func markLog() { logMark.withLock { $0 = LogCapture.mark() } }

    /// Lines of the log since the mark, which is set when the manager and the objects of the device are made.
    func logged(_ parts: String...) -> [String] { LogCapture.lines(since: logMark.withLock { $0 }, with: parts) }

    /// Plays a batch and waits until it was delivered.
    func play(_ events: BackendEvent...) {
        backend.play(batch: events, to: session)
        settle()
    }

    /// For how many objects the backend holds the bench's device.
    var held: Int { backend.state.withLock { $0.held[peer] ?? 0 } }

    /// Waits until everything on its way to the queue is delivered.
    func settle() { queue.sync(flags: .barrier) {} }

    /// The bench's device, found by a scan.
    func discover(_ name: String? = "Band") -> CBPeripheral {
        if !manager.isScanning { manager.scanForPeripherals(withServices: nil) }
        play(.discovered(peer, name: name, Advertisement(), rssi: -40))
        let peripheral = delegate.found.withLock { $0.removeFirst() }
        peripheral.delegate = delegate
        _ = delegate.take()
        _ = backend.takeCommands()
        markLog()
        return peripheral
    }

    /// The bench's device, connected.
    func connect() -> CBPeripheral {
        let peripheral = discover()
        manager.connect(peripheral)
        play(.connected(peer))
        _ = delegate.take()
        _ = backend.takeCommands()
        return peripheral
    }

    /// The bench's device with one service and one characteristic discovered.
    func explore(
        _ properties: CBCharacteristicProperties = [.read, .write, .notify, .writeWithoutResponse]
    ) -> (
        CBPeripheral, CBCharacteristic
    ) {
        let peripheral = connect()
        play(.servicesDiscovered(peer, .success([Remote.service])))
        play(
            .characteristicsDiscovered(
                peer, of: Remote.service, .success([Remote.characteristic(UInt8(properties.rawValue))])))
        _ = delegate.take()
        guard let characteristic = peripheral.services?.first?.characteristics?.first else {
            preconditionFailure("the bench's discovery found nothing")
        }
        markLog()
        return (peripheral, characteristic)
    }
}

/// A peripheral manager on a scripted backend, with its own queue.
final class PeripheralBench: Sendable {
    let backend = ScriptedBackend()
    let queue = DispatchQueue(label: "peripheral bench")
    let delegate = PeripheralRecorder()
    let manager: CBPeripheralManager
    let central = CentralInfo(id: Peers.next(), maximumUpdateValueLength: 20)
    /// Set when the manager was made: see `LogCapture`.
    private let logMark: Int

    init(poweredOn: Bool = true) {
        LogCapture.install()
        manager = Device.$attached.withValue(Device(backend: backend, delivery: QueueDelivery())) {
            [delegate, queue] in
            CBPeripheralManager(delegate: delegate, queue: queue)
        }
        logMark = LogCapture.mark()
        if poweredOn {
            play(.stateChanged(.poweredOn))
            _ = delegate.take()
        }
    }

    /// Lines of the log since the manager was made.
    func logged(_ parts: String...) -> [String] { LogCapture.lines(since: logMark, with: parts) }

    func play(_ events: BackendEvent...) {
        backend.play(batch: events)
        settle()
    }

    func settle() { queue.sync(flags: .barrier) {} }

    /// Adds the service and answers; returns the name that the backend got for it, and those of its characteristics.
    func publish(_ service: CBMutableService) -> LocalService? {
        _ = backend.takeCommands()
        manager.add(service)
        guard case .addService(let local)? = backend.takeCommands().first else { return nil }
        play(.serviceAdded(local.id, nil))
        _ = delegate.take()
        return local
    }
}

/// Peers with identifiers of their own.
enum Peers {
    private static let count = Atomic<UInt64>(0)
    static func next() -> PeerID {
        PeerID(bits: 0xC0FF_EE00 << 96 | UInt128(count.add(1, ordering: .relaxed).newValue))
    }
}

/// Attributes as a backend reports them.
enum Remote {
    static let service = RemoteService(uuid: 0xFFF0, isPrimary: true, handles: 0x0010...0x001F)
    static let other = RemoteService(uuid: 0xFFE0, isPrimary: true, handles: 0x0020...0x002F)
    static let value: AttributeHandle = 0x0012

    static func characteristic(_ properties: UInt8 = 0x1E) -> RemoteCharacteristic {
        RemoteCharacteristic(
            uuid: 0xFFF1, properties: properties, declaration: 0x0011, value: value, end: 0x0014)
    }
    static let second = RemoteCharacteristic(
        uuid: 0xFFF2, properties: 0x0A, declaration: 0x0015, value: 0x0016, end: 0x0017)
    static let configuration = RemoteDescriptor(uuid: 0x2902, handle: 0x0013)
}
