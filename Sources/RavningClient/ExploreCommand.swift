import CommandLineKit
import CoreBluetooth

/// `ravning explore`: what a device has, as a tree.
let exploreCommand = Command(
    .explore, arguments: "DEVICE", argumentCount: 1...1,
    options: [Option("no-values", help: "Don't read the values")], run: runExplore)

@Sendable private func runExplore(_ options: ParsedOptions) throws {
    // Who only looks around isn't asked to pair: values that need it are shown as refused.
    try Session.use(options, mayPair: false) { session, peripheral in
        try session.explore(peripheral, reads: !options.has("no-values"))
    }
}

extension Session {
    /// Shows all that a device has.
    func explore(_ peripheral: CBPeripheral, reads: Bool = true) throws {
        for service in try discover(peripheral, descriptors: true) {
            let uuid = service.uuid.uuidString
            try output.say(
                "service \(Names.service(uuid))",
                .object([
                    ("event", .text("service")), ("service", .text(uuid)), ("name", Names.name(uuid).map(JSON.text)),
                ]))
            for characteristic in service.characteristics ?? [] {
                try explain(characteristic, peripheral, self, reads: reads)
            }
        }
    }
}

private func explain(
    _ characteristic: CBCharacteristic, _ peripheral: CBPeripheral, _ session: Session, reads: Bool
) throws {
    let uuid = characteristic.uuid.uuidString
    let properties = characteristic.propertyNames
    var text = "  characteristic \(Names.with(uuid)) [\(properties.joined(separator: ", "))]"
    var members: [(String, JSON?)] =
        [("event", .text("characteristic"))] + characteristic.members + [
            ("name", Names.name(uuid).map(JSON.text)), ("properties", .list(properties.map(JSON.text))),
        ]
    if reads, characteristic.properties.contains(.read) {
        do {
            let value = ShownValue(try session.read(characteristic, of: peripheral), of: characteristic.uuid)
            text += " = " + value.text
            members += value.members
        } catch let error as CommandError where error.code == .refused {
            text += " (\(error))"
            members.append(("error", .text(error.description)))
        }
    }
    try session.output.say(text, .object(members))
    for descriptor in characteristic.descriptors ?? [] {
        let uuid = descriptor.uuid.uuidString
        try session.output.say(
            "    descriptor \(Names.with(uuid))",
            .object(
                [("event", .text("descriptor"))] + characteristic.members + [
                    ("descriptor", .text(uuid)), ("name", Names.name(uuid).map(JSON.text)),
                ]))
    }
}
