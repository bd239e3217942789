package import BLERecordings
import BLEWire

extension DeviceDescription {
    /// The device that a capture shows, as far as a device file can be one.
    /// - Parameter notes: what couldn't be taken over is added, for a person.
    package init(_ recorded: RecordedDevice, notes: inout [String]) {
        self.init()
        notes += recorded.missing
        if let heard = recorded.advertisement { advertisement = DeviceAdvertisement(heard, &notes) }
        var places: [AttributeHandle: Int] = [:]
        for service in recorded.services {
            // The system has these itself.
            guard !service.isOfSystem else {
                title = service.name ?? title
                continue
            }
            var copy = DeviceService(service.uuid, isPrimary: service.isPrimary)
            for handle in service.includes {
                if let place = places[handle] {
                    copy.includes.append(place)
                } else {
                    notes.append("\(service.uuid) includes the service at \(handle), which comes later: left out")
                }
            }
            copy.characteristics = service.characteristics.map { one in
                DeviceCharacteristic(one, "\(service.uuid)/\(one.uuid)", &notes)
            }
            places[service.handle] = services.count
            services.append(copy)
        }
        if let name = advertisement.name, title.isEmpty { title = name }
    }
}

extension RecordedService {
    /// The Device Name, if this is the service that has it and it was read. [Vol 3, Part C, 12.1]
    fileprivate var name: String? {
        characteristics.first { $0.uuid == 0x2A00 }?.value.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension DeviceAdvertisement {
    fileprivate init(_ heard: RecordedAdvertisement, _ notes: inout [String]) {
        let fields = heard.fields
        self.init(
            name: fields.name, services: fields.services, manufacturerData: fields.manufacturerData,
            serviceData: fields.serviceData.map { .init(service: $0.service, octets: $0.data) },
            isConnectable: heard.isConnectable)
        leaveOutWhatHasNoRoom(&notes)
    }

    /// What is beyond Core Bluetooth has one packet.
    package mutating func leaveOutWhatHasNoRoom(_ notes: inout [String]) {
        guard isBeyondCoreBluetooth, 3 + size > 31 else { return }
        notes.append("the name and the data that it advertises need two packets: the name is left out")
        name = nil
        guard 3 + size > 31 else { return }
        notes.append("its manufacturer data and service data are left out, too")
        manufacturerData = nil
        serviceData = []
    }
}

extension DeviceCharacteristic {
    fileprivate init(_ recorded: RecordedCharacteristic, _ name: String, _ notes: inout [String]) {
        self.init(
            recorded.uuid, properties: CharacteristicProperties(recorded.properties, name, &notes),
            value: ValueTemplate(readably: recorded.value ?? []))
        if recorded.readNeedsEncryption { encryption.insert(.read) }
        if recorded.writeNeedsEncryption { encryption.insert(.write) }
        descriptors = recorded.descriptors.compactMap { descriptor in
            guard !DeviceDescriptor.ofSystem.contains(descriptor.uuid) else { return nil }
            guard let value = descriptor.value else {
                notes.append("the descriptor \(descriptor.uuid) of \(name) wasn't read: left out")
                return nil
            }
            return DeviceDescriptor(descriptor.uuid, octets: value)
        }
        if !recorded.updates.isEmpty {
            sequence = ValueSequence(
                recorded.updates.map { .init(after: .nanoseconds($0.after), ValueTemplate(octets: $0.value)) },
                end: .stays)
        }
    }
}

extension CharacteristicProperties {
    /// Without those that can't be published.
    package init(_ octet: UInt8, _ name: String, _ notes: inout [String]) {
        self.init(rawValue: octet)
        guard !isDisjoint(with: [.broadcast, .extended]) else { return }
        notes.append("\(name): broadcast and extended properties can't be published and are left out")
        subtract([.broadcast, .extended])
    }
}

extension ValueTemplate {
    /// As a text where it is one that a person would read.
    package init(readably octets: [UInt8]) {
        let text = String(validating: octets, as: UTF8.self)
        if let text, text.count > 1, text.allSatisfy(\.isReadable), text.contains(where: \.isLetter) {
            self.init([.text(TextSource([text]))])
        } else {
            self.init(octets: octets)
        }
    }
}

extension Character {
    /// Nothing that steers a terminal, and nothing that can't be seen.
    fileprivate var isReadable: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}
