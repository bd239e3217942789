import BLEValues
import BLEWire
import CommandLineKit
import CoreBluetooth
import Foundation

/// What advertising data says, field by field, as it is shown.
struct AdvertisedFields: Sendable {
    let name: String?
    let services: [String]
    let manufacturerData: [UInt8]?
    /// By their UUIDs, in the order of these.
    let serviceData: [(uuid: String, data: [UInt8])]
    let power: Int?

    init(_ data: [String: Any]) {
        name = data[CBAdvertisementDataLocalNameKey] as? String
        services = (data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []).map(\.uuidString)
        manufacturerData = (data[CBAdvertisementDataManufacturerDataKey] as? Data).map { Array($0) }
        serviceData = (data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] ?? [:])
            .map { ($0.key.uuidString, Array($0.value)) }.sorted { $0.0 < $1.0 }
        power = (data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber)?.intValue
    }

    var company: UInt16? { manufacturerData.flatMap(ManufacturerData.company(of:)) }

    /// What is known of the form of its data.
    private var decoded: DecodedValue? {
        if let decoded = manufacturerData.flatMap(ManufacturerData.decode) { return decoded }
        for item in serviceData {
            guard let service = Names.short(item.uuid) else { continue }
            if let decoded = ServiceData.decode(service: service, item.data) { return decoded }
        }
        return nil
    }

    /// For a person, without the name.
    var texts: [String] {
        var parts: [String] = []
        if !services.isEmpty { parts.append("services " + services.map(Names.service).joined(separator: ", ")) }
        if let power { parts.append("power \(power) dBm") }
        if let manufacturerData {
            let name = company.flatMap(AssignedNumbers.name(ofCompany:)).map { " (\($0))" } ?? ""
            parts.append("manufacturer " + Hex.string(manufacturerData) + name)
        }
        for item in serviceData { parts.append("data of \(Names.service(item.uuid)) \(Hex.string(item.data))") }
        if let decoded { parts.append(decoded.text.printable) }
        return parts
    }

    /// The members that say them, without the name.
    var members: [(String, JSON?)] {
        [
            ("services", .list(services.map(JSON.text))), ("power", power.map(JSON.number)),
            ("manufacturerData", manufacturerData.map { .text(Hex.string($0)) }),
            ("company", company.map { .number(Int($0)) }),
            ("companyName", company.flatMap(AssignedNumbers.name(ofCompany:)).map(JSON.text)),
            (
                "serviceData",
                serviceData.isEmpty
                    ? nil
                    : .list(
                        serviceData.map { .object([("service", .text($0.uuid)), ("hex", .text(Hex.string($0.data)))]) })
            ),
            ("decoded", decoded.map { .list($0.fields.map(\.json)) }), ("problem", decoded?.problem.map(JSON.text)),
        ]
    }
}
