package import BLEWire

/// A service that a program publishes. 2900 and 2902 are added by the backend where the properties need them.
package struct LocalService: Equatable, Sendable {
    package var id: LocalAttributeID
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// Services that were added before. [contract 89]
    package var includes: [LocalAttributeID]
    package var characteristics: [LocalCharacteristic]
    /// It is published by a tool that stands for another device, which may have what a phone keeps for itself.
    package var isEmulated = false

    /// Services of the system, which programs may not publish in their 16-bit form. [contract 93]
    private static let reserved: [BluetoothUUID] = [0x1800, 0x1801, 0x1805, 0x180A, 0x180F, 0x1812, 0x181E]

    /// Whether the system keeps it for itself.
    package var isReserved: Bool { !isEmulated && uuid.width == .bits16 && Self.reserved.contains(uuid) }

    package init(
        id: LocalAttributeID, uuid: BluetoothUUID, isPrimary: Bool, includes: [LocalAttributeID],
        characteristics: [LocalCharacteristic]
    ) {
        self.id = id
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A characteristic that a program publishes.
package struct LocalCharacteristic: Equatable, Sendable {
    package var id: LocalAttributeID
    package var uuid: BluetoothUUID
    /// `CBCharacteristicProperties`, whose low octet is the declaration's and whose bits 0x100 and 0x200 require
    /// encryption for notify and indicate.
    package var properties: UInt16
    package var permissions: LocalPermissions
    /// The fixed value; nil = dynamic, every request goes to the program. [contract 90, 91]
    package var value: [UInt8]?
    package var descriptors: [LocalDescriptor]
    package init(
        id: LocalAttributeID, uuid: BluetoothUUID, properties: UInt16, permissions: LocalPermissions, value: [UInt8]?,
        descriptors: [LocalDescriptor]
    ) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
        self.permissions = permissions
        self.value = value
        self.descriptors = descriptors
    }
}

/// A descriptor with a fixed value that a program publishes.
package struct LocalDescriptor: Equatable, Sendable {
    package var id: LocalAttributeID
    package var uuid: BluetoothUUID
    package var value: [UInt8]
    package init(id: LocalAttributeID, uuid: BluetoothUUID, value: [UInt8]) {
        self.id = id
        self.uuid = uuid
        self.value = value
    }
}

/// `CBAttributePermissions`, bit for bit.
package struct LocalPermissions: OptionSet, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let readable = LocalPermissions(rawValue: 0x01)
    package static let writeable = LocalPermissions(rawValue: 0x02)
    package static let readEncryptionRequired = LocalPermissions(rawValue: 0x04)
    package static let writeEncryptionRequired = LocalPermissions(rawValue: 0x08)
}
