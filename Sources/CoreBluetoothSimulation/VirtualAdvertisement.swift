import BLEHost
import BLEWire
import CoreBluetooth

/// What a virtual peripheral advertises.
struct VirtualAdvertisement: Sendable {
    private let localName: String
    private let services: [BluetoothUUID]
    private let manufacturerData: Data?
    private let serviceData: [(BluetoothUUID, Data)]
    private let txPower: Int?
    private let interval: Duration

    init(
        localName: String, services: [CBUUID], manufacturerData: Data?, serviceData: [CBUUID: Data], txPower: Int?,
        interval: Duration
    ) {
        self.localName = localName
        self.services = services.map { BluetoothUUID($0) }
        self.manufacturerData = manufacturerData
        // In an order of its own: that of a dictionary differs from run to run.
        self.serviceData = serviceData.map { (BluetoothUUID($0), $1) }.sorted { $0.0.full < $1.0.full }
        self.txPower = txPower
        self.interval = interval
    }

    func settings(isConnectable: Bool) -> AdvertisingSettings {
        var settings = AdvertisingSettings()
        settings.isConnectable = isConnectable
        settings.intervalMinimum = PhoneProfile.units(interval, of: 625_000, in: 32...16384)
        settings.intervalMaximum = settings.intervalMinimum
        var advertisement = ADBuilder()
        var response = ADBuilder()
        advertisement.appendFlags([.generalDiscoverable, .brEDRNotSupported])
        let left = advertisement.appendServices(services)
        response.appendServices(left)
        for (type, data) in structures where !advertisement.append(type, data) {
            response.append(type, data)
        }
        if !localName.isEmpty, !advertisement.append(.completeLocalName, Array(localName.utf8)) {
            response.appendName(localName)
        }
        settings.data = advertisement.octets
        settings.scanResponse = response.octets
        settings.isScannable = isConnectable || !response.octets.isEmpty
        return settings
    }

    private var structures: [(ADType, [UInt8])] {
        var all: [(ADType, [UInt8])] = []
        if let manufacturerData { all.append((.manufacturerSpecific, Array(manufacturerData))) }
        for (uuid, data) in serviceData {
            let type: ADType =
                switch uuid.width {
                case .bits16: .serviceData16
                case .bits32: .serviceData32
                case .bits128: .serviceData128
                }
            all.append((type, uuid.littleEndian + Array(data)))
        }
        if let txPower { all.append((.txPowerLevel, [UInt8(bitPattern: Int8(clamping: txPower))])) }
        return all
    }
}
