import BLEDevices
import BLEWire
import CoreBluetooth
import Foundation

/// The objects that publish a described device, and which of its characteristics each one is.
struct PublishedDevice {
    let services: [CBMutableService]
    private(set) var characteristics: [CBMutableCharacteristic] = []
    private let indices: [ObjectIdentifier: AttributeIndex]

    init(_ device: DeviceDescription) {
        let still = device.staticCharacteristics
        var services: [CBMutableService] = []
        var index = 0
        for described in device.services {
            let service = CBMutableService(type: CBUUID(described.uuid), primary: described.isPrimary)
            service.isEmulated = true
            service.includedServices = described.includes.map { services[$0] }
            let objects = described.characteristics.map { characteristic in
                defer { index += 1 }
                return CBMutableCharacteristic(characteristic, isStatic: still.contains(index))
            }
            service.characteristics = objects
            characteristics += objects
            services.append(service)
        }
        self.services = services
        indices = Dictionary(uniqueKeysWithValues: characteristics.enumerated().map { (ObjectIdentifier($1), $0) })
    }

    func index(of characteristic: CBCharacteristic) -> AttributeIndex? { indices[ObjectIdentifier(characteristic)] }
}

extension CBUUID {
    convenience init(_ uuid: BluetoothUUID) { self.init(data: Data(uuid.bigEndian)) }
}

extension CBMutableCharacteristic {
    /// - Parameter isStatic: the system may answer for it.
    fileprivate convenience init(_ described: DeviceCharacteristic, isStatic: Bool) {
        var properties = CBCharacteristicProperties(rawValue: UInt(described.properties.rawValue))
        if described.encryption.contains(.notify) {
            properties.subtract(.notify)
            properties.insert(.notifyEncryptionRequired)
        }
        if described.encryption.contains(.indicate) {
            properties.subtract(.indicate)
            properties.insert(.indicateEncryptionRequired)
        }
        var permissions: CBAttributePermissions = []
        if described.permissions.contains(.read) {
            permissions.insert(described.encryption.contains(.read) ? .readEncryptionRequired : .readable)
        }
        if described.permissions.contains(.write) {
            permissions.insert(described.encryption.contains(.write) ? .writeEncryptionRequired : .writeable)
        }
        self.init(
            type: CBUUID(described.uuid), properties: properties,
            value: isStatic ? described.value.fixedOctets.map { Data($0) } : nil,
            permissions: permissions)
        descriptors = described.descriptors.map { descriptor in
            switch descriptor.uuid {
            case 0x2901:
                CBMutableDescriptor(
                    type: CBUUID(descriptor.uuid), value: String(decoding: descriptor.octets, as: UTF8.self))
            case 0x2904: CBMutableDescriptor(type: CBUUID(descriptor.uuid), value: Data(descriptor.octets))
            default: CBMutableDescriptor(emulating: CBUUID(descriptor.uuid), octets: Data(descriptor.octets))
            }
        }
    }
}
