/// Where the specification (Core 6.0) defines something: `SpecSection(3, "F", "3.4.3.1")`.
package struct SpecSection: Hashable, Sendable, CustomStringConvertible {
    package let volume: Int
    package let part: StaticString
    package let section: StaticString

    package init(_ volume: Int, _ part: StaticString, _ section: StaticString) {
        self.volume = volume
        self.part = part
        self.section = section
    }

    package var description: String { "[Vol \(volume), Part \(part), \(section)]" }

    package static func == (left: SpecSection, right: SpecSection) -> Bool {
        left.description == right.description
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A protocol data unit: fields declared once, with the specification's name and section.
package protocol WirePDU: FieldStructure, Equatable {
    /// The specification's name, such as `ATT_READ_REQ`.
    static var name: StaticString { get }
    static var section: SpecSection { get }
}

extension FieldStructure {
    /// Reads all fields; octets left over are an error.
    @inline(__always)
    package init(decoding span: RawSpan) throws(WireError) {
        var reader = WireReader(span)
        self.init()
        try visitFields(&reader)
        try reader.end()
    }

    @inline(__always)
    package init(decoding bytes: [UInt8]) throws(WireError) {
        try unsafe self.init(decoding: bytes.span.bytes)
    }

    /// The octets. Throws where a field's value can't be expressed.
    @inline(__always)
    package func encoded() throws(WireError) -> [UInt8] {
        var writer = WireWriter()
        var copy = self
        try copy.visitFields(&writer)
        return writer.finish()
    }

    /// Appends the octets behind what `writer` holds.
    @inline(__always)
    package func encode(into writer: inout WireWriter) throws(WireError) {
        var copy = self
        try copy.visitFields(&writer)
    }
}
