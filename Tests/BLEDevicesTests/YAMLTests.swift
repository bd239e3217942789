import BLEDeviceFiles
import BLEDevices
import Testing

/// The tree that texts are read into, and what it is written as.
@Suite struct YAMLTests {
    private func read(_ text: String) throws -> DocumentNode { try YAML.read(Array(text.utf8)) }

    @Test func `a scalar stays the text that it is, and each node knows its place`() throws {
        let root = try read("a: 1800\nb:\n  - no\n  - \"x: y\"\n")
        guard case .mapping(let entries) = root.content else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map(\.key) == ["a", "b"])
        #expect(try entries[0].value.text() == "1800")
        #expect(entries[0].value.position == .init(line: 1, column: 4))
        let list = try entries[1].value.list()
        #expect(try list.map { try $0.text() } == ["no", "x: y"])
        #expect(list[1].position == .init(line: 4, column: 5))
    }

    @Test func `JSON is YAML`() throws {
        let root = try read(#"{"a": [1, "two\u00e9"], "b": null}"#)
        #expect(root.yaml == "a:\n  - 1\n  - \"twoé\"\nb: null\n")
    }

    @Test(arguments: [
        ("", "f:1:1: there is nothing in the text"),
        ("# only this\n", "f:1:1: there is nothing in the text"),
        ("a: [1", "f:2:1: did not find expected ',' or ']'"),
        ("a: 1\na: 2\n", "f:2:1: \"a\" stands here twice, expected each key once"),
        ("[1]: 2\n", "f:1:1: a key that is a list, expected a text"),
        ("a: 1\n---\nb: 2\n", "f:2:1: a second document, expected only one"),
        ("a: \u{0}", "f:1:1: control characters are not allowed at octet 3"),
        ("a: &x [*x]\n", "f:1:4: more than 60 levels"),
    ])
    func `what can't be read is told with its place`(text: String, complaint: String) {
        #expect(throws: DocumentError.self) { try read(text) }
        do {
            _ = try read(text)
        } catch let error as DocumentError {
            #expect(error.text(file: "f") == complaint)
        } catch { Issue.record("\(error)") }
    }

    @Test func `aliases of aliases don't fill the memory`() {
        var text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...8 {
            let before = level == 1 ? "a" : "a\(level - 1)"
            text +=
                "b\(level): &a\(level) [" + [String](repeating: "*\(before)", count: 10).joined(separator: ", ") + "]\n"
        }
        #expect(throws: DocumentError.self) { try read(text) }
    }

    @Test(arguments: [
        "plain", "two words", " space", "space ", "", "-", "- x", "-5", "a: b", "#x", "x #y", "\"", "\\", "\n", "\u{7}",
        "é",
        "[x]", "{", "*x", "&x", "!x", "%x", "@x", "`x", "'", "yy:MM", "null", "true", "~", "1e3", "\u{2028}x", "日本",
    ])
    func `a text that was written is read again as it was`(text: String) throws {
        let node = DocumentNode.object([
            ("block", .list([.text(text), .object([(text + "k", .text(text))])])),
            ("line", .object([("a", .list([.text(text)], isInline: true))], isInline: true)),
        ])
        let again = try read(node.yaml)
        #expect(
            again.yaml
                == DocumentNode.object([
                    ("block", .list([.text(text), .object([(text + "k", .text(text))])])),
                    ("line", .object([("a", .list([.text(text)]))])),
                ]).yaml)
    }
}
