import Foundation

/// What the driver wants done: one line of JSON, `{"do": VERB, …}`.
struct Order {
    let fields: [String: Any]

    var verb: String { fields["do"] as? String ?? "" }
    func text(_ key: String) -> String { fields[key] as? String ?? "" }
    func texts(_ key: String) -> [String] { fields[key] as? [String] ?? [] }
    func number(_ key: String) -> Int { fields[key] as? Int ?? 0 }
    func flag(_ key: String) -> Bool { fields[key] as? Bool ?? false }
    func orders(_ key: String) -> [Order] { (fields[key] as? [[String: Any]] ?? []).map(Order.init) }
    /// Octets in hexadecimal; nil where there are none.
    func octets(_ key: String) -> Data? { (fields[key] as? String).flatMap(Data.init(hexadecimal:)) }
}

/// One of the two ends.
protocol Role {
    /// Whether the order is one of this role's.
    func perform(_ order: Order) -> Bool
}

enum Lines {
    /// Hands over each line of standard input on the main queue, then nil at its end.
    static func read(_ handle: @escaping (Order?) -> Void) {
        Thread.detachNewThread {
            while let line = readLine(strippingNewline: true) {
                let fields = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
                DispatchQueue.main.async { handle(Order(fields: fields ?? [:])) }
            }
            DispatchQueue.main.async { handle(nil) }
        }
    }
}

/// Says what has happened: one line of JSON, `{"event": NAME, …}`, with the error where there is one.
func say(_ event: String, _ fields: [String: Any] = [:], _ error: Error? = nil) {
    var fields = fields
    fields["event"] = event
    if let error = error as NSError? {
        fields["error"] = ["domain": error.domain, "code": error.code, "text": error.localizedDescription]
    }
    let line = (try? JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)) ?? Data("{}".utf8)
    FileHandle.standardOutput.write(line + Data("\n".utf8))
}

extension Data {
    init?(hexadecimal text: String) {
        var octets: [UInt8] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard rest.count > 1, let octet = UInt8(rest.prefix(2), radix: 16) else { return nil }
            octets.append(octet)
            rest = rest.dropFirst(2)
        }
        self.init(octets)
    }

    var hexadecimal: String {
        map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }
}
