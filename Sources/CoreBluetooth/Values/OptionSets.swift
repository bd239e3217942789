/// What can be done with a characteristic. The low octet is that of its declaration
/// [Vol 3, Part G, 3.3.1.1]; the two bits above it are Apple's. [contract 1.9]
public struct CBCharacteristicProperties: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value may be broadcast.
    public static let broadcast = CBCharacteristicProperties(rawValue: 0x01)
    /// The value can be read.
    public static let read = CBCharacteristicProperties(rawValue: 0x02)
    /// The value can be written without an answer.
    public static let writeWithoutResponse = CBCharacteristicProperties(rawValue: 0x04)
    /// The value can be written, with an answer.
    public static let write = CBCharacteristicProperties(rawValue: 0x08)
    /// The value can be subscribed to, without confirmation.
    public static let notify = CBCharacteristicProperties(rawValue: 0x10)
    /// The value can be subscribed to, with confirmation.
    public static let indicate = CBCharacteristicProperties(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let authenticatedSignedWrites = CBCharacteristicProperties(rawValue: 0x40)
    /// There is a descriptor with further properties.
    public static let extendedProperties = CBCharacteristicProperties(rawValue: 0x80)
    /// Notifications need an encrypted link.
    public static let notifyEncryptionRequired = CBCharacteristicProperties(rawValue: 0x100)
    /// Indications need an encrypted link.
    public static let indicateEncryptionRequired = CBCharacteristicProperties(rawValue: 0x200)
}

/// What a published attribute lets a central do. [contract 1.9]
public struct CBAttributePermissions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// It may be read.
    public static let readable = CBAttributePermissions(rawValue: 0x01)
    /// It may be written.
    public static let writeable = CBAttributePermissions(rawValue: 0x02)
    /// It may be read over an encrypted link.
    public static let readEncryptionRequired = CBAttributePermissions(rawValue: 0x04)
    /// It may be written over an encrypted link.
    public static let writeEncryptionRequired = CBAttributePermissions(rawValue: 0x08)
}
