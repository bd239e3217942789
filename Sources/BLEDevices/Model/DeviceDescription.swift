package import BLEWire

/// A device as a device file describes it: what it advertises, what attributes it has, and how it behaves.
package struct DeviceDescription: Equatable, Sendable {
    /// What it is, for people; empty = not said.
    package var title: String
    /// Where noise and chance come from: the same seed, the same device.
    package var seed: UInt64
    package var advertisement: DeviceAdvertisement
    package var services: [DeviceService]

    package init(
        title: String = "", seed: UInt64 = 1, advertisement: DeviceAdvertisement = DeviceAdvertisement(),
        services: [DeviceService] = []
    ) {
        self.title = title
        self.seed = seed
        self.advertisement = advertisement
        self.services = services
    }

    /// Which characteristics have a value that nothing ever changes or disturbs, and can only be read: the system may answer
    /// for them.
    package var staticCharacteristics: Set<AttributeIndex> {
        let all = characteristics
        let changed = Set(all.flatMap(\.writes).flatMap(\.sets).compactMap(\.characteristic))
        return Set(
            all.indices.filter { index in
                all[index].isStill && all[index].properties == .read && all[index].permissions == .read
                    && !changed.contains(index)
            })
    }

    /// All characteristics in the order of the file; what `AttributeIndex` counts.
    package var characteristics: [DeviceCharacteristic] { services.flatMap(\.characteristics) }
}

/// The number of a characteristic among all of its device, from 0 on.
package typealias AttributeIndex = Int

/// What a device advertises. [Vol 3, Part C, 11]
package struct DeviceAdvertisement: Equatable, Sendable {
    package var name: String?
    package var services: [BluetoothUUID]
    /// Company identifier first, least significant octet first; a phone's program can't advertise this.
    package var manufacturerData: [UInt8]?
    /// A phone's program can't advertise this either.
    package var serviceData: [ServiceData]
    /// False: a beacon, which nobody connects to.
    package var isConnectable: Bool
    /// Nothing is advertised at all.
    package var isSilent: Bool

    package struct ServiceData: Equatable, Sendable {
        package var service: BluetoothUUID
        package var octets: [UInt8]
        package init(service: BluetoothUUID, octets: [UInt8]) {
            self.service = service
            self.octets = octets
        }
    }

    package init(
        name: String? = nil, services: [BluetoothUUID] = [], manufacturerData: [UInt8]? = nil,
        serviceData: [ServiceData] = [], isConnectable: Bool = true, isSilent: Bool = false
    ) {
        self.name = name
        self.services = services
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.isConnectable = isConnectable
        self.isSilent = isSilent
    }

    /// There is something that the public Core Bluetooth API has no key for.
    package var isBeyondCoreBluetooth: Bool { manufacturerData != nil || !serviceData.isEmpty || !isConnectable }
}

package struct DeviceService: Equatable, Sendable {
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// What other parts of the file call it; nil = by its UUID.
    package var id: String?
    /// Services before it, by their number in the file from 0 on. [Vol 3, Part G, 3.2]
    package var includes: [Int]
    package var characteristics: [DeviceCharacteristic]

    package init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, id: String? = nil, includes: [Int] = [],
        characteristics: [DeviceCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.id = id
        self.includes = includes
        self.characteristics = characteristics
    }
}

package struct DeviceCharacteristic: Equatable, Sendable {
    package var uuid: BluetoothUUID
    package var id: String?
    package var properties: CharacteristicProperties
    package var permissions: DevicePermissions
    /// What is only for an encrypted link.
    package var encryption: EncryptedAccess
    package var value: ValueTemplate
    package var descriptors: [DeviceDescriptor]
    /// A step of its value each so long; nil = its value stays.
    package var period: Delay?
    package var sequence: ValueSequence?
    /// When its time runs.
    package var runs: RunCondition
    package var writes: [WriteRule]
    package var faults: [DeviceFault]

    package init(
        _ uuid: BluetoothUUID, id: String? = nil, properties: CharacteristicProperties,
        permissions: DevicePermissions? = nil, encryption: EncryptedAccess = [], value: ValueTemplate = ValueTemplate(),
        descriptors: [DeviceDescriptor] = [], period: Delay? = nil, sequence: ValueSequence? = nil,
        runs: RunCondition = .subscribed, writes: [WriteRule] = [], faults: [DeviceFault] = []
    ) {
        self.uuid = uuid
        self.id = id
        self.properties = properties
        self.permissions = permissions ?? DevicePermissions(properties)
        self.encryption = encryption
        self.value = value
        self.descriptors = descriptors
        self.period = period
        self.sequence = sequence
        self.runs = runs
        self.writes = writes
        self.faults = faults
    }

    /// Nothing ever changes or disturbs its value by itself: with read as its only property it may be published as static.
    package var isStill: Bool {
        period == nil && sequence == nil && writes.isEmpty && faults.isEmpty && value.isFixed
    }
}

/// When the time of a characteristic runs.
package enum RunCondition: Equatable, Sendable, CaseIterable { case subscribed, always }

/// The properties of a characteristic's declaration. [Vol 3, Part G, 3.3.1.1]
package struct CharacteristicProperties: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let broadcast = CharacteristicProperties(rawValue: 0x01)
    package static let read = CharacteristicProperties(rawValue: 0x02)
    package static let writeWithoutResponse = CharacteristicProperties(rawValue: 0x04)
    package static let write = CharacteristicProperties(rawValue: 0x08)
    package static let notify = CharacteristicProperties(rawValue: 0x10)
    package static let indicate = CharacteristicProperties(rawValue: 0x20)
    package static let signedWrite = CharacteristicProperties(rawValue: 0x40)
    package static let extended = CharacteristicProperties(rawValue: 0x80)

    /// As files write them, in the order of their bits.
    package static let words: [(String, CharacteristicProperties)] = [
        ("broadcast", .broadcast), ("read", .read), ("write-without-response", .writeWithoutResponse),
        ("write", .write), ("notify", .notify), ("indicate", .indicate), ("signed-write", .signedWrite),
        ("extended", .extended),
    ]
}

/// Whether the value may be read and written at all, beside what the properties say.
package struct DevicePermissions: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = DevicePermissions(rawValue: 0x01)
    package static let write = DevicePermissions(rawValue: 0x02)

    package static let words: [(String, DevicePermissions)] = [("read", .read), ("write", .write)]

    /// What the properties promise.
    package init(_ properties: CharacteristicProperties) {
        self = []
        if properties.contains(.read) { insert(.read) }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse, .signedWrite]) { insert(.write) }
    }
}

/// What needs an encrypted link.
package struct EncryptedAccess: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = EncryptedAccess(rawValue: 0x01)
    package static let write = EncryptedAccess(rawValue: 0x02)
    package static let notify = EncryptedAccess(rawValue: 0x04)
    package static let indicate = EncryptedAccess(rawValue: 0x08)

    package static let words: [(String, EncryptedAccess)] = [
        ("read", .read), ("write", .write), ("notify", .notify), ("indicate", .indicate),
    ]
}

package struct DeviceDescriptor: Equatable, Sendable {
    package var uuid: BluetoothUUID
    package var octets: [UInt8]

    package init(_ uuid: BluetoothUUID, octets: [UInt8]) {
        self.uuid = uuid
        self.octets = octets
    }

    /// What the system makes by itself where the properties ask for it. [Vol 3, Part G, 3.3.3]
    package static let ofSystem: [BluetoothUUID] = [0x2900, 0x2902, 0x2903]
}
