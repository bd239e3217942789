package import BLETransport

/// The name of a virtual radio or of a device on one, as a user chooses it, and as the name of a file.
package struct RadioName: Hashable, Sendable {
    package let text: String

    package static let standard = RadioName(valid: "default")
    /// Octets; so that a socket's path has room for it and HCI_Ravning_Join can carry it.
    package static let limit = 64

    private init(valid text: String) { self.text = text }

    /// Any text of 1 to 64 octets without control characters. `variable` is where it was written.
    package init(_ text: String, in variable: String) throws(TransportError) {
        let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard (1...Self.limit).contains(text.utf8.count), isPrintable else {
            throw TransportError(
                .unsupported, layer: variable, cause: "a name has 1 to \(Self.limit) octets and no control characters",
                remedy: "choose such a name")
        }
        self.text = text
    }

    /// A name as close as can be to any text, for names that nobody chose: an executable's.
    package init(nearest text: String) {
        var kept = ""
        for scalar in text.unicodeScalars where scalar.value > 0x20 && scalar.value != 0x7F {
            // Room stays for a number behind it.
            if kept.utf8.count + String(scalar).utf8.count > Self.limit - 8 { break }
            kept.unicodeScalars.append(scalar)
        }
        self.init(valid: kept.isEmpty ? "device" : kept)
    }

    /// The name with a number behind it: of a further device of the same name.
    package func numbered(_ number: Int) -> RadioName { RadioName(valid: "\(text)-\(number)") }

    /// Letters, digits, `-`, `_` and inner `.` as they are, other octets as `%XX`: no name reaches out of its folder.
    package var fileName: String {
        var name = ""
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                name.unicodeScalars.append(Unicode.Scalar(octet))
            case UInt8(ascii: ".") where !name.isEmpty:
                name.append(".")
            default:
                name += "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
            }
        }
        return name
    }

    /// Reads `fileName` back.
    package init?(fileName: String) {
        var octets: [UInt8] = []
        var rest = Substring(fileName).utf8
        while let first = rest.popFirst() {
            if first == UInt8(ascii: "%") {
                guard let octet = UInt8(String(Substring(rest.prefix(2))), radix: 16) else { return nil }
                octets.append(octet)
                rest = rest.dropFirst(2)
            } else {
                octets.append(first)
            }
        }
        let name = RadioName(valid: String(decoding: octets, as: UTF8.self))
        guard !name.text.isEmpty, name.fileName == fileName else { return nil }
        self = name
    }
}
