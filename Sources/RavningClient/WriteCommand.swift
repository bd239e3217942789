import BLEValues
import BLEWire
import CommandLineKit
import CoreBluetooth

/// `ravning write`: a value for a characteristic.
let writeCommand = Command(
    .write, arguments: "DEVICE CHARACTERISTIC [HEX]", argumentCount: 2...3,
    options: [Option("text", value: "TEXT", help: "Write this text, as UTF-8")]
        + WrittenValue.types.map { type in
            Option(type, value: "N", help: "Write this number as \(type), little endian")
        } + [
            Option("file", value: "FILE", help: "Write what is in this file, in pieces where it has no room"),
            Option("without-response", short: "w", help: "Write without response"),
        ], run: runWrite)

@Sendable private func runWrite(_ options: ParsedOptions) throws {
    let name = try CharacteristicName(options.arguments[1])
    let octets = try value(options)
    let isFile = options.text("file") != nil
    let type: CBCharacteristicWriteType = options.has("without-response") ? .withoutResponse : .withResponse
    try Session.use(options) { session, peripheral in
        let characteristic = try session.characteristic(name, of: peripheral)
        let uuid = characteristic.uuid.uuidString
        let property: CBCharacteristicProperties = type == .withResponse ? .write : .writeWithoutResponse
        guard characteristic.properties.contains(property) else {
            let has = characteristic.propertyNames.joined(separator: ", ")
            let isOther = characteristic.properties.contains(.writeWithoutResponse) && type == .withResponse
            throw CommandError(
                .refused,
                "\(uuid) can't be written like this; it has: \(has)" + (isOther ? "; say --without-response" : ""))
        }
        let room = peripheral.maximumWriteValueLength(for: type)
        guard octets.count <= room || isFile else {
            throw CommandError(.other, "the value has \(octets.count) octets, and there is room for \(room)")
        }
        for start in stride(from: 0, to: max(1, octets.count), by: max(1, room)) {
            let piece = Array(octets[start..<min(start + room, octets.count)])
            if type == .withResponse {
                try session.write(piece, to: characteristic, of: peripheral)
            } else {
                try session.send(piece, to: characteristic, of: peripheral)
            }
        }
        if type == .withoutResponse { try session.settle(peripheral, characteristic) }
        try session.output.say(
            "wrote \(octets.count) octet\(octets.count == 1 ? "" : "s") to \(uuid)",
            .object([("event", .text("written"))] + characteristic.members + [("octets", .number(octets.count))]))
    }
}

/// The value that the command line says, in one of the ways.
private func value(_ options: ParsedOptions) throws -> [UInt8] {
    let ways = (["text", "file"] + WrittenValue.types).filter { options.text($0) != nil }
    guard ways.count + options.arguments.count - 2 == 1 else {
        throw UsageError("say what to write in one way: HEX, --text, --file, or a number such as --u16")
    }
    guard let way = ways.first, let text = options.text(way) else {
        guard let octets = WrittenValue.hexadecimal(options.arguments[2]) else {
            throw UsageError("\"\(options.arguments[2])\" isn't octets in hexadecimal")
        }
        return octets
    }
    switch way {
    case "text": return Array(text.utf8)
    case "file": return try DeviceFiles.contents(of: text)
    default:
        guard let octets = WrittenValue.number(text, as: way) else {
            throw UsageError("--\(way): \"\(text)\" is no such number")
        }
        return octets
    }
}
