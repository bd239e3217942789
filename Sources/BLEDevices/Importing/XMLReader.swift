/// An element of an XML text.
struct XMLElement {
    let name: String
    let position: DocumentNode.Position
    var attributes: [(name: String, value: String)] = []
    var children: [XMLElement] = []

    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// Reads XML as tools write it: elements, attributes, comments, declarations and the five entities; text between elements is
/// skipped, and so is a document type, whose entities aren't known. (W3C, XML 1.0)
struct XMLReader {
    private var rest: Substring
    private var line = 1
    private var column = 1
    private static let depthLimit = 60

    init(_ text: String) { rest = text[...] }

    /// The one element that holds all others.
    mutating func read() throws(DocumentError) -> XMLElement {
        skipBetween()
        guard let root = try element(depth: 0) else { throw refuse(expected: "an element") }
        return root
    }

    private var position: DocumentNode.Position { .init(line: line, column: column) }

    private func refuse(expected: String) -> DocumentError {
        let found = rest.first.map { "\"\($0)\"" } ?? "the end of the text"
        return DocumentError(position, found, expected: expected)
    }

    private mutating func advance(_ count: Int = 1) {
        for character in rest.prefix(count) {
            if character.isNewline {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        rest = rest.dropFirst(count)
    }

    /// Takes everything up to the text, and the text.
    private mutating func skip(behind text: String) {
        while !rest.isEmpty, !rest.hasPrefix(text) { advance() }
        advance(text.count)
    }

    private mutating func skipSpace() {
        while let first = rest.first, first.isWhitespace { advance() }
    }

    /// Skips what stands between elements.
    private mutating func skipBetween() {
        while !rest.isEmpty {
            if rest.hasPrefix("<!--") {
                skip(behind: "-->")
            } else if rest.hasPrefix("<?") {
                skip(behind: "?>")
            } else if rest.hasPrefix("<!") {
                skip(behind: ">")
            } else if rest.first == "<" {
                return
            } else {
                advance()
            }
        }
    }

    /// The element that begins here; nil where one ends.
    private mutating func element(depth: Int) throws(DocumentError) -> XMLElement? {
        if rest.hasPrefix("</") { return nil }
        let start = position
        guard depth < Self.depthLimit else { throw DocumentError(start, "more than \(Self.depthLimit) levels") }
        guard rest.first == "<" else { throw refuse(expected: "<") }
        advance()
        var element = XMLElement(name: try name(), position: start)
        while true {
            skipSpace()
            if rest.hasPrefix("/>") {
                advance(2)
                return element
            }
            if rest.first == ">" { break }
            let name = try name()
            skipSpace()
            guard rest.first == "=" else { throw refuse(expected: "=") }
            advance()
            skipSpace()
            element.attributes.append((name, try value()))
        }
        advance()
        skipBetween()
        while let child = try self.element(depth: depth + 1) {
            element.children.append(child)
            skipBetween()
        }
        guard rest.hasPrefix("</\(element.name)") else { throw refuse(expected: "</\(element.name)>") }
        skip(behind: ">")
        return element
    }

    private mutating func name() throws(DocumentError) -> String {
        let name = rest.prefix { $0.isLetter || $0.isNumber || "-_.:".contains($0) }
        guard !name.isEmpty else { throw refuse(expected: "a name") }
        advance(name.count)
        return String(name)
    }

    private mutating func value() throws(DocumentError) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { throw refuse(expected: "a quotation mark") }
        advance()
        let raw = rest.prefix { $0 != quote }
        advance(raw.count)
        guard rest.first == quote else { throw refuse(expected: "a quotation mark") }
        advance()
        return Self.text(raw)
    }

    /// The text with its entities replaced; one that isn't known stays.
    private static func text(_ raw: Substring) -> String {
        let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        var text = ""
        var rest = raw
        while let ampersand = rest.firstIndex(of: "&") {
            text += rest[..<ampersand]
            rest = rest[ampersand...]
            let end = rest.firstIndex(of: ";")
            let name = end.map { String(rest[rest.index(after: ampersand)..<$0]) } ?? ""
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            if let end, let known = entities[name] ?? number.flatMap(Unicode.Scalar.init).map({ String(Character($0)) })
            {
                text += known
                rest = rest[rest.index(after: end)...]
            } else {
                text += "&"
                rest = rest.dropFirst()
            }
        }
        return text + rest
    }
}
