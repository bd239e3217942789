import BLEHost
import BLESimulator
import BLEWire
public import CoreBluetooth

/// A characteristic of a ``VirtualPeripheral``: what can be done with it, and what happens then.
///
/// Without further ado it keeps a value: reads give it, writes replace it.
public struct VirtualCharacteristic: Sendable {
    let uuid: BluetoothUUID
    let properties: CBCharacteristicProperties
    let permissions: CBAttributePermissions
    let value: Data
    var descriptors: [GATTServiceDefinition.Descriptor] = []
    var period: Delay?
    var reads: (@Sendable (PeripheralDevice) throws -> Data)?
    var writes: (@Sendable (PeripheralDevice, Data) throws -> Void)?
    var subscriptions: (@Sendable (PeripheralDevice, Bool) -> Void)?

    /// - Parameters:
    ///   - value: at the start; 512 octets at most. [Vol 3, Part F, 3.2.9]
    ///   - permissions: nil = what the properties need.
    public init(
        _ uuid: CBUUID, _ properties: CBCharacteristicProperties, value: Data = Data(),
        permissions: CBAttributePermissions? = nil
    ) {
        self.uuid = BluetoothUUID(uuid)
        self.properties = properties
        self.value = value
        var needed: CBAttributePermissions = []
        if properties.contains(.read) { needed.insert(.readable) }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) { needed.insert(.writeable) }
        self.permissions = permissions ?? needed
    }

    private func with(_ change: (inout VirtualCharacteristic) -> Void) -> VirtualCharacteristic {
        var copy = self
        change(&copy)
        return copy
    }

    /// A user description (2901). [Vol 3, Part G, 3.3.3.2]
    public func described(as text: String) -> VirtualCharacteristic {
        descriptor(CBUUID(string: "2901"), Data(text.utf8))
    }

    /// A descriptor with a fixed value that can be read. The subscription's (2902) is there by itself.
    public func descriptor(_ uuid: CBUUID, _ value: Data) -> VirtualCharacteristic {
        with { $0.descriptors.append(.init(uuid: BluetoothUUID(uuid), value: Array(value))) }
    }

    /// Asks for the value at each read, long reads included: always for the whole of it. A `CBATTError` that is thrown
    /// is the answer; any other error is Unlikely Error.
    public func onRead(_ body: @escaping @Sendable (PeripheralDevice) throws -> Data) -> VirtualCharacteristic {
        with { $0.reads = body }
    }

    /// Asks before a written value is kept: it isn't if an error is thrown. A `CBATTError` is the answer to the
    /// central, unless it wrote without response; any other error is Unlikely Error.
    public func onWrite(
        _ body: @escaping @Sendable (PeripheralDevice, Data) throws -> Void
    ) -> VirtualCharacteristic {
        with { $0.writes = body }
    }

    /// Told when a central subscribes (true) and unsubscribes or leaves (false).
    public func onSubscription(
        _ body: @escaping @Sendable (PeripheralDevice, Bool) -> Void
    ) -> VirtualCharacteristic {
        with { $0.subscriptions = body }
    }

    /// While somebody is subscribed, the value is sent again and again, with a counter in its first four octets.
    public func notifying(every period: Duration) -> VirtualCharacteristic {
        with { $0.period = period.delay }
    }

    var profile: LightPeripheralProfile.Characteristic {
        var granted: AttributePermissions = []
        if permissions.contains(.readable) { granted.insert(.read) }
        if permissions.contains(.writeable) { granted.insert(.write) }
        if permissions.contains(.readEncryptionRequired) { granted.formUnion([.read, .readEncrypted]) }
        if permissions.contains(.writeEncryptionRequired) { granted.formUnion([.write, .writeEncrypted]) }
        var characteristic = LightPeripheralProfile.Characteristic(
            uuid: uuid, properties: UInt8(truncatingIfNeeded: properties.rawValue), permissions: granted,
            value: Array(value.prefix(512)), descriptors: descriptors)
        characteristic.asksReads = reads != nil
        characteristic.asksWrites = writes != nil
        characteristic.period = period
        return characteristic
    }
}
