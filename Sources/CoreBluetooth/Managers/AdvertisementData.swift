internal import BLEBackend
internal import BLERuntime
internal import BLEWire
internal import Foundation

/// The dictionary that a discovery hands out. [contract 27-29]
package enum AdvertisementData {
    /// Keys that Apple's framework doesn't have: the interval of the periodic advertising of a set in seconds, and the
    /// set's Advertising SID. The module Ravning has their public names.
    package static let periodicIntervalKey = "kRavningAdvDataPeriodicInterval"
    package static let periodicSetKey = "kRavningAdvDataPeriodicSet"

    /// Only keys whose data was received; whether it takes connections is always there.
    static func dictionary(_ advertisement: Advertisement) -> [String: Any] {
        var data = fields(advertisement)
        data[CBAdvertisementDataIsConnectable] = NSNumber(value: advertisement.isConnectable)
        if let train = advertisement.train {
            data[periodicIntervalKey] = NSNumber(value: train.interval.seconds)
            data[periodicSetKey] = NSNumber(value: train.setIdentifier)
        }
        return data
    }

    /// The fields of AD structures, under the keys of a discovery.
    package static func dictionary(ofStructures octets: [UInt8]) -> [String: Any] {
        fields(Advertisement(ADFields(octets), ADFields()))
    }

    private static func fields(_ advertisement: Advertisement) -> [String: Any] {
        var data: [String: Any] = [:]
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
