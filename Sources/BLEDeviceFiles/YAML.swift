package import BLEDevices
import CYAML

/// Reads YAML, and with it JSON, by libyaml.
package enum YAML {
    /// So many nodes at most, those counted again that an alias repeats.
    private static let nodeLimit = 200_000
    private static let depthLimit = 60
    /// So many octets at most.
    package static let sizeLimit = 8 << 20

    /// The one document of a text.
    package static func read(_ text: [UInt8]) throws(DocumentError) -> DocumentNode {
        guard !text.isEmpty else { throw nothing }
        guard text.count <= sizeLimit else {
            throw DocumentError(
                .init(line: 1, column: 1), "a text of \(text.count) octets", expected: "at most \(sizeLimit)")
        }
        do {
            return try text.withUnsafeBufferPointer { try read($0) }
        } catch let error as DocumentError {
            throw error
        } catch {
            throw DocumentError(.init(line: 1, column: 1), "\(error)")
        }
    }

    private static func read(_ text: UnsafeBufferPointer<UInt8>) throws -> DocumentNode {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else {
            throw DocumentError(.init(line: 1, column: 1), "there is no memory to read the text with")
        }
        defer { yaml_parser_delete(&parser) }
        yaml_parser_set_input_string(&parser, text.baseAddress, text.count)
        var document = yaml_document_t()
        guard yaml_parser_load(&parser, &document) == 1 else { throw problem(parser) }
        defer { yaml_document_delete(&document) }
        guard yaml_document_get_root_node(&document) != nil else { throw nothing }
        var conversion = Conversion(document: document, room: nodeLimit)
        let root = try conversion.node(1, depth: 0)
        var second = yaml_document_t()
        guard yaml_parser_load(&parser, &second) == 1 else { throw problem(parser) }
        defer { yaml_document_delete(&second) }
        if yaml_document_get_root_node(&second) != nil {
            throw DocumentError(position(second.start_mark), "a second document", expected: "only one")
        }
        return root
    }

    private static var nothing: DocumentError {
        DocumentError(.init(line: 1, column: 1), "there is nothing in the text")
    }

    private static func problem(_ parser: yaml_parser_t) -> DocumentError {
        let text = parser.problem.map { String(cString: $0) } ?? "this is no YAML"
        // What isn't text is told by its offset only.
        if parser.error == YAML_READER_ERROR {
            return DocumentError(.init(line: 1, column: 1), "\(text) at octet \(parser.problem_offset)")
        }
        return DocumentError(position(parser.problem_mark), text)
    }

    fileprivate static func position(_ mark: yaml_mark_t) -> DocumentNode.Position {
        .init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    /// A document of libyaml's on its way to a tree of ours. An alias stands for what it names, as far as there is room: a
    /// short text of aliases to aliases could fill any memory.
    private struct Conversion {
        var document: yaml_document_t
        var room: Int

        mutating func node(_ index: Int32, depth: Int) throws(DocumentError) -> DocumentNode {
            guard let node = yaml_document_get_node(&document, index)?.pointee else {
                throw DocumentError(.init(line: 1, column: 1), "a node is missing")
            }
            let position = YAML.position(node.start_mark)
            room -= 1
            guard room > 0 else { throw DocumentError(position, "more than \(nodeLimit) nodes") }
            guard depth < depthLimit else { throw DocumentError(position, "more than \(depthLimit) levels") }
            switch node.type {
            case YAML_SEQUENCE_NODE:
                var nodes: [DocumentNode] = []
                var item = node.data.sequence.items.start
                while let current = item, current != node.data.sequence.items.top {
                    nodes.append(try self.node(current.pointee, depth: depth + 1))
                    item = current + 1
                }
                return DocumentNode(.sequence(nodes), at: position)
            case YAML_MAPPING_NODE:
                var entries: [DocumentNode.Entry] = []
                var names: Set<String> = []
                var pair = node.data.mapping.pairs.start
                while let current = pair, current != node.data.mapping.pairs.top {
                    entries.append(try entry(current.pointee, &names, depth: depth + 1))
                    pair = current + 1
                }
                return DocumentNode(.mapping(entries), at: position)
            default:
                let octets = UnsafeBufferPointer(start: node.data.scalar.value, count: node.data.scalar.length)
                return DocumentNode(.scalar(String(decoding: octets, as: UTF8.self)), at: position)
            }
        }

        private mutating func entry(
            _ pair: yaml_node_pair_t, _ names: inout Set<String>, depth: Int
        ) throws(DocumentError) -> DocumentNode.Entry {
            let key = try node(pair.key, depth: depth)
            guard case .scalar(let name) = key.content else {
                throw DocumentError(key.position, "a key that is \(key.kind)", expected: "a text")
            }
            guard names.insert(name).inserted else {
                throw DocumentError(key.position, "\"\(name)\" stands here twice", expected: "each key once")
            }
            return DocumentNode.Entry(name, try node(pair.value, depth: depth), at: key.position)
        }
    }
}
