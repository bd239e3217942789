import BLEWire

/// A device out of the file of another tool, with what has no place in a device file.
package struct DeviceImport: Sendable {
    /// The formats that can be read.
    package enum Format: String, CaseIterable, Sendable {
        /// nRF Connect for Android's configuration of a GATT server, in XML.
        case nRFConnect = "nrf-connect"
        /// A description in JSON, as blew has it.
        case blew
        /// A profile of WHAD's, in JSON.
        case whad
        /// Services found by GATTacker, in JSON.
        case gattacker
        /// BTstack's description of a database, in lines.
        case btstack
    }

    package struct Warning: Equatable, Sendable {
        package let position: DocumentNode.Position
        package let text: String
        package init(_ position: DocumentNode.Position, _ text: String) {
            self.position = position
            self.text = text
        }
    }

    package internal(set) var device = DeviceDescription()
    package internal(set) var warnings: [Warning] = []

    package init() {}

    mutating func warn(_ position: DocumentNode.Position, _ text: String) { warnings.append(.init(position, text)) }

    /// Adds a service, if it isn't one that the system has by itself.
    mutating func add(_ service: DeviceService, at position: DocumentNode.Position) {
        guard service.uuid == 0x1800 || service.uuid == 0x1801 else {
            var service = service
            for index in service.characteristics.indices { fit(&service.characteristics[index], at: position) }
            return device.services.append(service)
        }
        for characteristic in service.characteristics {
            let octets = characteristic.value.firstOctets
            let name = characteristic.uuid == 0x2A00 ? String(validating: octets, as: UTF8.self) : nil
            if let name, device.advertisement.name == nil, !name.isEmpty {
                device.advertisement.name = name
                warn(position, "the Device Name \"\(name)\" is advertised; what the system says is its own name")
            } else if !octets.isEmpty, characteristic.uuid != 0x2A00 {
                warn(position, "left out: \(characteristic.uuid) = \(Hex.string(octets)), since the system has its own")
            }
        }
    }

    /// Takes off a characteristic what a device file refuses.
    private mutating func fit(_ characteristic: inout DeviceCharacteristic, at position: DocumentNode.Position) {
        let octets = characteristic.value.firstOctets
        if characteristic.value.parts.contains(where: {
            if case .octets(let all) = $0 { all.count > 512 } else { false }
        }) {
            warn(position, "left out: what is behind the first 512 octets of \(characteristic.uuid)")
            characteristic.value = ValueTemplate(octets: octets)
        }
        let accesses: [(EncryptedAccess, CharacteristicProperties, String)] = [
            (.read, .read, "reading"), (.write, [.write, .writeWithoutResponse, .signedWrite], "writing"),
        ]
        for (access, properties, word) in accesses
        where characteristic.encryption.contains(access) && characteristic.properties.isDisjoint(with: properties) {
            warn(position, "left out: encryption for \(word) \(characteristic.uuid), which has no such property")
            characteristic.encryption.remove(access)
        }
    }

    /// Adds a descriptor, if it isn't one that the system makes by itself where the properties ask for it.
    mutating func add(
        _ descriptor: DeviceDescriptor, to characteristic: inout DeviceCharacteristic,
        at position: DocumentNode.Position
    ) {
        let isMade: Bool =
            switch descriptor.uuid {
            case 0x2902: !characteristic.properties.isDisjoint(with: [.notify, .indicate])
            default: false
            }
        if isMade { return }
        if DeviceDescriptor.ofSystem.contains(descriptor.uuid) {
            return warn(position, "left out: the descriptor \(descriptor.uuid), which only the system makes")
        }
        if descriptor.uuid == 0x2904, descriptor.octets.count != 7 {
            return warn(position, "left out: a presentation format of \(descriptor.octets.count) octets, not 7")
        }
        if descriptor.uuid == 0x2901, String(validating: descriptor.octets, as: UTF8.self) == nil {
            return warn(position, "left out: a user description that isn't UTF-8")
        }
        characteristic.descriptors.append(descriptor)
    }

    /// Properties without those that a peripheral manager can't publish.
    mutating func publishable(
        _ properties: CharacteristicProperties, at position: DocumentNode.Position
    ) -> CharacteristicProperties {
        for (word, property) in CharacteristicProperties.words
        where [.broadcast, .extended].contains(property) && properties.contains(property) {
            warn(position, "left out: the property \(word), which can't be published")
        }
        return properties.subtracting([.broadcast, .extended])
    }

    /// Advertises what an advertisement and a scan response held.
    mutating func advertise(_ data: [UInt8], _ response: [UInt8], at position: DocumentNode.Position) {
        for fields in [ADFields(data), ADFields(response)] {
            if let name = fields.name { device.advertisement.name = name }
            for service in fields.services where !device.advertisement.services.contains(service) {
                device.advertisement.services.append(service)
            }
            if let data = fields.manufacturerData { device.advertisement.manufacturerData = data }
            device.advertisement.serviceData += fields.serviceData.map { .init(service: $0.service, octets: $0.data) }
            if let power = fields.txPower { warn(position, "left out: the transmit power \(power) dBm") }
            if let appearance = fields.appearance {
                warn(position, "left out: the appearance \(Hex.prefixed(appearance))")
            }
            if !fields.solicitedServices.isEmpty { warn(position, "left out: solicited services") }
            if fields.fault != nil { warn(position, "left out: the end of an advertisement that can't be read") }
        }
        let isTooLong = device.advertisement.isBeyondCoreBluetooth && 3 + device.advertisement.size > 31
        guard isTooLong else { return }
        // It was two packets there, and is one here: what is in no list is given up first.
        if let name = device.advertisement.name {
            warn(position, "left out: the advertised name \"\(name)\", for which there is no room")
            device.advertisement.name = nil
        }
        guard 3 + device.advertisement.size > 31 else { return }
        for data in device.advertisement.serviceData {
            warn(position, "left out: service data of \(data.service) = \(Hex.string(data.octets)), without room")
        }
        device.advertisement.serviceData = []
        guard device.advertisement.isBeyondCoreBluetooth, 3 + device.advertisement.size > 31 else { return }
        warn(position, "left out: the manufacturer data, without room")
        device.advertisement.manufacturerData = nil
    }
}
