import CommandLineKit
import CoreBluetooth

/// `ravning info`: what a device says about itself: its name, Device Information, battery.
let infoCommand = Command(.info, arguments: "DEVICE", argumentCount: 1...1) { options in
    try Session.use(options, mayPair: false) { session, peripheral in
        let services = try session.discover(peripheral)
        let name = peripheral.name
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        try session.output.say(
            "device \(peripheral.identifier.uuidString)" + (name.map { "  \"\($0.printable)\"" } ?? "")
                + "  longest write without response \(length)",
            .object([
                ("event", .text("device")), ("device", .text(peripheral.identifier.uuidString)),
                ("name", name.map(JSON.text)), ("maximumWriteWithoutResponse", .number(length)),
                ("services", .list(services.map { .text($0.uuid.uuidString) })),
            ]))
        for service in services where ["180A", "180F"].contains(service.uuid.uuidString) {
            for characteristic in service.characteristics ?? [] where characteristic.properties.contains(.read) {
                try session.tell(characteristic, peripheral)
            }
        }
    }
}

/// `ravning rssi`: the strength of a link.
let rssiCommand = Command(.rssi, arguments: "DEVICE", argumentCount: 1...1) { options in
    try Session.use(options) { session, peripheral in try session.showRSSI(peripheral) }
}

extension Session {
    /// Shows the strength of the link.
    func showRSSI(_ peripheral: CBPeripheral) throws {
        peripheral.readRSSI()
        let rssi: Int = try wait("the strength") { event in
            guard case .rssi(let rssi, let error) = event else { return nil }
            try Failure.check("reading the strength", error)
            return rssi
        }
        try output.say(
            "\(rssi) dBm",
            .object([
                ("event", .text("rssi")), ("device", .text(peripheral.identifier.uuidString)), ("rssi", .number(rssi)),
            ]))
    }

    /// A value by its name; one that is refused is left out.
    fileprivate func tell(_ characteristic: CBCharacteristic, _ peripheral: CBPeripheral) throws {
        let octets: [UInt8]
        do {
            octets = try read(characteristic, of: peripheral)
        } catch let error as CommandError where error.code == .refused {
            return
        }
        let uuid = characteristic.uuid.uuidString
        let value = ShownValue(octets, of: characteristic.uuid)
        try output.say(
            "\(Names.name(uuid) ?? uuid): \(value.text)",
            .object(
                [("event", .text("value"))] + characteristic.members + [("name", Names.name(uuid).map(JSON.text))]
                    + value.members))
    }
}
