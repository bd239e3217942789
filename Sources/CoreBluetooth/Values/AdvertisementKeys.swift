// Keys of advertisement dictionaries; the strings are Apple's. [contract 1.11]

/// The local name, a `String`.
public let CBAdvertisementDataLocalNameKey: String = "kCBAdvDataLocalName"
/// The transmit power in dBm, an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey: String = "kCBAdvDataTxPowerLevel"
/// The service UUIDs, a `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey: String = "kCBAdvDataServiceUUIDs"
/// Data of services, a `[CBUUID: Data]`.
public let CBAdvertisementDataServiceDataKey: String = "kCBAdvDataServiceData"
/// Manufacturer data with the company identifier first, least significant octet first, a `Data`.
public let CBAdvertisementDataManufacturerDataKey: String = "kCBAdvDataManufacturerData"
/// Service UUIDs of the overflow area, a `[CBUUID]`.
public let CBAdvertisementDataOverflowServiceUUIDsKey: String = "kCBAdvDataOverflowServiceUUIDs"
/// Whether the device takes connections at this moment, an `NSNumber` with a Boolean.
public let CBAdvertisementDataIsConnectable: String = "kCBAdvDataIsConnectable"
/// Services that the device looks for, a `[CBUUID]`.
public let CBAdvertisementDataSolicitedServiceUUIDsKey: String = "kCBAdvDataSolicitedServiceUUIDs"
