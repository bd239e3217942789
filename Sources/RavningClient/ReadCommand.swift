import CommandLineKit
import CoreBluetooth

/// `ravning read`: the value of a characteristic.
let readCommand = Command(.read, arguments: "DEVICE CHARACTERISTIC", argumentCount: 2...2) { options in
    let name = try CharacteristicName(options.arguments[1])
    try Session.use(options) { session, peripheral in
        let characteristic = try session.characteristic(name, of: peripheral)
        try session.show(try session.read(characteristic, of: peripheral), of: characteristic)
    }
}

/// `ravning subscribe`: the values of a characteristic as they come.
let subscribeCommand = Command(
    .subscribe, arguments: "DEVICE CHARACTERISTIC", argumentCount: 2...2,
    options: [
        Option("count", short: "n", value: "N", help: "End after so many values"),
        Option("for", short: "f", value: "S", help: "End after so many seconds (default: with Ctrl-C)"),
        Option("chart", short: "c", help: "Draw the values as a chart, on a terminal"),
    ], run: runSubscribe)

@Sendable private func runSubscribe(_ options: ParsedOptions) throws {
    let name = try CharacteristicName(options.arguments[1])
    let count = try options.number("count", in: 1...Int.max)
    let duration = try options.seconds("for")
    try Session.use(options) { session, peripheral in
        let characteristic = try session.characteristic(name, of: peripheral)
        var shown = 0
        var chart = options.has("chart") && !session.output.isJSON ? ValueChart() : nil
        func show(_ value: [UInt8]) throws -> Void? {
            if let lines = chart?.lines(value, of: characteristic.uuid) {
                guard printLine(lines) else { throw OutputClosed() }
            } else {
                try session.show(value, of: characteristic)
            }
            shown += 1
            return shown == count ? () : nil
        }
        for value in try session.subscribe(to: characteristic, of: peripheral) where try show(value) != nil { return }
        let end: Void? = try session.waitIfAny(within: duration) { event in
            guard case .value(let updated, let value, nil) = event, updated === characteristic else { return nil }
            return try show(Array(value))
        }
        if end == nil, shown == 0 || count != nil {
            throw CommandError(
                .timedOut, shown == 0 ? "no value came" : "only \(shown) of \(count ?? shown) values came")
        }
    }
}

extension Session {
    func show(_ value: [UInt8], of characteristic: CBCharacteristic) throws {
        let value = ShownValue(value, of: characteristic.uuid)
        try output.say(value.text, .object([("event", .text("value"))] + characteristic.members + value.members))
    }
}
