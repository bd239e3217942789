import BLEValues
import CommandLineKit
import CoreBluetooth
import Foundation

/// `ravning scan`: who advertises.
let scanCommand = Command(
    .scan,
    options: [
        Option("for", short: "f", value: "S", help: "End after so many seconds (default: with Ctrl-C)"),
        Option("once", short: "1", help: "End with the first device that passes; wait as long as --for, or --timeout"),
        Option("service", short: "s", value: "UUID", help: "Only devices that advertise this service"),
        Option("name", short: "n", value: "TEXT", help: "Only devices with this in their name"),
        Option("rssi", short: "r", value: "DBM", help: "Only devices received at least so strongly, such as -70"),
        Option("company", short: "c", value: "ID", help: "Only data of this company, such as 76 or 0x004C"),
        Option("duplicates", short: "d", help: "Each advertisement, not only the first one of a device"),
    ], run: runScan)

@Sendable private func runScan(_ options: ParsedOptions) throws {
    let filter = try ScanFilter(options)
    let isOnce = options.has("once")
    let duration = try options.seconds("for") ?? (isOnce ? options.seconds("timeout") ?? 10 : nil)
    let session = try Session(options)
    session.manager.scanForPeripherals(
        withServices: filter.service.map { [$0] },
        options: [CBCentralManagerScanOptionAllowDuplicatesKey: options.has("duplicates")])
    defer { session.manager.stopScan() }
    var isAny = false
    let _: Void? = try session.waitIfAny(within: duration) { event in
        guard case .sighting(let sighting) = event, filter.passes(sighting) else { return nil }
        isAny = true
        try session.output.say(sighting.text, sighting.json)
        return isOnce ? () : nil
    }
    if !isAny { throw CommandError(.notFound, "no such device was heard") }
}

/// Which devices are shown.
private struct ScanFilter {
    let service: CBUUID?
    private let name: String?
    private let rssi: Int?
    private let company: UInt16?

    init(_ options: ParsedOptions) throws {
        service = try options.text("service").map { try CBUUID(written: $0, as: .service) }
        name = options.text("name")?.lowercased()
        rssi = try options.number("rssi", in: -127...20)
        guard let text = options.text("company") else {
            company = nil
            return
        }
        let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
        guard let number else { throw UsageError("--company: \"\(text)\" is no number from 0 to 65535") }
        company = number
    }

    func passes(_ sighting: Sighting) -> Bool {
        if let name, sighting.name?.lowercased().contains(name) != true { return false }
        // 127 stands for a strength that isn't known. [Vol 4, Part E, 7.7.65.2]
        if let rssi, sighting.rssi < rssi || sighting.rssi == 127 { return false }
        if let company, sighting.fields.company != company { return false }
        return true
    }
}
