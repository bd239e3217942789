// Keys of option dictionaries; the strings are Apple's. [contract 1.11]

// MARK: Central manager

/// Whether a person is told at once that the radio is off, an `NSNumber` with a Boolean. Nobody is told here.
public let CBCentralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"
/// The name under which the manager's state is kept for the next run, a `String`.
public let CBCentralManagerOptionRestoreIdentifierKey: String = "kCBInitOptionRestoreIdentifier"
/// Apple's access to media accessories; without meaning here.
public let CBCentralManagerOptionDeviceAccessForMedia: String = "kCBInitOptionDeviceAccessForMedia"
/// Whether every advertisement is reported, an `NSNumber` with a Boolean. [contract 21]
public let CBCentralManagerScanOptionAllowDuplicatesKey: String = "kCBScanOptionAllowDuplicates"
/// Also report devices that look for any of these services, a `[CBUUID]`. [contract 25]
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey: String = "kCBScanOptionSolicitedServiceUUIDs"

// MARK: Connecting

/// Whether a suspended program's user is told of a connection; without meaning here. [contract 57]
public let CBConnectPeripheralOptionNotifyOnConnectionKey: String = "kCBConnectOptionNotifyOnConnection"
/// Whether a suspended program's user is told of a disconnection; without meaning here. [contract 57]
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey: String = "kCBConnectOptionNotifyOnDisconnection"
/// Whether a suspended program's user is told of notifications; without meaning here. [contract 57]
public let CBConnectPeripheralOptionNotifyOnNotificationKey: String = "kCBConnectOptionNotifyOnNotification"
/// Whole seconds to wait before the attempt, an `NSNumber`. [contract 51]
public let CBConnectPeripheralOptionStartDelayKey: String = "kCBConnectOptionStartDelay"
/// Whether a classic profile is connected as well; without meaning here.
public let CBConnectPeripheralOptionEnableTransportBridgingKey: String = "kCBConnectOptionEnableTransportBridging"
/// Whether the peripheral must support Apple's notification centre service; without meaning here.
public let CBConnectPeripheralOptionRequiresANCS: String = "kCBConnectOptionRequiresANCS"
/// Whether a lost connection is made again by the system, an `NSNumber` with a Boolean. [contract 52]
public let CBConnectPeripheralOptionEnableAutoReconnect: String = "kCBConnectOptionEnableAutoReconnect"

// MARK: State restoration

/// The peripherals of a restored central manager, a `[CBPeripheral]`.
public let CBCentralManagerRestoredStatePeripheralsKey: String = "kCBRestoredPeripherals"
/// The services that a restored central manager was scanning for, a `[CBUUID]`.
public let CBCentralManagerRestoredStateScanServicesKey: String = "kCBRestoredScanServices"
/// The options with which a restored central manager was scanning, a `[String: Any]`.
public let CBCentralManagerRestoredStateScanOptionsKey: String = "kCBRestoredScanOptions"
/// The services that a restored peripheral manager had published, a `[CBMutableService]`.
public let CBPeripheralManagerRestoredStateServicesKey: String = "kCBRestoredServices"
/// What a restored peripheral manager was advertising, a `[String: Any]`.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey: String = "kCBRestoredAdvertisement"

// MARK: Peripheral manager

/// Whether a person is told at once that the radio is off, an `NSNumber` with a Boolean. Nobody is told here.
public let CBPeripheralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"
/// The name under which the manager's state is kept for the next run, a `String`.
public let CBPeripheralManagerOptionRestoreIdentifierKey: String = "kCBInitOptionRestoreIdentifier"

/// Which connection events are asked for. [contract 56]
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Those of peripherals with any of these services, a `[CBUUID]`.
    public static let serviceUUIDs = CBConnectionEventMatchingOption(
        rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
    /// Those of these peripherals, a `[UUID]`.
    public static let peripheralUUIDs = CBConnectionEventMatchingOption(
        rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
}
