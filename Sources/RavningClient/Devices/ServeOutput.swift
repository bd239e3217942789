import BLEDevices
import BLEValues
import BLEWire
import CommandLineKit
import CoreBluetooth
import Foundation

/// What `serve` says of what happens to the device.
struct ServeOutput {
    private let device: DeviceDescription
    private let output: Output
    /// The service and the characteristic, by the machine's number.
    private let uuids: [(service: String, characteristic: String)]

    init(_ device: DeviceDescription, _ output: Output) {
        self.device = device
        self.output = output
        uuids = device.services.flatMap { service in
            service.characteristics.map { (service.uuid.description, $0.uuid.description) }
        }
    }

    func began() throws {
        let advertisement = device.advertisement
        var text = "serving"
        if let name = advertisement.name { text += " \"\(name.printable)\"" }
        if !advertisement.services.isEmpty {
            text += "  services " + advertisement.services.map(\.description).joined(separator: ", ")
        }
        if advertisement.isSilent { text += "  not advertised" }
        if !advertisement.isConnectable { text += "  a beacon" }
        try output.say(
            text,
            .object([
                ("event", .text("serving")), ("name", advertisement.name.map(JSON.text)),
                ("services", .list(advertisement.services.map { .text($0.description) })),
                ("connectable", .flag(advertisement.isConnectable)),
            ]))
    }

    /// The radio is away.
    func went() throws { try output.say("the radio is away", .object([("event", .text("away"))])) }

    func subscribed(_ index: AttributeIndex, _ central: CBCentral, isOn: Bool) throws {
        let event = isOn ? "subscribed" : "unsubscribed"
        try output.say(
            "\(event) \(uuids[index].characteristic) by \(central.identifier)",
            .object([("event", .text(event))] + members(index) + [("central", .text(central.identifier.uuidString))]))
    }

    func received(_ index: AttributeIndex, _ octets: [UInt8], _ central: CBCentral, error: UInt8) throws {
        let value = ShownValue(octets, of: CBUUID(string: uuids[index].characteristic))
        let refusal = error == 0 ? nil : ErrorWords.text(error)
        try output.say(
            "received \(uuids[index].characteristic) from \(central.identifier): \(value.text)"
                + (refusal.map { "  refused: \($0)" } ?? ""),
            .object(
                [("event", .text("received"))] + members(index) + [("central", .text(central.identifier.uuidString))]
                    + value.members + [("error", refusal.map(JSON.text))]))
    }

    func said(_ text: String) throws {
        try output.say(text.printable, .object([("event", .text("said")), ("text", .text(text))]))
    }

    func failed(_ index: AttributeIndex, _ fault: DeviceFault) throws {
        let occasion = DeviceFault.words.first { $0.1 == fault.occasion }?.0 ?? ""
        let effect =
            switch fault.effect {
            case .error(let code): "error \(ErrorWords.text(code))"
            case .delay(let delay): "delay \(delay.milliseconds) ms"
            case .silence: "silent"
            case .disconnect: "disconnect"
            }
        try output.say(
            "fault on \(occasion) of \(uuids[index].characteristic): \(effect)",
            .object(
                [("event", .text("fault"))] + members(index) + [("on", .text(occasion)), ("does", .text(effect))]))
    }

    /// Values wait and none can be taken any more.
    func dropped(_ index: AttributeIndex) throws {
        try output.say(
            "dropped a value of \(uuids[index].characteristic): \(UpdateQueue.limit) wait already",
            .object([("event", .text("dropped"))] + members(index)))
    }

    private func members(_ index: AttributeIndex) -> [(String, JSON?)] {
        [("service", .text(uuids[index].service)), ("characteristic", .text(uuids[index].characteristic))]
    }
}
