import Foundation

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
