// UUIDs that Core Bluetooth names, as strings. [contract 1.11]

/// Characteristic Extended Properties. [Vol 3, Part G, 3.3.3.1]
public let CBUUIDCharacteristicExtendedPropertiesString: String = "2900"
/// Characteristic User Description. [Vol 3, Part G, 3.3.3.2]
public let CBUUIDCharacteristicUserDescriptionString: String = "2901"
/// Client Characteristic Configuration. [Vol 3, Part G, 3.3.3.3]
public let CBUUIDClientCharacteristicConfigurationString: String = "2902"
/// Server Characteristic Configuration. [Vol 3, Part G, 3.3.3.4]
public let CBUUIDServerCharacteristicConfigurationString: String = "2903"
/// Characteristic Presentation Format. [Vol 3, Part G, 3.3.3.5]
public let CBUUIDCharacteristicFormatString: String = "2904"
/// Characteristic Aggregate Format. [Vol 3, Part G, 3.3.3.6]
public let CBUUIDCharacteristicAggregateFormatString: String = "2905"
/// Valid Range.
public let CBUUIDCharacteristicValidRangeString: String = "2906"
/// Observation Schedule.
public let CBUUIDCharacteristicObservationScheduleString: String = "2910"
/// Apple's characteristic that carries the PSM of an L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString: String = "ABDD3056-28FA-441D-A470-55A75A52553A"
/// Generic Access.
public let CBUUIDGenericAccessProfileString: String = "1800"
/// Generic Attribute.
public let CBUUIDGenericAttributeProfileString: String = "1801"
/// Device Name. [Vol 3, Part C, 12.1]
public let CBUUIDDeviceNameString: String = "2A00"
/// Appearance. [Vol 3, Part C, 12.2]
public let CBUUIDAppearanceString: String = "2A01"
/// Peripheral Privacy Flag.
public let CBUUIDPeripheralPrivacyFlagString: String = "2A02"
/// Reconnection Address.
public let CBUUIDReconnectionAddressString: String = "2A03"
/// Peripheral Preferred Connection Parameters. [Vol 3, Part C, 12.3]
public let CBUUIDPeripheralPreferredConnectionParametersString: String = "2A04"
/// Service Changed. [Vol 3, Part G, 7.1]
public let CBUUIDServiceChangedString: String = "2A05"
