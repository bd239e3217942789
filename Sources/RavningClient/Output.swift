import BLEValues
import BLEWire
import CommandLineKit
import CoreBluetooth
import Foundation

/// Standard output: a line for a person, or an object for a program.
struct Output {
    let isJSON: Bool

    init(_ options: ParsedOptions) { isJSON = options.has("json") }

    /// One of the two.
    func say(_ text: @autoclosure () -> String, _ json: @autoclosure () -> JSON) throws {
        guard printLine(isJSON ? json().line : text()) else { throw OutputClosed() }
    }
}

/// UUIDs with the names that they have been assigned.
enum Names {
    static func service(_ uuid: String) -> String { with(uuid) }
    /// `2A19 Battery Level`
    static func with(_ uuid: String) -> String { name(uuid).map { "\(uuid) \($0)" } ?? uuid }
    static func name(_ uuid: String) -> String? { short(uuid).flatMap(AssignedNumbers.name(ofUUID:)) }
    static func short(_ uuid: String) -> UInt16? { uuid.count == 4 ? UInt16(uuid, radix: 16) : nil }
}

extension DecodedField {
    var json: JSON {
        let value: JSON =
            switch self.value {
            case .number(let number): .decimal(number)
            case .text(let text): .text(text)
            }
        return .object([
            ("name", name.isEmpty ? nil : .text(name)), ("value", value), ("unit", unit.isEmpty ? nil : .text(unit)),
        ])
    }
}

/// A value of a characteristic as it is shown: in hexadecimal, as text where it is some, decoded where its layout is known.
struct ShownValue {
    let octets: [UInt8]
    let decoded: DecodedValue?

    init(_ octets: [UInt8], of characteristic: CBUUID) {
        self.octets = octets
        decoded = Names.short(characteristic.uuidString).flatMap(ValueLayout.of).map { $0.decode(octets) }
    }

    /// The numbers that it says, in the order of its fields.
    var numbers: [Double] {
        (decoded?.fields ?? []).compactMap { field in
            guard case .number(let text) = field.value else { return nil }
            return Double(text)
        }
    }

    /// Nil where there is anything in it that can't be printed.
    private var characters: String? {
        guard !octets.isEmpty, let text = String(validating: octets, as: UTF8.self) else { return nil }
        return text == text.printable ? text : nil
    }

    /// `00 3D  Heart Rate Measurement Value 61 bpm`
    var text: String {
        var parts = [octets.isEmpty ? "(empty)" : Hex.string(octets, separator: " ")]
        if let decoded, !decoded.text.isEmpty {
            parts.append(decoded.text.printable)
        } else if let characters {
            parts.append("\"\(characters)\"")
        }
        return parts.joined(separator: "  ")
    }

    /// The members that say the value.
    var members: [(String, JSON?)] {
        [
            ("hex", .text(Hex.string(octets))), ("text", characters.map(JSON.text)),
            ("decoded", decoded.map { .list($0.fields.map(\.json)) }),
            ("problem", decoded?.problem.map(JSON.text)),
        ]
    }
}
