import CommandLineKit
import CoreBluetooth
import Foundation
import Ravning

/// A device that was heard, with what it said.
struct Sighting: Sendable {
    let peripheral: CBPeripheral
    let name: String?
    let rssi: Int
    let isConnectable: Bool
    let fields: AdvertisedFields
    /// Of its periodic advertising.
    let interval: PeriodicInterval?

    init(_ peripheral: CBPeripheral, _ data: [String: Any], rssi: Int) {
        self.peripheral = peripheral
        self.rssi = rssi
        fields = AdvertisedFields(data)
        name = fields.name ?? peripheral.name
        isConnectable = (data[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue ?? false
        interval = (data[PeriodicAdvertising.intervalKey] as? NSNumber).map { PeriodicInterval($0.doubleValue) }
    }

    /// One line for a person.
    var text: String {
        var parts = [peripheral.identifier.uuidString, "\(rssi) dBm"]
        if let name { parts.append("\"\(name.printable)\"") }
        parts += fields.texts
        if let interval { parts.append("periodic \(interval.text)") }
        if !isConnectable { parts.append("not connectable") }
        return parts.joined(separator: "  ")
    }

    var json: JSON {
        .object(
            [
                ("event", .text("advertisement")), ("device", .text(peripheral.identifier.uuidString)),
                ("name", name.map(JSON.text)), ("rssi", .number(rssi)), ("connectable", .flag(isConnectable)),
            ] + fields.members + [("periodicInterval", interval?.json)])
    }
}

/// The interval of periodic advertising: whole numbers of 1.25 ms, so written in milliseconds with two places at most.
struct PeriodicInterval: Sendable {
    private let milliseconds: String

    /// - Parameter seconds: 0 to 81.91875.
    init(_ seconds: Double) {
        let hundredths = Int((min(max(seconds, 0), 100) * 100_000).rounded())
        let places = String(hundredths % 100 + 100).dropFirst()
        let shown = places.last == "0" ? places.dropLast() : places
        milliseconds = "\(hundredths / 100)" + (places == "00" ? "" : ".\(shown)")
    }

    /// `every 7.5 ms`
    var text: String { "every \(milliseconds) ms" }
    var json: JSON { .decimal(milliseconds) }
}
