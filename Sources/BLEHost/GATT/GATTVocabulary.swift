package import BLEWire

/// A GATT client procedure. [Vol 3, Part G, 4.1]
package enum GATTProcedure: Equatable, Sendable {
    case exchangeMTU(UInt16)
    /// All primary services, or those of one UUID. [4.4]
    case discoverServices(BluetoothUUID?)
    /// All secondary services.
    case discoverSecondaryServices
    case discoverIncludedServices(ClosedRange<AttributeHandle>)
    case discoverCharacteristics(ClosedRange<AttributeHandle>)
    case discoverDescriptors(ClosedRange<AttributeHandle>)
    case read(AttributeHandle)
    /// Reads until the end of the value. [4.8.3]
    case readLong(AttributeHandle)
    case readByUUID(BluetoothUUID, ClosedRange<AttributeHandle>)
    case readMultiple([AttributeHandle])
    /// A value longer than ATT_MTU - 3 is written as by `writeLong`.
    case write(AttributeHandle, [UInt8])
    case writeWithoutResponse(AttributeHandle, [UInt8])
    /// A write without response that carries a signature, or a plain one where the link is encrypted. [4.9.2]
    case signedWrite(AttributeHandle, [UInt8])
    /// Prepared writes and their execution. [4.9.4]
    case writeLong(AttributeHandle, [UInt8])
    /// Prepared writes whose echoes are compared. [4.9.5]
    case writeReliable([GATTWrite])
}

/// What a procedure brought.
package enum GATTOutcome: Equatable, Sendable {
    case done
    case mtu(Int)
    case services([GATTService])
    case includedServices([GATTIncludedService])
    case characteristics([GATTCharacteristic])
    case descriptors([GATTDescriptor])
    case value([UInt8])
    case values([GATTHandleValue])
}

package struct GATTService: Hashable, Sendable {
    package var handles: ClosedRange<AttributeHandle>
    package var uuid: BluetoothUUID
    package init(handles: ClosedRange<AttributeHandle>, uuid: BluetoothUUID) {
        self.handles = handles
        self.uuid = uuid
    }
}

package struct GATTIncludedService: Hashable, Sendable {
    package var declaration: AttributeHandle
    package var service: GATTService
    package init(declaration: AttributeHandle, service: GATTService) {
        self.declaration = declaration
        self.service = service
    }
}

package struct GATTCharacteristic: Hashable, Sendable {
    package var declaration: AttributeHandle
    package var value: AttributeHandle
    package var properties: UInt8
    package var uuid: BluetoothUUID
    package init(declaration: AttributeHandle, value: AttributeHandle, properties: UInt8, uuid: BluetoothUUID) {
        self.declaration = declaration
        self.value = value
        self.properties = properties
        self.uuid = uuid
    }
}

package struct GATTDescriptor: Hashable, Sendable {
    package var handle: AttributeHandle
    package var uuid: BluetoothUUID
    package init(handle: AttributeHandle, uuid: BluetoothUUID) {
        self.handle = handle
        self.uuid = uuid
    }
}

package struct GATTHandleValue: Hashable, Sendable {
    package var handle: AttributeHandle
    package var value: [UInt8]
    package init(handle: AttributeHandle, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }
}

/// A write of a part of a value.
package struct GATTWrite: Hashable, Sendable {
    package var handle: AttributeHandle
    package var offset: Int
    package var value: [UInt8]
    package init(handle: AttributeHandle, offset: Int, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }
}

/// Names a request of a client until the application has answered it.
package struct GATTRequestID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The value of a CCCD. [Vol 3, Part G, 3.3.3.3]
package struct ClientConfiguration: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let notifications = ClientConfiguration(rawValue: 1)
    package static let indications = ClientConfiguration(rawValue: 2)
}

/// What an access to an attribute needs. `read` and `write` grant, the others restrict.
package struct AttributePermissions: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let read = AttributePermissions(rawValue: 0x001)
    package static let write = AttributePermissions(rawValue: 0x002)
    package static let readEncrypted = AttributePermissions(rawValue: 0x004)
    package static let writeEncrypted = AttributePermissions(rawValue: 0x008)
    package static let readAuthenticated = AttributePermissions(rawValue: 0x010)
    package static let writeAuthenticated = AttributePermissions(rawValue: 0x020)
    package static let readSecure = AttributePermissions(rawValue: 0x040)
    package static let writeSecure = AttributePermissions(rawValue: 0x080)
    package static let authorize = AttributePermissions(rawValue: 0x100)
}

/// A service to be added to the database.
package struct GATTServiceDefinition: Equatable, Sendable {
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// Declaration handles of the services it includes.
    package var includes: [AttributeHandle]
    package var characteristics: [Characteristic]
    package init(
        uuid: BluetoothUUID, isPrimary: Bool = true, includes: [AttributeHandle] = [],
        characteristics: [Characteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }

    /// A CCCD and the extended properties are added where the properties need them.
    package struct Characteristic: Equatable, Sendable {
        package var uuid: BluetoothUUID
        package var properties: UInt8
        package var permissions: AttributePermissions
        /// What a client's configuration (CCCD) needs besides: `.writeEncrypted` for notifyEncryptionRequired.
        package var configurationPermissions: AttributePermissions
        /// nil = dynamic: every access is asked of the application.
        package var value: [UInt8]?
        package var descriptors: [Descriptor]
        package init(
            uuid: BluetoothUUID, properties: UInt8, permissions: AttributePermissions,
            configurationPermissions: AttributePermissions = [.read, .write], value: [UInt8]? = nil,
            descriptors: [Descriptor] = []
        ) {
            self.uuid = uuid
            self.properties = properties
            self.permissions = permissions
            self.configurationPermissions = configurationPermissions
            self.value = value
            self.descriptors = descriptors
        }
    }

    package struct Descriptor: Equatable, Sendable {
        package var uuid: BluetoothUUID
        package var permissions: AttributePermissions
        package var value: [UInt8]
        package init(uuid: BluetoothUUID, permissions: AttributePermissions = .read, value: [UInt8]) {
            self.uuid = uuid
            self.permissions = permissions
            self.value = value
        }
    }
}

/// Where a service came to lie.
package struct GATTServiceLayout: Equatable, Sendable {
    package var handles: ClosedRange<AttributeHandle>
    /// Value handles of the characteristics, in the order of the definition.
    package var characteristics: [AttributeHandle]
    package init(handles: ClosedRange<AttributeHandle>, characteristics: [AttributeHandle]) {
        self.handles = handles
        self.characteristics = characteristics
    }
}
