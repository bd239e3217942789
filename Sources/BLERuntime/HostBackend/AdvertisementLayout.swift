package import BLEBackend
package import BLEWire

/// How a phone lays out the name and the services of an advertisement, and what doesn't fit. [contract 112]
///
/// Beside the flags there are 28 octets for AD structures: service UUIDs first, as many as fit, then the name. A name that
/// doesn't fit there goes to the scan response, where it may have 10 octets; if it's longer than that too, it is
/// shortened to what the better of the two places has. UUIDs that don't fit go to the overflow area in the scan response,
/// beside which a name has 8 octets; in the background all of them do, and there is no name. [contract 113, 114]
package struct AdvertisementLayout: Equatable {
    /// AD structures of the advertisement and of the scan response. [Vol 3, Part C, 11]
    package let data: [UInt8]
    package let scanResponse: [UInt8]
    /// Services that are in no list: in the overflow area only, or not on the air where the profile has none.
    package let omitted: [BluetoothUUID]
    private let usesOverflowArea: Bool
    /// There was no room for manufacturer data or service data.
    private let isCut: Bool
    /// The name on the air, where it isn't the whole one.
    package private(set) var shortenedName: String?

    package init(_ request: AdvertisingRequest, _ profile: PhoneProfile, isInBackground: Bool = false) {
        var advertisement = ADBuilder(limit: min(3 + profile.advertisementRoom, 31))
        advertisement.appendFlags([.generalDiscoverable, .brEDRNotSupported])
        var services: [BluetoothUUID] = []
        for uuid in request.services where !services.contains(uuid) { services.append(uuid) }
        omitted = isInBackground ? services : advertisement.appendServices(services)
        isCut = !isInBackground && request.structures.contains { !advertisement.append($0.0, $0.1) }
        usesOverflowArea = profile.usesOverflowArea
        let overflows = !omitted.isEmpty && usesOverflowArea
        var response = ADBuilder(limit: overflows ? 31 : min(2 + profile.scanResponseNameRoom, 31))
        if overflows {
            let area = OverflowArea(omitted).manufacturerData
            if isInBackground {
                advertisement.append(.manufacturerSpecific, area)
            } else {
                response.append(.manufacturerSpecific, area)
            }
        }
        let name = isInBackground ? "" : request.localName ?? ""
        if !name.isEmpty {
            let length = name.utf8.count
            let goesFirst =
                length <= advertisement.room || length > response.room && advertisement.room >= response.room
            let isPlaced = goesFirst ? advertisement.appendName(name) : response.appendName(name)
            let placed = ADFields(goesFirst ? advertisement.octets : response.octets)
            if !isPlaced || placed.completeName == nil { shortenedName = placed.shortenedName ?? "" }
        }
        data = advertisement.octets
        scanResponse = response.octets
    }

    /// What was cut, for a person; nil = nothing.
    package func report(of request: AdvertisingRequest) -> String? {
        var cuts: [String] = []
        if let shortenedName, let name = request.localName {
            cuts.append("the name \"\(name)\" is shortened to \"\(shortenedName)\"")
        }
        if !omitted.isEmpty {
            let place = usesOverflowArea ? "services in the overflow area only: " : "services left out: "
            cuts.append(place + omitted.map(\.description).joined(separator: ", "))
        }
        if isCut { cuts.append("manufacturer data or service data left out") }
        return cuts.isEmpty ? nil : "the advertisement doesn't hold everything: " + cuts.joined(separator: "; ")
    }
}

extension AdvertisingRequest {
    /// The AD structures of what only a beacon advertises. [Vol 3, Part C, 11]
    fileprivate var structures: [(ADType, [UInt8])] {
        let company = manufacturerData.map { [(ADType.manufacturerSpecific, $0)] } ?? []
        return company
            + serviceData.map { data in
                let type: ADType =
                    switch data.uuid.width {
                    case .bits16: .serviceData16
                    case .bits32: .serviceData32
                    case .bits128: .serviceData128
                    }
                return (type, data.uuid.littleEndian + data.data)
            }
    }
}
