import BLEWire
import CommandLineKit
import CoreBluetooth
import Foundation
import Ravning

/// `ravning follow`: the data of a device's periodic advertising as it comes.
let followCommand = Command(
    .follow, arguments: "DEVICE", argumentCount: 1...1,
    options: [
        Option("count", short: "n", value: "N", help: "End after so many lines of data"),
        Option("for", short: "f", value: "S", help: "End after so many seconds (default: with Ctrl-C)"),
        Option("duplicates", short: "d", help: "Each event of the train, not only data that is new"),
        Option("set", short: "s", value: "N", help: "The advertising set, 0 to 15 (default: the first with a train)"),
        Option("skip", short: "k", value: "N", help: "Leave out so many events after each one, to save energy"),
    ], run: runFollow)

@Sendable private func runFollow(_ options: ParsedOptions) throws {
    let count = try options.number("count", in: 1...Int.max)
    let duration = try options.seconds("for")
    let set = try options.number("set", in: 0...15)
    let skip = try options.number("skip", in: 0...499) ?? 0
    let session = try Session(options)
    let peripheral = try session.find(DeviceName(options.arguments[0]))
    let follower = Follower(session.inbox)
    let train = session.manager.followPeriodicAdvertising(of: peripheral, set: set, skip: skip, delegate: follower)
    defer { train.stop() }
    let isFollowing: Void? = try session.waitIfAny(within: session.patience) { event in
        switch event {
        case .following: return ()
        case .notFollowing(let error): throw Follower.failure(error)
        default: return nil
        }
    }
    guard isFollowing != nil else {
        throw CommandError(.notFound, "no periodic advertising of \(options.arguments[0]) was heard")
    }
    try session.output.say(train.text, train.json)
    var shown = 0
    var last: Data?
    let end: Void? = try session.waitIfAny(within: duration) { event in
        switch event {
        case .notFollowing(let error): throw Follower.failure(error)
        case .periodic(let report):
            if !options.has("duplicates"), report.isComplete, report.data == last { return nil }
            last = report.isComplete ? report.data : nil
            let line = FollowedData(report)
            try session.output.say(line.text, line.json)
            shown += 1
            return shown == count ? () : nil
        default: return nil
        }
    }
    if end == nil, shown == 0 || count != nil {
        throw CommandError(.timedOut, shown == 0 ? "no data came" : "only \(shown) of \(count ?? shown) lines came")
    }
}

/// Puts what is told of a train into the inbox.
private final class Follower: PeriodicAdvertisingDelegate, Sendable {
    private let inbox: Inbox

    init(_ inbox: Inbox) { self.inbox = inbox }

    func periodicAdvertisingDidStart(_ advertising: PeriodicAdvertising) { inbox.put(.following) }

    func periodicAdvertising(_ advertising: PeriodicAdvertising, didReceive report: PeriodicAdvertisingReport) {
        inbox.put(.periodic(report))
    }

    func periodicAdvertising(_ advertising: PeriodicAdvertising, didEndWith error: PeriodicAdvertisingError) {
        inbox.put(.notFollowing(error))
    }

    static func failure(_ error: PeriodicAdvertisingError) -> CommandError {
        switch error.code {
        case .notSupported, .notPoweredOn:
            CommandError(.noAdapter, "periodic advertising can't be followed: \(error.description.printable)")
        case .lost: CommandError(.other, "the periodic advertising is lost: \(error.description.printable)")
        default: CommandError(.other, "following: \(error.description.printable)")
        }
    }
}

extension PeriodicAdvertising {
    private var shownInterval: PeriodicInterval? { interval.map { PeriodicInterval($0) } }

    /// `following 07AE37E8-…  "Sensor"  set 5  every 100 ms  1M`
    fileprivate var text: String {
        var parts = ["following \(peripheral.identifier.uuidString)"]
        if let name = peripheral.name { parts.append("\"\(name.printable)\"") }
        if let set { parts.append("set \(set)") }
        if let shownInterval { parts.append(shownInterval.text) }
        if let phy { parts.append(phy.rawValue) }
        return parts.joined(separator: "  ")
    }

    fileprivate var json: JSON {
        .object([
            ("event", .text("following")), ("device", .text(peripheral.identifier.uuidString)),
            ("name", peripheral.name.map(JSON.text)), ("set", set.map(JSON.number)),
            ("periodicInterval", shownInterval?.json), ("phy", phy.map { .text($0.rawValue) }),
        ])
    }
}

/// Data of a train as it is shown: in fields where it has some, and all of it in hexadecimal where not.
private struct FollowedData {
    let report: PeriodicAdvertisingReport
    private let fields: AdvertisedFields

    init(_ report: PeriodicAdvertisingReport) {
        self.report = report
        fields = AdvertisedFields(report.advertisementData)
    }

    private var hex: String { Hex.string(Array(report.data)) }

    var text: String {
        var parts = [report.rssi.map { "\($0) dBm" } ?? "? dBm"]
        if let name = fields.name { parts.append("\"\(name.printable)\"") }
        let texts = fields.texts
        parts += texts
        if fields.name == nil, texts.isEmpty { parts.append(report.data.isEmpty ? "(empty)" : "data " + hex) }
        if !report.isComplete { parts.append("cut") }
        return parts.joined(separator: "  ")
    }

    var json: JSON {
        .object(
            [
                ("event", .text("periodic")), ("rssi", .number(report.rssi ?? 127)),
                ("complete", .flag(report.isComplete)), ("hex", .text(hex)), ("name", fields.name.map(JSON.text)),
            ] + fields.members)
    }
}
