internal import BLEBackend
internal import BLEWire
public import Foundation

/// A remote device that a central manager has found. [contract 1.4]
///
/// The program must keep it: when the last reference goes, so does its connection. [contract 33]
open class CBPeripheral: CBPeer, @unchecked Sendable {
    let session: CentralSession
    /// Which of the objects that stood for the device in turn this is.
    let generation: UInt64
    let storage = Guarded(Storage())

    /// What the object knows, changed on the manager's queue.
    struct Storage {
        weak var delegate: (any CBPeripheralDelegate)?
        var name: String?
        var rssi: NSNumber?
        var state = CBPeripheralState.disconnected
        /// A connection was asked for before the end of the one before was told.
        var awaitsEnd = false
        /// False once the manager fell below powered off. [contract 10]
        var isValid = true
        var attributes = RemoteAttributes()
    }

    init(session: CentralSession, id: PeerID, generation: UInt64) {
        self.session = session
        self.generation = generation
        super.init(id: id)
    }

    deinit {
        session.released(peerID, generation: generation, description: description)
    }

    /// Is told what the peripheral answers, on the manager's queue.
    open weak var delegate: (any CBPeripheralDelegate)? {
        get { storage.withLock { $0.delegate } }
        set { storage.withLock { $0.delegate = newValue } }
    }

    /// The advertised name at first; after the first connection the GAP Device Name. [contract 37]
    open var name: String? { storage.withLock { $0.name } }

    /// The last signal strength that was read.
    @available(*, deprecated, message: "Use readRSSI() and peripheral(_:didReadRSSI:error:) instead")
    open var rssi: NSNumber? { storage.withLock { $0.rssi } }

    /// Whether it is connected through this manager. [contract 43]
    open var state: CBPeripheralState { storage.withLock { $0.state } }

    /// The services discovered so far, in the order of their handles; nil before the first discovery and after a
    /// disconnection. [contract 54, 58-60]
    open var services: [CBService]? { storage.withLock { $0.attributes.services } }

    /// Whether a write without response would find room. Where it is false, such a write may be lost, and
    /// `peripheralIsReady(toSendWriteWithoutResponse:)` says when there is room again. [contract 77]
    open var canSendWriteWithoutResponse: Bool {
        state == .connected && session.backend?.canSendWriteWithoutResponse(to: peerID) ?? false
    }

    /// False: there is no Apple notification centre on Linux.
    open var ancsAuthorized: Bool { false }

    /// The longest value that a write can carry: 512 octets with a response, ATT_MTU − 3 without, and never more than
    /// the 512 octets that a value may have [Vol 3, Part F, 3.2.9]: servers refuse what is longer. [contract 75]
    @discardableResult
    open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        type == .withResponse ? ValueLength.maximum : ValueLength.maximum(attMTU: mtu)
    }

    /// Reads the signal strength of the connection. [contract 84]
    open func readRSSI() { readSignalStrength() }

    /// Discovers primary services; nil: all of them. Those that were found before stay. [contract 58-60]
    open func discoverServices(_ serviceUUIDs: [CBUUID]?) { discover(services: serviceUUIDs) }

    /// Discovers the services that a service includes; nil: all of them. [contract 62]
    open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        discover(included: includedServiceUUIDs, of: service)
    }

    /// Discovers characteristics of a service; nil: all of them. Those that were found before stay. [contract 61]
    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        discover(characteristics: characteristicUUIDs, of: service)
    }

    /// Discovers the descriptors of a characteristic. [contract 63]
    open func discoverDescriptors(for characteristic: CBCharacteristic) { discover(descriptorsOf: characteristic) }

    /// Reads the value, whole. [contract 68, 69, 71]
    open func readValue(for characteristic: CBCharacteristic) { read(characteristic) }

    /// Reads the descriptor. [contract 83]
    open func readValue(for descriptor: CBDescriptor) { read(descriptor) }

    /// Writes the value. With a response, `didWriteValueFor` tells how it went, and a long value goes in parts; without
    /// one nothing comes, and a value that doesn't fit isn't sent. [contract 73, 74, 76-78]
    open func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
        write(data, to: characteristic, type: type)
    }

    /// Writes the descriptor. The client characteristic configuration can't be written so; use
    /// ``setNotifyValue(_:for:)``. [contract 82]
    open func writeValue(_ data: Data, for descriptor: CBDescriptor) { write(data, to: descriptor) }

    /// Subscribes to the value, or ends the subscription: to notifications where there are both kinds.
    /// [contract 79-81]
    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        subscribe(enabled, to: characteristic)
    }

    /// Measures the distance by channel sounding. No controller here can:
    /// `peripheral(_:didCompleteChannelSoundingSession:)` comes with `.operationNotSupported`.
    open func startChannelSoundingSession(_ configuration: CBChannelSoundingSessionConfiguration) {
        refuseChannelSounding()
    }

    /// Ends the session, if there is one.
    open func cancelChannelSoundingSession() { _ = isReady }

    /// Opens an L2CAP channel to the PSM that the peripheral has published. [contract 118, 122]
    open func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
        guard isReady else { return }
        session.perform(.openChannel(peerID, psm: PSM))
    }

    /// `<CBPeripheral: 0x…, identifier = …, name = …, mtu = …, state = connected>`. [contract 129]
    open override var description: String {
        let (name, state) = storage.withLock { ($0.name, $0.state) }
        return "<\(Report.typeName(self)): \(Report.address(self)), identifier = \(UUID(bits: peerID.bits)), "
            + "name = \(name ?? "(null)"), mtu = \(mtu), state = \(state.appleName)>"
    }

    private var mtu: Int { session.backend?.attMTU(of: peerID) ?? 23 }
    var isValid: Bool { storage.withLock { $0.isValid } }
    func setName(_ name: String) { storage.withLock { $0.name = name } }
}

extension CBPeripheralState {
    /// As descriptions print it.
    var appleName: String {
        switch self {
        case .disconnected: "disconnected"
        case .connecting: "connecting"
        case .connected: "connected"
        case .disconnecting: "disconnecting"
        @unknown default: "unknown"
        }
    }
}
