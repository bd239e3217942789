import BLEBackend
import BLEWire

/// The file in which a device keeps its peers: text that a person can read, a line a peer.
///
///     ravning-peers 1
///     key 000102030405060708090A0B0C0D0E0F
///     peer C0:11:22:33:44:55 random kept name=Heart%20band advertised=HB
///
/// The key makes the identifiers: with another one every peer gets another identifier. A peer that was known by a
/// private address before it told its identity keeps the one that it had, as `id=` says. Names are UTF-8 with `%XX` for
/// octets that aren't printable ASCII, and for `%` and space.
struct PeerFile: Equatable {
    static let version = "ravning-peers 1"

    var key: [UInt8]
    var records: [PeerRecord]

    init(key: [UInt8], records: [PeerRecord]) {
        self.key = key
        self.records = records
    }

    /// Reads a file; the error names the line and what is wrong with it.
    init(_ text: String) throws(PeerFileError) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        if lines.last == "" { lines.removeLast() }
        guard lines.popFirst() == Self.version[...] else {
            throw PeerFileError(line: 1, cause: "isn't \"\(Self.version)\"")
        }
        guard let keyLine = lines.popFirst(), keyLine.hasPrefix("key "), let key = Hex.octets(keyLine.dropFirst(4)),
            key.count == 16
        else { throw PeerFileError(line: 2, cause: "isn't \"key \" and 32 hexadecimal digits") }
        self.key = key
        records = []
        for (index, line) in lines.enumerated() {
            guard let record = Self.record(line) else {
                throw PeerFileError(line: index + 3, cause: "describes no peer")
            }
            records.append(record)
        }
    }

    var text: String {
        var text = "\(Self.version)\nkey \(Hex.string(key))\n"
        for record in records {
            let address = DeviceAddress(record.address.bits).description
            text += "peer \(address) \(record.address.isRandom ? "random" : "public")"
            if record.isKept { text += " kept" }
            if let id = record.identifier { text += " id=" + Hex.number(id.bits) }
            if let name = record.deviceName { text += " name=" + Self.escaped(name) }
            if let name = record.advertisedName { text += " advertised=" + Self.escaped(name) }
            text += "\n"
        }
        return text
    }

    private static func record(_ line: Substring) -> PeerRecord? {
        var words = line.split(separator: " ", omittingEmptySubsequences: false)[...]
        guard words.popFirst() == "peer", let address = words.popFirst(), let kind = words.popFirst(),
            kind == "random" || kind == "public",
            let address = DeviceAddress(address, kind == "random" ? .randomDevice : .publicDevice)
        else { return nil }
        var record = PeerRecord(address: address)
        for word in words {
            if word == "kept" {
                record.isKept = true
            } else if word.hasPrefix("id="), let octets = Hex.octets(word.dropFirst(3)), octets.count == 16 {
                record.identifier = PeerID(bits: octets.reduce(0) { $0 << 8 | UInt128($1) })
            } else if word.hasPrefix("name="), let name = unescaped(word.dropFirst(5)) {
                record.deviceName = name
            } else if word.hasPrefix("advertised="), let name = unescaped(word.dropFirst(11)) {
                record.advertisedName = name
            } else {
                return nil
            }
        }
        return record
    }

    private static func escaped(_ name: String) -> String {
        name.utf8.map { octet in
            (0x21...0x7E).contains(octet) && octet != UInt8(ascii: "%")
                ? String(UnicodeScalar(octet)) : "%" + Hex.octet(octet)
        }.joined()
    }

    private static func unescaped(_ text: Substring) -> String? {
        var octets: [UInt8] = []
        var rest = text.utf8
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "%") else {
                octets.append(octet)
                continue
            }
            guard let value = Hex.octets(Substring(rest.prefix(2))), value.count == 1 else { return nil }
            octets += value
            rest = rest.dropFirst(2)
        }
        return String(validating: octets, as: UTF8.self)
    }
}

/// What is wrong with a file of peers.
struct PeerFileError: Error, Equatable {
    var line: Int
    var cause: String
}
