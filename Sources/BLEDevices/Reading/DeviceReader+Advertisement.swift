import BLEWire

// What a device advertises, and whether an advertisement has room for it.
extension DeviceReader {
    func advertisement(_ node: DocumentNode) throws(DocumentError) -> DeviceAdvertisement {
        if case .scalar("none") = node.content { return DeviceAdvertisement(isSilent: true) }
        var reader = try MappingReader(node, "what is advertised, such as name and services, or none")
        var advertisement = DeviceAdvertisement()
        advertisement.name = try reader.take("name")?.text()
        for node in try reader.take("services")?.list("a list of UUIDs") ?? [] {
            advertisement.services.append(try node.uuid())
        }
        if let beacon = reader.take("beacon") { try readBeacon(beacon, &advertisement) }
        try reader.finish()
        let isBeacon = advertisement.isBeyondCoreBluetooth
        let octets = 3 + advertisement.size
        // [Vol 3, Part C, 11] A phone's program puts what has no room elsewhere; a beacon has no other place.
        if isBeacon, octets > 31 {
            throw DocumentError(
                node.position, "an advertisement of \(octets) octets with its flags", expected: "at most 31")
        }
        return advertisement
    }

    /// What only a beacon advertises: Core Bluetooth has no words for it, so it stands apart.
    private func readBeacon(
        _ node: DocumentNode, _ advertisement: inout DeviceAdvertisement
    ) throws(DocumentError) {
        var reader = try MappingReader(node, "what a beacon advertises: manufacturer-data, service-data")
        advertisement.isConnectable = try reader.take("connectable")?.flag() ?? false
        if let node = reader.take("manufacturer-data") {
            var data = try MappingReader(node, "a company and octets")
            let company = try data.require("company").whole(in: 0...0xFFFF)
            let octets = try fixed(try data.require("value"))
            try data.finish()
            advertisement.manufacturerData = [UInt8(company & 0xFF), UInt8(company >> 8)] + octets
        }
        for node in try reader.take("service-data")?.list("a list, each with a service and a value") ?? [] {
            var data = try MappingReader(node, "a service and a value")
            advertisement.serviceData.append(
                .init(service: try data.require("service").uuid(), octets: try fixed(try data.require("value"))))
            try data.finish()
        }
        try reader.finish()
    }
}

extension DeviceAdvertisement {
    /// The octets of its AD structures without the flags.
    package var size: Int {
        var widths: [Int] = []
        var octets = 0
        for uuid in services {
            let width = uuid.littleEndian.count
            if !widths.contains(width) {
                widths.append(width)
                octets += 2
            }
            octets += width
        }
        if let manufacturerData { octets += 2 + manufacturerData.count }
        for data in serviceData { octets += 2 + data.service.littleEndian.count + data.octets.count }
        if let name, !name.isEmpty { octets += 2 + name.utf8.count }
        return octets
    }
}
