/// A node of a structured text, with the place where it stands: what device files and the files of other tools are read
/// from. A scalar stays the text that it is; what it means is for who asks for it.
package struct DocumentNode: Sendable {
    package indirect enum Content: Sendable {
        case scalar(String)
        case sequence([DocumentNode])
        /// In the order of the text; no key comes twice.
        case mapping([Entry])
    }

    /// A key with what belongs to it.
    package struct Entry: Sendable {
        package let key: String
        package let position: Position
        package let value: DocumentNode

        package init(_ key: String, _ value: DocumentNode, at position: Position = .none) {
            self.key = key
            self.position = position
            self.value = value
        }
    }

    /// A place in a text; line and column count from 1.
    package struct Position: Hashable, Sendable {
        package let line: Int
        package let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// Of what was never read.
        package static let none = Position(line: 0, column: 0)
    }

    package let content: Content
    package let position: Position
    /// It is written in one line.
    package let isInline: Bool

    package init(_ content: Content, at position: Position = .none, isInline: Bool = false) {
        self.content = content
        self.position = position
        self.isInline = isInline
    }

    package static func text(_ text: String) -> DocumentNode { DocumentNode(.scalar(text), isInline: true) }

    package static func list(_ nodes: [DocumentNode], isInline: Bool = false) -> DocumentNode {
        DocumentNode(.sequence(nodes), isInline: isInline)
    }

    /// Keys without a value are left out.
    package static func object(_ members: [(String, DocumentNode?)], isInline: Bool = false) -> DocumentNode {
        DocumentNode(
            .mapping(members.compactMap { key, value in value.map { Entry(key, $0) } }), isInline: isInline)
    }

    /// What it is, for an error.
    package var kind: String {
        switch content {
        case .scalar(""): "nothing"
        case .scalar(let text): "\"\(text.prefix(40))\""
        case .sequence: "a list"
        case .mapping: "keys with values"
        }
    }
}

/// What is wrong in a text, and where.
package struct DocumentError: Error, Equatable, Sendable {
    package let position: DocumentNode.Position
    package let found: String
    /// What could stand there; nil where that isn't a question.
    package let expected: String?

    package init(_ position: DocumentNode.Position, _ found: String, expected: String? = nil) {
        self.position = position
        self.found = found
        self.expected = expected
    }

    /// `FILE:LINE:COLUMN: what, expected what`
    package func text(file: String) -> String {
        "\(file):\(position.line):\(position.column): \(found)" + (expected.map { ", expected \($0)" } ?? "")
    }
}
