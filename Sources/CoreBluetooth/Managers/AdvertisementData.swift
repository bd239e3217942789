internal import BLEBackend
internal import BLEWire
internal import Foundation

/// The dictionary that a discovery hands out. [contract 27-29]
enum AdvertisementData {
    /// Only keys whose data was received; whether it takes connections is always there.
    static func dictionary(_ advertisement: Advertisement) -> [String: Any] {
        var data: [String: Any] = [
            CBAdvertisementDataIsConnectable: NSNumber(value: advertisement.isConnectable)
        ]
        if let name = advertisement.localName { data[CBAdvertisementDataLocalNameKey] = name }
        if let power = advertisement.txPower { data[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: power) }
        if let octets = advertisement.manufacturerData {
            data[CBAdvertisementDataManufacturerDataKey] = Data(octets)
        }
        insert(advertisement.services, CBAdvertisementDataServiceUUIDsKey, &data)
        insert(advertisement.solicitedServices, CBAdvertisementDataSolicitedServiceUUIDsKey, &data)
        insert(advertisement.overflowServices, CBAdvertisementDataOverflowServiceUUIDsKey, &data)
        if !advertisement.serviceData.isEmpty {
            var serviceData: [CBUUID: Data] = [:]
            for item in advertisement.serviceData { serviceData[CBUUID(item.uuid)] = Data(item.data) }
            data[CBAdvertisementDataServiceDataKey] = serviceData
        }
        return data
    }

    private static func insert(_ uuids: [BluetoothUUID], _ key: String, _ data: inout [String: Any]) {
        if !uuids.isEmpty { data[key] = uuids.map(CBUUID.init) }
    }
}
