import BLEWire

extension DocumentNode {
    /// The text of the node in YAML, readable again as it is.
    package var yaml: String {
        var text = ""
        write(into: &text, indent: 0)
        return text
    }

    private func write(into text: inout String, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        switch content {
        case .sequence(let nodes) where !isInline && !nodes.isEmpty:
            for node in nodes {
                text += margin + "-"
                node.writeValue(into: &text, indent: indent, isItem: true)
            }
        case .mapping(let entries) where !isInline && !entries.isEmpty:
            for entry in entries {
                text += margin + Self.scalar(entry.key) + ":"
                entry.value.writeValue(into: &text, indent: indent, isItem: false)
            }
        default: text += margin + line + "\n"
        }
    }

    /// Writes what is behind a hyphen or a key.
    private func writeValue(into text: inout String, indent: Int, isItem: Bool) {
        let isBlock =
            switch content {
            case .scalar: false
            case .sequence(let nodes): !isInline && !nodes.isEmpty
            case .mapping(let entries): !isInline && !entries.isEmpty
            }
        guard isBlock else {
            text += " " + line + "\n"
            return
        }
        guard isItem, case .mapping = content else {
            text += "\n"
            return write(into: &text, indent: indent + 2)
        }
        // The first key of an item stands behind its hyphen.
        var block = ""
        write(into: &block, indent: indent + 2)
        text += " " + block.dropFirst(indent + 2)
    }

    private var line: String {
        switch content {
        case .scalar(let text): Self.scalar(text)
        case .sequence(let nodes): "[" + nodes.map(\.line).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { Self.scalar($0.key) + ": " + $0.value.line }.joined(separator: ", ") + "}"
        }
    }

    /// Plain where nothing in it means something to YAML, else in double quotes. (YAML 1.1, 5.3 and 5.7)
    private static func scalar(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: " -+._/()".utf8.contains(octet)
            }
        }
        let starts = text.utf8.first.map { !" -".utf8.contains($0) } ?? false
        let isNegative = text.hasPrefix("-") && text.dropFirst().first?.isNumber == true
        if isPlain, starts || isNegative, text.utf8.last != UInt8(ascii: " ") { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.properties.generalCategory == .control:
                quoted += "\\u" + Hex.number(UInt16(scalar.value))
            case "\u{FEFF}", "\u{2028}", "\u{2029}": quoted += "\\u" + Hex.number(UInt16(scalar.value))
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
