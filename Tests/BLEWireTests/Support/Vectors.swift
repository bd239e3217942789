import BLEWire
import Foundation
import Testing

/// The published vectors in `Tests/Vectors/vectors.json`.
enum Vectors {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Vectors")

    /// A table of codes and their names.
    static func table(_ name: String) throws -> [(code: Int, name: String)] {
        let data = try Data(contentsOf: folder.appending(path: "vectors.json"))
        let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let tables = whole?["tables"] as? [String: [String: String]]
        let entries = (tables?[name] ?? [:]).compactMap { key, name in
            Int(key, radix: 16).map { (code: $0, name: name) }
        }
        return entries.sorted { $0.code < $1.code }
    }
}

/// One paragraph of a `.vec` file: a PDU, its octets, and the values of its fields.
struct VectorRecord: Sendable, CustomTestStringConvertible {
    var file: String
    var name: String
    var octets: [UInt8]
    var fields: [String]
    var testDescription: String { "\(file): \(name)" }

    /// The records of all files in a folder of `Tests/Vectors`.
    static func all(in layer: String) -> [VectorRecord] {
        let folder = Vectors.folder.appending(path: layer)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { $0.hasSuffix(".vec") }.sorted().flatMap { name in
            let text = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
            return text.components(separatedBy: "\n\n").compactMap { VectorRecord($0, file: name) }
        }
    }

    private init?(_ paragraph: String, file: String) {
        let lines = paragraph.split(separator: "\n").filter { !$0.hasPrefix("#") }
        guard let head = lines.first, let colon = head.lastIndex(of: ":") else { return nil }
        self.file = file
        name = String(head[..<colon])
        octets = Hex.octets(head[head.index(after: colon)...]) ?? []
        fields = lines.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
