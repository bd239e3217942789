/// A value of JSON, written in one line with its keys in the order given: for output that stays the same. (RFC 8259)
package indirect enum JSON: Sendable {
    case text(String)
    /// A number, written out.
    case decimal(String)
    case number(Int)
    case flag(Bool)
    case list([JSON])
    /// Keys without a value are left out.
    case object([(String, JSON?)])

    package var line: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .decimal(let number): number
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let list): "[" + list.map(\.line).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.compactMap { key, value in value.map { Self.quoted(key) + ":" + $0.line } }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension String {
    /// The text with control characters written out: what another device calls itself must not steer a terminal.
    package var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
