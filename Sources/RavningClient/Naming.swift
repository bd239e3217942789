import BLEValues
import BLEWire
import CommandLineKit
import CoreBluetooth
import Foundation

/// What a command line calls a device: its identifier, four digits or more of the beginning of that, or its name.
struct DeviceName {
    let text: String
    /// Where the text is a whole identifier.
    let identifier: UUID?

    init(_ text: String) {
        self.text = text
        identifier = UUID(uuidString: text)
    }

    func matches(_ sighting: Sighting) -> Bool {
        matches(identifier: sighting.peripheral.identifier, name: sighting.name)
    }

    func matches(identifier: UUID, name: String?) -> Bool {
        let isPrefix = text.count >= 4 && identifier.uuidString.hasPrefix(text.uppercased())
        return isPrefix || name == text
    }
}

/// What a command line calls a characteristic: `[SERVICE/]CHARACTERISTIC[#N]`, UUIDs or assigned names, and a number
/// from 1 on where there are several.
struct CharacteristicName {
    let text: String
    private let service: CBUUID?
    private let characteristic: CBUUID
    private let number: Int?

    init(_ text: String) throws {
        self.text = text
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(path.count) else { throw UsageError("\"\(text)\" has more than one slash") }
        service = path.count == 2 ? try CBUUID(written: path[0], as: .service) : nil
        characteristic = try CBUUID(written: path[path.count - 1], as: .characteristic)
        guard parts.count == 2 else {
            number = nil
            return
        }
        guard let number = Int(parts[1]), number > 0 else {
            throw UsageError("\"#\(parts[1])\" is no number from 1 on")
        }
        self.number = number
    }

    /// The one that is meant, among those of a device.
    func choose(from services: [CBService]) throws -> CBCharacteristic {
        let found = services.filter { service == nil || $0.uuid == service }
            .flatMap { $0.characteristics ?? [] }.filter { $0.uuid == characteristic }
        let index = (number ?? 1) - 1
        guard index < found.count else {
            throw CommandError(
                .notFound, found.isEmpty ? "the device has no characteristic \(text)" : "there are only \(found.count)")
        }
        if number == nil, found.count > 1 {
            throw UsageError("the device has \(found.count) of \(text): say which one by #1 to #\(found.count)")
        }
        return found[index]
    }
}

extension CBUUID {
    /// From 4 or 8 hexadecimal digits, or 32 with hyphens; or from a name that has been assigned to one UUID of the kind.
    convenience init(written text: some StringProtocol, as kind: AssignedNumbers.NamedKind) throws {
        let isShort = [4, 8].contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
        if isShort || UUID(uuidString: String(text)) != nil {
            self.init(string: String(text))
            return
        }
        let named = AssignedNumbers.uuids(of: kind, named: text)
        guard let first = named.first else {
            throw UsageError(
                "\"\(text)\" is no UUID and no assigned name: write 4, 8 or 32 hexadecimal digits, the last with hyphens"
            )
        }
        guard named.count == 1 else {
            throw UsageError("\"\(text)\" may be any of " + named.map { Hex.number($0) }.joined(separator: ", "))
        }
        self.init(string: Hex.number(first))
    }
}
