import BLEBackend
import BLEWire

// A device, as its properties tell it. [BlueZ, device-api]
extension DeviceAddress {
    /// nil where the properties aren't a device's.
    init?(device properties: DBusProperties) {
        guard let text = properties["Address"]?.text else { return nil }
        let isRandom = properties["AddressType"]?.text == "random"
        self.init(text, isRandom ? .randomDevice : .publicDevice)
    }
}

extension Advertisement {
    /// What BlueZ has put together of a device's packets.
    ///
    /// *Limits*: BlueZ tells neither whether the device takes connections, nor what it solicits; the name and the services
    /// of a device that was connected are those that were found on it. [differences]
    init(device properties: DBusProperties) {
        self.init()
        localName = properties["Name"]?.text
        txPower = properties["TxPower"]?.number.flatMap(Int8.init(exactly:))
        services = (properties["UUIDs"]?.texts ?? []).compactMap(BluetoothUUID.init(bluez:))
        for entry in properties["ServiceData"]?.entries ?? [] {
            guard let uuid = entry.key.text.flatMap(BluetoothUUID.init(bluez:)), let data = entry.value.octets else {
                continue
            }
            serviceData.append(ServiceData(uuid: uuid, data: data))
        }
        // Core Bluetooth shows one company's.
        if let entry = properties["ManufacturerData"]?.entries?.first, let company = entry.key.number,
            let data = entry.value.octets
        {
            manufacturerData = [UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)] + data
        }
        isConnectable = true
    }
}

/// A device that was heard in this scan, with what it says.
struct HeardDevice {
    var advertisement: Advertisement
    /// Grows as the advertisement changes, from 1.
    var revision = 1

    /// Takes what the device says now.
    mutating func receive(_ new: Advertisement) {
        guard new != advertisement else { return }
        advertisement = new
        revision += 1
    }
}
