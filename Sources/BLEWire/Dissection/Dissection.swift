/// A packet in words, layer by layer, as far as it can be read. For people: cold code.
package struct Dissection: Equatable, Sendable {
    package private(set) var lines: [String] = []
    /// The first thing that is wrong, if anything.
    package private(set) var error: WireError?
    let octets: [UInt8]
    private var indent = ""

    /// Dissects a packet with its H4 indicator: HCI, and in ACL data L2CAP, signalling and ATT. [Vol 4, Part A, 2]
    package static func packet(h4 octets: [UInt8]) -> Dissection {
        var dissection = Dissection(octets: octets)
        dissection.h4()
        return dissection
    }

    private init(octets: [UInt8]) { self.octets = octets }

    mutating func add(_ line: String) { lines.append(indent + line) }

    mutating func fail(_ failure: WireError) {
        add("!! \(failure)")
        if error == nil { error = failure }
    }

    /// Does `body` one step further in.
    mutating func nested(_ body: (inout Dissection) -> Void) {
        let outer = indent
        indent += "  "
        body(&self)
        indent = outer
    }

    /// The fields of a PDU in a part of the packet; answers the value where it is whole.
    @discardableResult
    mutating func pdu<PDU: WirePDU>(_ type: PDU.Type, in range: Range<Int>) -> PDU? {
        add("\(PDU.name) \(PDU.section)")
        var dissector = Dissector(octets, in: range, indent: indent + "  ")
        var pdu = PDU()
        var failure: WireError?
        do throws(WireError) {
            try pdu.visitFields(&dissector)
            let left = range.upperBound - dissector.offset
            if left > 0 { failure = .trailing(offset: dissector.offset, count: left) }
        } catch {
            failure = error
        }
        lines += dissector.lines
        guard let failure else { return pdu }
        nested { $0.fail(failure) }
        return nil
    }

    /// Octets that nothing more is known about.
    mutating func opaque(_ name: String, in range: Range<Int>) {
        add("[\(range.lowerBound)..<\(range.upperBound)] \(name): \(Hex.string(octets[range], separator: " "))")
    }
}
