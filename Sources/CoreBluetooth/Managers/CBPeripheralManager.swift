internal import BLEBackend
public import Foundation

/// Publishes services and advertises them: the peripheral role. [contract 1.5]
///
/// Methods may be called from any thread and return at once; answers come to the delegate on the manager's queue.
open class CBPeripheralManager: CBManager, @unchecked Sendable {
    let peripheral: PeripheralSession
    private let delegateReference: Guarded<WeakDelegate>

    private struct WeakDelegate { weak var delegate: (any CBPeripheralManagerDelegate)? }

    /// Without a delegate, on the main queue.
    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    /// Calls the delegate on the queue; nil = the main queue.
    public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: dispatch_queue_t?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Calls the delegate on the queue; nil = the main queue. Without an adapter the state becomes `.unsupported`.
    /// [contract 1, 2, 14]
    public init(
        delegate: (any CBPeripheralManagerDelegate)?, queue: dispatch_queue_t?, options: [String: Any]? = nil
    ) {
        peripheral = PeripheralSession(queue: queue)
        delegateReference = Guarded(WeakDelegate(delegate: delegate))
        super.init(session: peripheral)
        RestorationCheck.check(
            self, hasCallback: delegate.flatMap(DelegateProbe.hasRestoreCallback),
            identifier: options?[CBPeripheralManagerOptionRestoreIdentifierKey],
            method: "peripheralManager:willRestoreState:")
        peripheral.manager = self
        peripheral.restoration = peripheral.makeRestoration(
            .peripheral, options?[CBPeripheralManagerOptionRestoreIdentifierKey], of: PeripheralState.self)
        peripheral.open(.peripheral)
    }

    /// Ends advertising and takes the services away. [contract 16]
    deinit { peripheral.managerReleased() }

    /// Is told what happens. It may be set later; what happened before isn't told again. [contract 4]
    open weak var delegate: (any CBPeripheralManagerDelegate)? {
        get { delegateReference.withLock { $0.delegate } }
        set { delegateReference.withLock { $0.delegate = newValue } }
    }

    /// Whether it advertises. [contract 111]
    open var isAdvertising: Bool { peripheral.isAdvertising }

    /// The older form of `CBManager.authorization`.
    @available(*, deprecated, message: "Use CBManager.authorization instead")
    @discardableResult
    open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus {
        authorization == .denied ? .denied : .authorized
    }

    /// Advertises the local name and the service UUIDs given; other keys are ignored. Nil: without data.
    /// [contract 110-112, 116]
    open func startAdvertising(_ advertisementData: [String: Any]?) {
        guard acceptsCommand else { return }
        peripheral.startAdvertising(advertisementData)
    }

    /// Ends advertising; nothing is told. [contract 115]
    open func stopAdvertising() {
        guard acceptsCommand else { return }
        peripheral.stopAdvertising()
    }

    /// Wishes for quicker or slower connection to the central; nothing is told. [contract 109]
    open func setDesiredConnectionLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral) {
        guard acceptsCommand else { return }
        let latency = ConnectionLatency(rawValue: latency.rawValue) ?? .medium
        peripheral.perform(.setConnectionLatency(central.peerID, latency))
    }

    /// Publishes the service as it is at this moment; `didAdd` tells how it went. [contract 86-93]
    open func add(_ service: CBMutableService) {
        guard acceptsCommand else { return }
        peripheral.add(service)
    }

    /// Takes the service away. [contract 94]
    open func remove(_ service: CBMutableService) {
        guard acceptsCommand else { return }
        peripheral.remove(service)
    }

    /// Takes all services of this manager away. [contract 94]
    open func removeAllServices() {
        guard acceptsCommand else { return }
        peripheral.removeAllServices()
    }

    /// Answers a request: once, and writes by the first of the array. [contract 97, 98]
    open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        guard acceptsCommand else { return }
        peripheral.respond(to: request, result)
    }

    /// Sends the value to all subscribers, or to those of the centrals that are. False: the queue is full, nothing was
    /// sent, and `peripheralManagerIsReady(toUpdateSubscribers:)` comes once there is room. [contract 104-108]
    @discardableResult
    open func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard acceptsCommand else { return false }
        return peripheral.updateValue(value, characteristic, centrals)
    }

    /// Lets centrals open L2CAP channels to a PSM that the system chooses, 0x80 to 0xFF; `didPublishL2CAPChannel` tells it.
    /// - Parameter encryptionRequired: whether the link must be encrypted first. [contract 117, 122]
    open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
        guard acceptsCommand else { return }
        peripheral.perform(.publishChannel(encrypted: encryptionRequired))
    }

    /// Takes the PSM back and closes the channels to it. [contract 120]
    open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) {
        guard acceptsCommand else { return }
        peripheral.perform(.unpublishChannel(psm: PSM))
    }

    /// Whether the manager is powered on; if not, says so in the log. [contract 5]
    private var acceptsCommand: Bool {
        if state == .poweredOn { return true }
        Report.misuse("\(Report.reference(self)) can only accept this command while in the powered on state")
        return false
    }
}
