package import BLEWire

/// What was received of a device in advertisements and scan responses, field by field.
package struct Advertisement: Equatable, Sendable {
    package var localName: String?
    package var txPower: Int8?
    package var services: [BluetoothUUID] = []
    package var solicitedServices: [BluetoothUUID] = []
    package var overflowServices: [BluetoothUUID] = []
    package var serviceData: [ServiceData] = []
    /// Company identifier first, least significant octet first.
    package var manufacturerData: [UInt8]?
    package var isConnectable = false
    /// The periodic advertising of the set that was heard last; nil where it has none.
    package var train: PeriodicTrainDescription?
    package init() {}

    package struct ServiceData: Equatable, Sendable {
        package var uuid: BluetoothUUID
        package var data: [UInt8]
        package init(uuid: BluetoothUUID, data: [UInt8]) {
            self.uuid = uuid
            self.data = data
        }
    }
}

/// What a program may ask to be advertised; the backend lays it out as a phone does. [contract 110, 112]
///
/// A phone's programs have names and services; what stands behind these is for a tool that stands for another device.
package struct AdvertisingRequest: Equatable, Sendable {
    package var localName: String?
    package var services: [BluetoothUUID]
    /// Company identifier first, least significant octet first; nil = none.
    package var manufacturerData: [UInt8]?
    package var serviceData: [Advertisement.ServiceData] = []
    /// False: a beacon.
    package var isConnectable = true
    package init(localName: String? = nil, services: [BluetoothUUID] = []) {
        self.localName = localName
        self.services = services
    }
}

/// What a scan is to report.
package struct ScanRequest: Equatable, Sendable {
    /// Report only devices that advertise any of these; nil = all.
    package var services: [BluetoothUUID]?
    package var solicitedServices: [BluetoothUUID]
    package var allowDuplicates: Bool
    package init(
        services: [BluetoothUUID]? = nil, solicitedServices: [BluetoothUUID] = [], allowDuplicates: Bool = false
    ) {
        self.services = services
        self.solicitedServices = solicitedServices
        self.allowDuplicates = allowDuplicates
    }
}
