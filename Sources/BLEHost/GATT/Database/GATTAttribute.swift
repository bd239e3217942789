package import BLEWire

/// One attribute of the server. [Vol 3, Part F, 3.2]
package struct GATTAttribute: Equatable, Sendable {
    package var handle: AttributeHandle
    package var type: BluetoothUUID
    package var permissions: AttributePermissions
    package var content: Content
    /// The last handle of the group that the attribute begins; its own handle where it begins none.
    /// [Vol 3, Part G, 2.5.3]
    package var groupEnd: AttributeHandle
    /// The properties of the characteristic that it belongs to, 0 outside of one.
    package var properties: UInt8

    package init(
        handle: AttributeHandle, type: BluetoothUUID, permissions: AttributePermissions, content: Content,
        groupEnd: AttributeHandle? = nil, properties: UInt8 = 0
    ) {
        self.handle = handle
        self.type = type
        self.permissions = permissions
        self.content = content
        self.groupEnd = groupEnd ?? handle
        self.properties = properties
    }

    /// Where the value comes from.
    package enum Content: Equatable, Sendable {
        /// Kept here; writes replace it for everybody.
        case stored([UInt8])
        /// Asked of the application at each access.
        case application
        /// A CCCD: a value for each client. [Vol 3, Part G, 3.3.3.3]
        case clientConfiguration
        /// Client Supported Features: a value for each client. [Vol 3, Part G, 7.2]
        case clientSupportedFeatures
        /// The Database Hash. [Vol 3, Part G, 7.3]
        case databaseHash
        /// Never read: the Service Changed value, which is only indicated. [Vol 3, Part G, 7.1]
        case indicatedOnly
    }
}

/// Attribute types that the server itself knows. [Vol 3, Part G, 3.4]
package enum GATTType {
    package static let primaryService: BluetoothUUID = 0x2800
    package static let secondaryService: BluetoothUUID = 0x2801
    package static let include: BluetoothUUID = 0x2802
    package static let characteristic: BluetoothUUID = 0x2803
    package static let extendedProperties: BluetoothUUID = 0x2900
    package static let userDescription: BluetoothUUID = 0x2901
    package static let clientConfiguration: BluetoothUUID = 0x2902
    package static let serverConfiguration: BluetoothUUID = 0x2903
    package static let presentationFormat: BluetoothUUID = 0x2904
    package static let aggregateFormat: BluetoothUUID = 0x2905
    package static let genericAccess: BluetoothUUID = 0x1800
    package static let genericAttribute: BluetoothUUID = 0x1801
    package static let deviceName: BluetoothUUID = 0x2A00
    package static let appearance: BluetoothUUID = 0x2A01
    package static let serviceChanged: BluetoothUUID = 0x2A05
    package static let clientSupportedFeatures: BluetoothUUID = 0x2B29
    package static let databaseHash: BluetoothUUID = 0x2B2A
}

/// Bits of the properties of a characteristic. [Vol 3, Part G, 3.3.1.1]
package enum GATTProperties {
    package static let read: UInt8 = 0x02
    package static let writeWithoutResponse: UInt8 = 0x04
    package static let write: UInt8 = 0x08
    package static let notify: UInt8 = 0x10
    package static let indicate: UInt8 = 0x20
    package static let signedWrite: UInt8 = 0x40
    package static let extended: UInt8 = 0x80
}

/// The longest value that an attribute may have. [Vol 3, Part F, 3.2.9]
package let gattMaximumValueLength = 512
