import BLEWire

extension RecordedDevice {
    /// What the client did, as the lines of a script for `ravning run`; empty where it did nothing that one can do.
    ///
    /// - Parameter name: what the device is called.
    package func script(connectingTo name: String) -> [String] {
        let names = attributeNames
        var lines: [String] = []
        var time = actions.first?.unixNanoseconds ?? 0
        for action in actions {
            guard let name = names[action.handle], let line = Self.line(action, name) else { continue }
            // Shorter than a person would notice: how long the answer before took.
            let milliseconds = (action.unixNanoseconds - time) / 1_000_000
            if milliseconds >= 100 { lines.append("wait \(milliseconds / 1000).\(Self.padded(milliseconds % 1000))") }
            time = action.unixNanoseconds
            lines.append(line)
        }
        guard !lines.isEmpty else { return [] }
        return ["connect \(Self.quoted(name))"] + lines + ["disconnect"]
    }

    private static func line(_ action: RecordedAction, _ name: String) -> String? {
        switch (action.kind, action.outcome) {
        case (.read, .value(let value)): "read \(name) --expect \(Self.hex(value))"
        case (.read, .error(let error)): "read \(name) --expect-error \(Hex.prefixed(error.rawValue))"
        case (.read, _): "read \(name)"
        case (.write(let value, true), .error(let error)):
            "write \(name) --hex \(Self.hex(value)) --expect-error \(Hex.prefixed(error.rawValue))"
        case (.write(let value, let withResponse), _):
            "write \(name) --hex \(Self.hex(value))" + (withResponse ? "" : " --without-response")
        // The Client Characteristic Configuration is the client's library's business.
        case (.subscribe, .done): "subscribe \(name) --background"
        case (.unsubscribe, .done): "unsubscribe \(name)"
        case (.subscribe, _), (.unsubscribe, _): nil
        }
    }

    private static func hex(_ octets: [UInt8]) -> String { octets.isEmpty ? "\"\"" : Hex.string(octets) }

    private static func padded(_ number: Int64) -> String {
        let text = String(number)
        return String(repeating: "0", count: 3 - text.count) + text
    }

    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:/".contains($0)) }
        return isPlain ? text : "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// What the attributes are called that a client uses: `SERVICE/CHARACTERISTIC`, with a number where there are several.
    private var attributeNames: [AttributeHandle: String] {
        var names: [AttributeHandle: String] = [:]
        var counts: [String: Int] = [:]
        for service in services where !service.isOfSystem {
            for one in service.characteristics {
                let path = "\(service.uuid)/\(one.uuid)"
                counts[path, default: 0] += 1
                let number = counts[path, default: 1]
                let name = number == 1 ? path : "\(path)#\(number)"
                names[one.valueHandle] = name
                for descriptor in one.descriptors where descriptor.uuid == BluetoothUUID(0x2902) {
                    names[descriptor.handle] = name
                }
            }
        }
        return names
    }
}
