import BLEDevices
import Foundation
import Testing

/// The schema for editors says what the reader reads.
@Suite struct SchemaTests {
    /// The keys of each of its parts.
    private static func schema() throws -> [String: Set<String>] {
        let path = devicesFolder.deletingLastPathComponent().appending(path: "Documentation/device.schema.json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any]
        let parts = try #require(object?["$defs"] as? [String: [String: Any]])
        return parts.compactMapValues { ($0["properties"] as? [String: Any]).map { Set($0.keys) } }
    }

    /// What the reader says that it knows where a key stands that it doesn't know.
    private func known(_ text: String) throws -> Set<String> {
        let told = try #require(complaint(text), "\(text)")
        try #require(told.contains("\"zzz\" has no meaning here"), "\(told)")
        let end = try #require(told.range(of: "expected one of "), "\(told)")
        let list = told[end.upperBound...]
        return Set(list.split(separator: ", ").map(String.init))
    }

    private func characteristic(_ text: String) -> String {
        file("properties: [read, write, notify]\n" + text)
    }

    @Test func `every key of the reader is in the schema, and the other way round`() throws {
        var texts: [String: [String]] = [
            "device": ["zzz: 1"], "advertisement": ["advertisement: {zzz: 1}"],
            "beacon": ["advertisement: {beacon: {zzz: 1}}"],
            "manufacturer-data": [
                "advertisement: {beacon: {manufacturer-data: {company: 1, value: {hex: 00}, zzz: 1}}}"
            ],
            "service-data": ["advertisement: {beacon: {service-data: [{service: FEAA, value: {hex: 00}, zzz: 1}]}}"],
            "service": ["services: [{uuid: FFF0, zzz: 1}]"], "characteristic": [characteristic("zzz: 1")],
            "descriptor": [
                characteristic("descriptors: [{uuid: 2904, format: u8, zzz: 1}]"),
                characteristic("descriptors: [{uuid: 2901, value: {text: a}, zzz: 1}]"),
            ],
            "texts": [characteristic("value: {text: {sequence: [a], zzz: 1}}")],
            "sequence": [characteristic("sequence: {steps: [], zzz: 1}")],
            "step": [characteristic("sequence: {steps: [{after: 1 s, value: {hex: 00}, zzz: 1}]}")],
            "rule": [characteristic("writes: [{zzz: 1}]")],
            "later": [characteristic("writes: [{set: {value: {hex: 00}, zzz: 1}}]")],
            "fault": [characteristic("faults: [{on: read, silent: yes, zzz: 1}]")],
        ]
        texts["match"] = ["equals: {hex: 00}", "begins: {hex: 00}", "octets: 1", "number: [1, 2], type: u8"].map {
            characteristic("writes: [{match: {\($0), zzz: 1}}]")
        }
        texts["course"] = [
            "around: 1", "sequence: [1]", "ramp: [1, 2]", "walk: 1, by: 1, within: [0, 2]",
            "follow: FFF1, from: 1, by: 0.5",
        ].map { characteristic("value: {u8: {\($0), zzz: 1}}") }
        texts["part"] =
            (["hex: 00", "text: a", "time: HH", "value-of: FFF1"] + NumberType.allCases.map { "\($0.rawValue): 1" })
            .map { characteristic("value: {\($0), zzz: 1}") }
            + [characteristic("writes: [{set: {written: all, zzz: 1}}]")]
        let schema = try Self.schema()
        #expect(Set(schema.keys) == Set(texts.keys))
        for (part, texts) in texts {
            var all = try texts.map(known).reduce(Set<String>()) { $0.union($1) }
            // The reader asks for it before it knows whether it's one of the plain values, which stand alone.
            if part == "part" { all.remove("value") }
            #expect(all == schema[part], "\(part): \(all.symmetricDifference(schema[part] ?? []))")
        }
    }
}
