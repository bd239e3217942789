/// Names of the bus itself. [D-Bus Specification]
package enum DBusName {
    package static let bus = "org.freedesktop.DBus"
    package static let busPath = "/org/freedesktop/DBus"
    package static let properties = "org.freedesktop.DBus.Properties"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    package static let introspectable = "org.freedesktop.DBus.Introspectable"
    package static let peer = "org.freedesktop.DBus.Peer"
}

/// Names of BlueZ's interfaces.
package enum BlueZName {
    package static let service = "org.bluez"
    package static let managerPath = "/org/bluez"
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    package static let gattService = "org.bluez.GattService1"
    package static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    package static let gattDescriptor = "org.bluez.GattDescriptor1"
    package static let gattManager = "org.bluez.GattManager1"
    package static let advertisement = "org.bluez.LEAdvertisement1"
    package static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    package static let agent = "org.bluez.Agent1"
    package static let agentManager = "org.bluez.AgentManager1"

    /// The error of that name in BlueZ's errors: `org.bluez.Error.` and the rest.
    package static func error(_ name: String) -> String { "org.bluez.Error." + name }
}
