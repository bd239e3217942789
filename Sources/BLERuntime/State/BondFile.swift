import BLEHost
import BLEWire

/// The file in which a bond is kept: text that a person can read and move to another machine, one file a peer.
///
///     ravning-bond 1
///     peer C0:11:22:33:44:55 random
///     strength authenticated secure-connections 16
///     key-as-central 000102030405060708090A0B0C0D0E0F 0000 0000000000000000
///     key-as-peripheral 000102030405060708090A0B0C0D0E0F 0000 0000000000000000
///     irk 000102030405060708090A0B0C0D0E0F
///     peer-signing 000102030405060708090A0B0C0D0E0F 4
///     own-signing 000102030405060708090A0B0C0D0E0F 7
///     database 000102030405060708090A0B0C0D0E0F
///     cccd 0012 0001
///
/// Numbers are hexadecimal, most significant digit first, but the size of the key and the counters of signatures,
/// which are decimal. Lines of keys that there aren't are missing. A line of another kind makes the file damaged: half
/// a bond would be worse than none.
struct BondFile: Equatable {
    static let version = "ravning-bond 1"

    var bond: Bond

    init(_ bond: Bond) { self.bond = bond }

    /// Reads a file; the error names the line and what is wrong with it.
    init(_ text: String) throws(PeerFileError) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        // A file that was cut ends within a line.
        guard lines.popLast() == "" else { throw PeerFileError(line: lines.count + 1, cause: "has no end") }
        guard lines.popFirst() == Self.version[...] else {
            throw PeerFileError(line: 1, cause: "isn't \"\(Self.version)\"")
        }
        guard let line = lines.popFirst(), let peer = Self.peer(line) else {
            throw PeerFileError(line: 2, cause: "isn't \"peer \" with an identity address and its kind")
        }
        guard let line = lines.popFirst(), let strength = Self.strength(line) else {
            throw PeerFileError(line: 3, cause: "isn't \"strength \" with what the key is worth")
        }
        bond = Bond(peer: peer, strength: strength)
        var seen: [Substring] = []
        for (index, line) in lines.enumerated() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let name = words.first, name == "cccd" || !seen.contains(name), Self.take(words, into: &bond) else {
                throw PeerFileError(line: index + 4, cause: "describes no key, or one that was there already")
            }
            seen.append(name)
        }
        guard bond.keyAsCentral != nil || bond.keyAsPeripheral != nil else {
            throw PeerFileError(line: lines.count + 4, cause: "should be a key to encrypt with")
        }
    }

    var text: String {
        var lines = [Self.version, Self.peerLine(bond.peer)]
        let words =
            (bond.strength.isAuthenticated ? ["authenticated"] : [])
            + (bond.strength.isSecureConnections ? ["secure-connections"] : []) + [String(bond.strength.keySize)]
        lines.append("strength " + words.joined(separator: " "))
        if let key = bond.keyAsCentral { lines.append("key-as-central " + Self.text(key)) }
        if let key = bond.keyAsPeripheral { lines.append("key-as-peripheral " + Self.text(key)) }
        if let key = bond.irk { lines.append("irk " + Self.text(key)) }
        if let key = bond.peerSigningKey { lines.append("peer-signing \(Self.text(key)) \(bond.peerSignCounter)") }
        if let key = bond.ownSigningKey { lines.append("own-signing \(Self.text(key)) \(bond.ownSignCounter)") }
        if !bond.subscriptions.isEmpty { lines.append("database " + Hex.string(bond.databaseHash.reversed())) }
        for subscription in bond.subscriptions {
            lines.append(
                "cccd \(Hex.number(subscription.descriptor.rawValue)) \(Hex.number(subscription.value.rawValue))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What the file of a peer's bond is called.
    static func fileName(of peer: DeviceAddress) -> String {
        String(address(peer).map { $0 == ":" ? "-" : $0 }) + "-" + kind(peer)
    }

    // MARK: Parts

    /// Without its kind, which has a word of its own.
    private static func address(_ peer: DeviceAddress) -> String { DeviceAddress(peer.bits).description }

    private static func kind(_ peer: DeviceAddress) -> String { peer.isRandom ? "random" : "public" }

    private static func text(_ key: EncryptionKey) -> String {
        "\(text(key.longTermKey)) \(Hex.number(key.diversifier)) \(Hex.number(key.random))"
    }

    private static func text(_ key: Key128) -> String { Hex.number(key.value) }

    static func peerLine(_ peer: DeviceAddress) -> String { "peer \(address(peer)) \(kind(peer))" }

    static func peer(_ line: Substring) -> DeviceAddress? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "peer", words[2] == "random" || words[2] == "public",
            let peer = DeviceAddress(words[1], words[2] == "random" ? .randomDevice : .publicDevice)
        else { return nil }
        // Another random address than a static one is no identity.
        return !peer.isRandom || peer.isRandomStatic ? peer : nil
    }

    private static func strength(_ line: Substring) -> PairingStrength? {
        var words = line.split(separator: " ", omittingEmptySubsequences: false)[...]
        guard words.popFirst() == "strength", let last = words.popLast(), let size = Int(last),
            (7...16).contains(size)
        else { return nil }
        let isAuthenticated = words.first == "authenticated"
        if isAuthenticated { words.removeFirst() }
        let isSecureConnections = words.first == "secure-connections"
        if isSecureConnections { words.removeFirst() }
        guard words.isEmpty else { return nil }
        return PairingStrength(
            isAuthenticated: isAuthenticated, isSecureConnections: isSecureConnections, keySize: size)
    }

    /// Takes a line of a key; false where it is none.
    private static func take(_ words: [Substring], into bond: inout Bond) -> Bool {
        switch (words.first, words.count) {
        case ("key-as-central", 4):
            bond.keyAsCentral = encryptionKey(words)
            return bond.keyAsCentral != nil
        case ("key-as-peripheral", 4):
            bond.keyAsPeripheral = encryptionKey(words)
            return bond.keyAsPeripheral != nil
        case ("irk", 2):
            bond.irk = key(words[1])
            return bond.irk != nil
        case ("peer-signing", 3):
            guard let key = key(words[1]), let counter = UInt32(words[2]) else { return false }
            (bond.peerSigningKey, bond.peerSignCounter) = (key, counter)
            return true
        case ("own-signing", 3):
            guard let key = key(words[1]), let counter = UInt32(words[2]) else { return false }
            (bond.ownSigningKey, bond.ownSignCounter) = (key, counter)
            return true
        case ("database", 2):
            guard let octets = Hex.octets(words[1]), octets.count == 16 else { return false }
            bond.databaseHash = octets.reversed()
            return true
        case ("cccd", 3):
            guard let handle = number(words[1], octets: 2), let value = number(words[2], octets: 2), handle > 0,
                (1...3).contains(value), bond.databaseHash.count == 16,
                bond.subscriptions.last.map({ $0.descriptor.rawValue < handle }) ?? true
            else { return false }
            bond.subscriptions.append(
                ClientSubscription(
                    descriptor: AttributeHandle(rawValue: UInt16(truncatingIfNeeded: handle)),
                    value: ClientConfiguration(rawValue: UInt16(truncatingIfNeeded: value))))
            return true
        default: return false
        }
    }

    private static func encryptionKey(_ words: [Substring]) -> EncryptionKey? {
        guard let longTermKey = key(words[1]), let diversifier = number(words[2], octets: 2),
            let random = number(words[3], octets: 8)
        else { return nil }
        return EncryptionKey(
            longTermKey: longTermKey, diversifier: UInt16(truncatingIfNeeded: diversifier),
            random: UInt64(truncatingIfNeeded: random))
    }

    static func key(_ text: Substring) -> Key128? { number(text, octets: 16).map { Key128($0) } }

    static func number(_ text: Substring, octets count: Int) -> UInt128? {
        guard text.utf8.count == 2 * count, let octets = Hex.octets(text), octets.count == count else { return nil }
        return octets.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The file of this device's own key.
    static func identityText(_ key: Key128) -> String { "ravning-identity 1\nirk \(text(key))\n" }

    static func identity(_ text: String) throws(PeerFileError) -> Key128 {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == "ravning-identity 1" else {
            throw PeerFileError(line: 1, cause: "isn't \"ravning-identity 1\"")
        }
        guard lines.count == 3, lines[1].hasPrefix("irk "), lines[2] == "", let key = key(lines[1].dropFirst(4)),
            !key.isZero
        else { throw PeerFileError(line: 2, cause: "isn't \"irk \" and 32 hexadecimal digits") }
        return key
    }
}
