package import BLEWire

/// A service found on a peer.
package struct RemoteService: Hashable, Sendable {
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// Handles of the declaration and of the last attribute of the service.
    package var handles: ClosedRange<AttributeHandle>
    package init(uuid: BluetoothUUID, isPrimary: Bool, handles: ClosedRange<AttributeHandle>) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.handles = handles
    }
}

/// A characteristic found on a peer.
package struct RemoteCharacteristic: Hashable, Sendable {
    package var uuid: BluetoothUUID
    /// The octet of the declaration [Vol 3, Part G, 3.3.1.1], with the extended properties not read.
    package var properties: UInt8
    package var declaration: AttributeHandle
    package var value: AttributeHandle
    /// The last handle that belongs to it.
    package var end: AttributeHandle
    package init(
        uuid: BluetoothUUID, properties: UInt8, declaration: AttributeHandle, value: AttributeHandle,
        end: AttributeHandle
    ) {
        self.uuid = uuid
        self.properties = properties
        self.declaration = declaration
        self.value = value
        self.end = end
    }
}

/// A descriptor found on a peer.
package struct RemoteDescriptor: Hashable, Sendable {
    package var uuid: BluetoothUUID
    package var handle: AttributeHandle
    package init(uuid: BluetoothUUID, handle: AttributeHandle) {
        self.uuid = uuid
        self.handle = handle
    }
}
