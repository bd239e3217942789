import BLEHost
import BLEWire

/// The file in which a bonded peer's database is remembered, beside the bond: text, a line a fact.
///
///     ravning-database 1
///     peer C0:11:22:33:44:55 random
///     hash 000102030405060708090A0B0C0D0E0F
///     services all
///     service 0001 0005 1800
///     includes 0001 0005
///     include 0002 0010 0015 180A
///     characteristics 0001 0005
///     characteristic 0002 0003 12 2A00
///     descriptors 0004 0005
///     descriptor 0004 2902
///
/// A line in the plural says what was asked, the lines behind it what was found: nothing, where there are none. Numbers
/// are hexadecimal. Without `hash` the peer has no Database Hash. A line of another kind makes the file damaged.
struct DatabaseFile: Equatable {
    static let version = "ravning-database 1"

    var peer: DeviceAddress
    var database: RememberedDatabase

    init(_ database: RememberedDatabase, of peer: DeviceAddress) {
        self.database = database
        self.peer = peer
    }

    /// Reads a file; the error names the line and what is wrong with it.
    init(_ text: String) throws(PeerFileError) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        // A file that was cut ends within a line.
        guard lines.popLast() == "" else { throw PeerFileError(line: lines.count + 1, cause: "has no end") }
        guard lines.popFirst() == Self.version[...] else {
            throw PeerFileError(line: 1, cause: "isn't \"\(Self.version)\"")
        }
        guard let line = lines.popFirst(), let peer = BondFile.peer(line) else {
            throw PeerFileError(line: 2, cause: "isn't \"peer \" with an identity address and its kind")
        }
        self.peer = peer
        database = RememberedDatabase()
        if let line = lines.first, line.hasPrefix("hash ") {
            guard let octets = Hex.octets(line.dropFirst(5)), octets.count == 16 else {
                throw PeerFileError(line: 3, cause: "isn't \"hash \" and 32 hexadecimal digits")
            }
            database.hash = octets.reversed()
            lines.removeFirst()
        }
        var answer: FoundList?
        for (line, index) in zip(lines, lines.indices) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            if let question = FoundList(words) {
                guard answer?.note(in: &database) ?? true else {
                    throw PeerFileError(line: index, cause: "ends an answer that was there already, or is too much")
                }
                answer = question
            } else if answer?.take(words) != true {
                throw PeerFileError(line: index + 1, cause: "isn't something that was asked or found")
            }
        }
        guard answer?.note(in: &database) ?? true else {
            throw PeerFileError(line: lines.endIndex, cause: "ends an answer that was there already, or is too much")
        }
    }

    var text: String {
        var lines = [Self.version, BondFile.peerLine(peer)]
        if let hash = database.hash { lines.append("hash " + Hex.string(hash.reversed())) }
        for answer in database.answers {
            switch answer.procedure {
            case .discoverServices(let uuid): lines.append("services \(uuid?.description ?? "all")")
            case .discoverIncludedServices(let range): lines.append("includes \(Self.text(range))")
            case .discoverCharacteristics(let range): lines.append("characteristics \(Self.text(range))")
            case .discoverDescriptors(let range): lines.append("descriptors \(Self.text(range))")
            default: continue
            }
            lines += Self.lines(answer.outcome)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ outcome: GATTOutcome) -> [String] {
        switch outcome {
        case .services(let list): list.map { "service \(text($0.handles)) \($0.uuid)" }
        case .includedServices(let list):
            list.map { "include \(text($0.declaration)) \(text($0.service.handles)) \($0.service.uuid)" }
        case .characteristics(let list):
            list.map {
                "characteristic \(text($0.declaration)) \(text($0.value)) \(Hex.octet($0.properties)) \($0.uuid)"
            }
        case .descriptors(let list): list.map { "descriptor \(text($0.handle)) \($0.uuid)" }
        default: []
        }
    }

    private static func text(_ handle: AttributeHandle) -> String { Hex.number(handle.rawValue) }
    private static func text(_ range: ClosedRange<AttributeHandle>) -> String {
        "\(text(range.lowerBound)) \(text(range.upperBound))"
    }
}

/// A question and what was found, while it is read from a file.
private struct FoundList {
    private let procedure: GATTProcedure
    private var outcome: GATTOutcome
    /// Handles rise, as they did on the air.
    private var last: AttributeHandle = .none
    private var count = 0

    /// From a line that says what was asked.
    init?(_ words: [Substring]) {
        switch (words.first, words.count) {
        case ("services", 2):
            if words[1] == "all" {
                procedure = .discoverServices(nil)
            } else {
                guard let uuid = BluetoothUUID(words[1]) else { return nil }
                procedure = .discoverServices(uuid)
            }
            outcome = .services([])
        case ("includes", 3):
            guard let range = Self.range(words[1], words[2]) else { return nil }
            (procedure, outcome) = (.discoverIncludedServices(range), .includedServices([]))
        case ("characteristics", 3):
            guard let range = Self.range(words[1], words[2]) else { return nil }
            (procedure, outcome) = (.discoverCharacteristics(range), .characteristics([]))
        case ("descriptors", 3):
            guard let range = Self.range(words[1], words[2]) else { return nil }
            (procedure, outcome) = (.discoverDescriptors(range), .descriptors([]))
        default: return nil
        }
    }

    /// Takes a line of what was found; false where it is none.
    mutating func take(_ words: [Substring]) -> Bool {
        guard count < RememberedDatabase.limit, words.count > 2, let first = Self.handle(words[1]), first > last,
            let uuid = BluetoothUUID(words[words.count - 1])
        else { return false }
        last = first
        count += 1
        switch (outcome, words[0], words.count) {
        case (.services(let list), "service", 4):
            guard let range = Self.range(words[1], words[2]) else { return false }
            outcome = .services(list + [GATTService(handles: range, uuid: uuid)])
            last = range.upperBound
        case (.includedServices(let list), "include", 5):
            guard let range = Self.range(words[2], words[3]) else { return false }
            let service = GATTService(handles: range, uuid: uuid)
            outcome = .includedServices(list + [GATTIncludedService(declaration: first, service: service)])
        case (.characteristics(let list), "characteristic", 5):
            guard let value = Self.handle(words[2]), value > first, words[3].utf8.count == 2,
                let properties = Hex.octets(words[3])?.first
            else { return false }
            let found = GATTCharacteristic(declaration: first, value: value, properties: properties, uuid: uuid)
            outcome = .characteristics(list + [found])
            last = value
        case (.descriptors(let list), "descriptor", 3):
            outcome = .descriptors(list + [GATTDescriptor(handle: first, uuid: uuid)])
        default: return false
        }
        return true
    }

    func note(in database: inout RememberedDatabase) -> Bool { database.note(outcome, of: procedure) }

    private static func handle(_ text: Substring) -> AttributeHandle? {
        guard let number = BondFile.number(text, octets: 2), number > 0 else { return nil }
        return AttributeHandle(rawValue: UInt16(truncatingIfNeeded: number))
    }

    private static func range(_ first: Substring, _ last: Substring) -> ClosedRange<AttributeHandle>? {
        guard let first = handle(first), let last = handle(last), first <= last else { return nil }
        return first...last
    }
}
