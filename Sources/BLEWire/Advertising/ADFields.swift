/// What AD structures say, field by field. [Vol 3, Part C, 11]
///
/// Reading is tolerant, as real hosts are: a structure of the wrong size is left out, what else there is holds. Lists of
/// services that come in several structures are joined.
package struct ADFields: Equatable, Sendable {
    package var flags: UInt8?
    package var completeName: String?
    package var shortenedName: String?
    /// dBm.
    package var txPower: Int8?
    package var appearance: UInt16?
    package var services: [BluetoothUUID] = []
    package var solicitedServices: [BluetoothUUID] = []
    package var serviceData: [ServiceData] = []
    /// Company identifier first, least significant octet first. The last one where there are several.
    package var manufacturerData: [UInt8]?
    /// Why reading ended before the last octet.
    package var fault: ADFault?

    /// Data that belongs to a service. [Vol 3, Part C, 11]
    package struct ServiceData: Equatable, Sendable {
        package var service: BluetoothUUID
        package var data: [UInt8]
        package init(service: BluetoothUUID, data: [UInt8]) {
            self.service = service
            self.data = data
        }
    }

    /// The complete name, or else the shortened one.
    package var name: String? { completeName ?? shortenedName }

    package init() {}

    package init(_ octets: [UInt8]) {
        var reader = ADReader(octets)
        while let element = reader.next() { add(element, octets) }
        fault = reader.fault
    }

    private mutating func add(_ element: ADReader.Element, _ octets: [UInt8]) {
        let range = element.range
        switch element.type {
        case .flags: flags = octets[range].first ?? flags
        case .completeLocalName: completeName = String(decoding: octets[range], as: UTF8.self)
        case .shortenedLocalName: shortenedName = String(decoding: octets[range], as: UTF8.self)
        case .txPowerLevel where range.count == 1: txPower = Int8(bitPattern: octets[range.lowerBound])
        case .appearance where range.count == 2:
            appearance = UInt16(octets[range.lowerBound]) | UInt16(octets[range.lowerBound + 1]) << 8
        case .incompleteServices16, .completeServices16: Self.list(&services, 2, octets, range)
        case .incompleteServices32, .completeServices32: Self.list(&services, 4, octets, range)
        case .incompleteServices128, .completeServices128: Self.list(&services, 16, octets, range)
        case .solicitedServices16: Self.list(&solicitedServices, 2, octets, range)
        case .solicitedServices32: Self.list(&solicitedServices, 4, octets, range)
        case .solicitedServices128: Self.list(&solicitedServices, 16, octets, range)
        case .serviceData16: addServiceData(2, octets, range)
        case .serviceData32: addServiceData(4, octets, range)
        case .serviceData128: addServiceData(16, octets, range)
        case .manufacturerSpecific where range.count >= 2: manufacturerData = Array(octets[range])
        default: break
        }
    }

    /// Appends the UUIDs of a list; octets at its end that are no whole UUID are left out.
    private static func list(_ uuids: inout [BluetoothUUID], _ width: Int, _ octets: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        uuids.reserveCapacity(uuids.count + range.count / width)
        while start + width <= range.upperBound {
            if let uuid = BluetoothUUID(octets, at: start, width: width), !uuids.contains(uuid) { uuids.append(uuid) }
            start += width
        }
    }

    private mutating func addServiceData(_ width: Int, _ octets: [UInt8], _ range: Range<Int>) {
        guard range.count >= width, let service = BluetoothUUID(octets, at: range.lowerBound, width: width) else {
            return
        }
        let data = Array(octets[(range.lowerBound + width)..<range.upperBound])
        serviceData.append(ServiceData(service: service, data: data))
    }
}

extension BluetoothUUID {
    /// Reads a UUID of 2, 4 or 16 octets, least significant first, at an index; nil where it isn't whole.
    package init?(_ octets: [UInt8], at index: Int, width: Int) {
        guard index >= 0, index + width <= octets.count else { return nil }
        if width == 2 {
            self.init(UInt16(octets[index]) | UInt16(octets[index + 1]) << 8)
        } else {
            self.init(littleEndian: octets[index..<(index + width)])
        }
    }
}
