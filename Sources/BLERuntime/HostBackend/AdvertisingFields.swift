import BLEBackend
import BLEWire

/// The AD structures of one advertisement or scan response as a program sees them. [Vol 3, Part C, 11]
///
/// A structure that is cut short or whose contents can't be read is left out; the others count.
struct AdvertisingFields: Equatable {
    var fields = Advertisement()
    /// Complete Local Name, not the shortened one.
    var hasCompleteName = false

    init() {}

    init(_ data: [UInt8]) {
        var rest = data[...]
        while let length = rest.popFirst().map(Int.init), length > 0, length <= rest.count {
            let structure = rest.prefix(length)
            rest = rest.dropFirst(length)
            if let type = structure.first { read(type, structure.dropFirst()) }
        }
    }

    /// Types by the Supplement to the Core Specification, Part A, 1.
    private mutating func read(_ type: UInt8, _ value: ArraySlice<UInt8>) {
        switch type {
        case 0x02, 0x03: fields.services += uuids(value, width: 2, besides: fields.services)
        case 0x04, 0x05: fields.services += uuids(value, width: 4, besides: fields.services)
        case 0x06, 0x07: fields.services += uuids(value, width: 16, besides: fields.services)
        case 0x08: if fields.localName == nil { fields.localName = String(decoding: value, as: UTF8.self) }
        case 0x09:
            fields.localName = String(decoding: value, as: UTF8.self)
            hasCompleteName = true
        case 0x0A: if let power = value.first, value.count == 1 { fields.txPower = Int8(bitPattern: power) }
        case 0x14: fields.solicitedServices += uuids(value, width: 2, besides: fields.solicitedServices)
        case 0x1F: fields.solicitedServices += uuids(value, width: 4, besides: fields.solicitedServices)
        case 0x15: fields.solicitedServices += uuids(value, width: 16, besides: fields.solicitedServices)
        case 0x16: readServiceData(value, width: 2)
        case 0x20: readServiceData(value, width: 4)
        case 0x21: readServiceData(value, width: 16)
        case 0xFF: if value.count >= 2, fields.manufacturerData == nil { fields.manufacturerData = Array(value) }
        default: break
        }
    }

    private func uuids(_ value: ArraySlice<UInt8>, width: Int, besides known: [BluetoothUUID]) -> [BluetoothUUID] {
        var list: [BluetoothUUID] = []
        var rest = value
        while rest.count >= width {
            if let uuid = BluetoothUUID(littleEndian: rest.prefix(width)), !list.contains(uuid), !known.contains(uuid) {
                list.append(uuid)
            }
            rest = rest.dropFirst(width)
        }
        return list
    }

    private mutating func readServiceData(_ value: ArraySlice<UInt8>, width: Int) {
        guard value.count >= width, let uuid = BluetoothUUID(littleEndian: value.prefix(width)) else { return }
        guard !fields.serviceData.contains(where: { $0.uuid == uuid }) else { return }
        fields.serviceData.append(.init(uuid: uuid, data: Array(value.dropFirst(width))))
    }
}
