internal import BLEBackend
public import Foundation

/// Finds and connects peripherals: the central role. [contract 1.3]
///
/// Methods may be called from any thread and return at once; answers come to the delegate on the manager's queue.
open class CBCentralManager: CBManager, @unchecked Sendable {
    let central: CentralSession
    private let delegateReference: Guarded<WeakDelegate>

    private struct WeakDelegate { weak var delegate: (any CBCentralManagerDelegate)? }

    /// Without a delegate, on the main queue.
    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    /// Calls the delegate on the queue; nil = the main queue.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: dispatch_queue_t?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Calls the delegate on the queue; nil = the main queue. Without an adapter the state becomes `.unsupported`.
    /// [contract 1, 2, 14]
    public init(delegate: (any CBCentralManagerDelegate)?, queue: dispatch_queue_t?, options: [String: Any]? = nil) {
        central = CentralSession(queue: queue)
        delegateReference = Guarded(WeakDelegate(delegate: delegate))
        super.init(session: central)
        RestorationCheck.check(
            self, hasCallback: delegate.flatMap(DelegateProbe.hasRestoreCallback),
            identifier: options?[CBCentralManagerOptionRestoreIdentifierKey],
            method: "centralManager:willRestoreState:")
        central.manager = self
        central.restoration = central.makeRestoration(
            .central, options?[CBCentralManagerOptionRestoreIdentifierKey], of: CentralState.self)
        central.open(.central)
    }

    /// Ends the scan, pending connections and links. [contract 16]
    deinit { central.managerReleased() }

    /// Is told what happens. It may be set later; what happened before isn't told again. [contract 4]
    open weak var delegate: (any CBCentralManagerDelegate)? {
        get { delegateReference.withLock { $0.delegate } }
        set { delegateReference.withLock { $0.delegate = newValue } }
    }

    /// Whether a scan runs: true from the call on. [contract 20]
    open var isScanning: Bool { central.isScanning }

    /// Whether the device can do more than the basics. Nothing of it is offered on Linux yet.
    @discardableResult
    open class func supports(_ features: CBCentralManager.Feature) -> Bool { features.isEmpty }

    /// Those of the peripherals that this device knows, in the order asked; none unless powered on. [contract 40]
    @discardableResult
    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard acceptsCommand, let backend = central.backend else { return [] }
        return backend.knownPeers(identifiers.map { PeerID(bits: UInt128($0)) }).map(central.peripheral(for:))
    }

    /// Peripherals with any of the services that are connected to this device, also by other programs' managers; each
    /// needs a ``connect(_:options:)`` of this manager. [contract 41]
    @discardableResult
    open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard acceptsCommand, let backend = central.backend else { return [] }
        return backend.connectedPeers(withServices: serviceUUIDs.map(\.bluetoothUUID)).map(central.peripheral(for:))
    }

    /// Reports peripherals that advertise any of the services; nil or an empty array: all. A second call replaces the
    /// first one's parameters. [contract 18-25]
    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard acceptsCommand else { return }
        central.startScan(ScanOptions.request(services: serviceUUIDs, options: options))
    }

    /// Ends the scan.
    open func stopScan() {
        guard acceptsCommand else { return }
        central.stopScan()
    }

    /// Connects the peripheral; this never times out. It ends by `didConnect`, `didFailToConnect`,
    /// ``cancelPeripheralConnection(_:)``, or when the program lets go of the peripheral. [contract 33, 42-44, 51]
    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard acceptsCommand else { return }
        central.connect(peripheral, options: options)
    }

    /// Ends a connection, or a pending one; `didDisconnectPeripheral` without an error follows. [contract 45-47]
    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard acceptsCommand else { return }
        central.cancel(peripheral)
    }

    /// Tells of connections to this device, whoever makes them, of the peripherals or services named; nil ends it.
    /// At most four services. [contract 56]
    open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        guard acceptsCommand else { return }
        central.registerForConnectionEvents(options)
    }

    /// Whether the manager is powered on; if not, says so in the log. [contract 5]
    private var acceptsCommand: Bool {
        if state == .poweredOn { return true }
        Report.misuse("\(Report.reference(self)) can only accept this command while in the powered on state")
        return false
    }
}

extension CBCentralManager {
    /// What a device can do more than the basics. [contract 1.3]
    public struct Feature: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Scanning for extended advertisements, and connecting to them.
        public static let extendedScanAndConnect = Feature(rawValue: 1 << 0)
        /// Measuring distances by channel sounding.
        public static let channelSounding = Feature(rawValue: 1 << 10)
    }
}
