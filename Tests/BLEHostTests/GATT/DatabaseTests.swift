import BLEHost
import BLEWire
import Foundation
import Testing

@Suite struct DatabaseTests {
    @Test func `services follow one another and say where their values came to lie`() throws {
        var server = GATTServer(configuration: .empty)
        let first = try server.addService(.init(uuid: 0xFFF0, characteristics: [.stored(), .stored()])).get()
        #expect(first == GATTServiceLayout(handles: 1...5, characteristics: [3, 5]))
        let second = try server.addService(.init(uuid: 0xFFE0, characteristics: [.stored()])).get()
        #expect(second == GATTServiceLayout(handles: 6...8, characteristics: [8]))
    }

    @Test func `a CCCD and the extended properties stand where the properties ask for them`() {
        var peer = ScriptedPeer(
            .with(
                .init(
                    uuid: 0xFFF1, properties: 0x92, permissions: .read,
                    descriptors: [.init(uuid: 0x2901, value: [0x78])])))
        peer.play(
            "← 04 04 00 FF FF", "→ 05 01 04 00 00 29 05 00 02 29 06 00 01 29", "← 0A 04 00", "→ 0B 01 00",
            "← 0A 06 00", "→ 0B 78")
    }

    @Test func `a descriptor that the properties bring isn't there twice`() {
        var peer = ScriptedPeer(
            .with(
                .init(
                    uuid: 0xFFF1, properties: 0x10, permissions: [],
                    descriptors: [.init(uuid: 0x2902, value: [0, 0])])))
        peer.play("← 04 04 00 FF FF", "→ 05 01 04 00 02 29")
    }

    @Test func `an included service is named by its range, and by a short UUID`() throws {
        var server = GATTServer(configuration: .empty)
        let long = BluetoothUUID(full: 1)
        _ = server.addService(.init(uuid: 0x180F, isPrimary: false))
        _ = server.addService(.init(uuid: long, isPrimary: false))
        _ = try server.addService(.init(uuid: 0xFFF0, includes: [1, 2])).get()
        var peer = ScriptedPeer(server)
        peer.play(
            "← 08 01 00 FF FF 02 28", "→ 09 08 04 00 01 00 01 00 0F 18", "← 08 05 00 FF FF 02 28",
            "→ 09 06 05 00 02 00 02 00")
    }

    @Test func `a service that isn't there can't be included`() {
        var server = GATTServer(configuration: .empty)
        let result = server.addService(.init(uuid: 0xFFF0, includes: [7]))
        #expect(result == .failure(.invalidParameters("no service begins at 0x0007")))
        #expect(server.database.attributes.isEmpty)
    }

    @Test func `a value of more than 512 octets can't be published`() {
        var server = GATTServer(configuration: .empty)
        let long = [UInt8](repeating: 0, count: 513)
        let result = server.addService(.init(uuid: 0xFFF0, characteristics: [.stored(0xFFF1, long)]))
        #expect(result == .failure(.invalidParameters("the value of FFF1 is too long")))
    }

    @Test func `a removed service leaves a gap that isn't filled at once`() throws {
        var server = GATTServer(configuration: .empty)
        _ = server.addService(.init(uuid: 0xFFF0, characteristics: [.stored()]))
        _ = server.addService(.init(uuid: 0xFFE0, characteristics: [.stored()]))
        let removed = [server.removeService(1), server.removeService(1), server.removeService(5)]
        #expect(removed == [true, false, false])
        let third = try server.addService(.init(uuid: 0xFFD0)).get()
        #expect(third.handles == 7...7)
        var peer = ScriptedPeer(server)
        peer.play(
            "← 0A 03 00", "→ 01 0A 03 00 01", "← 10 01 00 FF FF 00 28", "→ 11 06 04 00 06 00 E0 FF 07 00 07 00 D0 FF")
    }

    @Test func `gaps are used when no handle is left behind the last`() throws {
        let last = GATTAttribute(
            handle: 0xFFFF, type: GATTType.primaryService, permissions: .read, content: .stored([0, 0x18]))
        let first = GATTAttribute(
            handle: 0x0001, type: GATTType.primaryService, permissions: .read, content: .stored([1, 0x18]),
            groupEnd: 0x0004)
        var server = try #require(GATTServer(table: [first, last]))
        let layout = try server.addService(.init(uuid: 0xFFF0, characteristics: [.stored()])).get()
        #expect(layout.handles == 5...7)
    }

    @Test func `a database that is full refuses`() {
        var server = GATTServer(configuration: .empty)
        let big = GATTServiceDefinition(uuid: 0xFFF0, characteristics: Array(repeating: .stored(), count: 30_000))
        let first = server.addService(big)
        let second = server.addService(big)
        #expect((try? first.get())?.handles == 1...60_001)
        #expect(second == .failure(.att(.insufficientResources)))
    }

    @Test(arguments: [[5, 5], [6, 5], [0, 1]] as [[UInt16]]) func `a table whose handles don't rise is refused`(
        handles: [UInt16]
    ) {
        let rows = handles.map {
            GATTAttribute(
                handle: AttributeHandle(rawValue: $0), type: 0x2800, permissions: .read, content: .stored([]))
        }
        #expect(GATTServer(table: rows) == nil)
    }

    @Test func `name and appearance can be changed`() {
        var server = GATTServer()
        server.setDeviceName("Band")
        server.setAppearance(0x0341)
        var peer = ScriptedPeer(server)
        peer.play(
            "← 08 01 00 FF FF 00 2A", "→ 09 06 03 00 42 61 6E 64", "← 08 01 00 FF FF 01 2A", "→ 09 04 05 00 41 03")
    }

    @Test func `a long name is cut between characters`() {
        var server = GATTServer()
        server.setDeviceName(String(repeating: "é", count: 200))
        var peer = ScriptedPeer(server) { $0.receiveMTU = 517 }
        peer.play("← 02 05 02", "→ 03 05 02")
        peer.receive([0x0A, 3, 0])
        #expect(peer.sent.first?.count == 249)
    }

    // MARK: Hash

    @Test func `the hash is made over what the specification's example says`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/vectors.json")
        let all = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let vector = try #require((all["database_hash"] as? [[String: String]])?.first)
        let message = try #require(Hex.octets(vector["message"] ?? ""))
        var server = try #require(GATTServer(table: Self.rows(message)))
        #expect(server.database.hashedOctets == message)
        #expect(Hex.string(server.database.hash.reversed()) == vector["result"]?.uppercased())
        // What isn't hashed doesn't matter; what is does.
        let hash = server.database.hash
        _ = server.addService(.init(uuid: 0x180F))
        #expect(server.database.hash != hash)
    }

    /// Takes a hashed message apart into the attributes that it was made of, and puts a value in between.
    private static func rows(_ message: [UInt8]) -> [GATTAttribute] {
        let lengths: [UInt16: Int] = [0x2802: 6, 0x2803: 5, 0x2900: 2]
        var rows: [GATTAttribute] = []
        var offset = 0
        while offset < message.count {
            let handle = UInt16(message[offset]) | UInt16(message[offset + 1]) << 8
            let type = UInt16(message[offset + 2]) | UInt16(message[offset + 3]) << 8
            offset += 4
            var length = lengths[type] ?? 0
            // The example's services: 1800, 1801, 1808 and 180F in 16 bits.
            if type == 0x2800 || type == 0x2801 { length = 2 }
            if type == 0x2803, message.count < offset + 5 { length = message.count - offset }
            rows.append(
                GATTAttribute(
                    handle: AttributeHandle(rawValue: handle), type: BluetoothUUID(type), permissions: .read,
                    content: .stored(Array(message[offset..<(offset + length)]))))
            offset += length
            if type == 0x2803 {
                rows.append(
                    GATTAttribute(
                        handle: AttributeHandle(rawValue: handle + 1), type: 0x2A00, permissions: .read,
                        content: .stored([1, 2, 3])))
            }
        }
        return rows
    }

    @Test func `the hash is read as it is over the air`() {
        let server = GATTServer()
        let hash = server.database.hash
        var peer = ScriptedPeer(server)
        peer.receive([0x08, 1, 0, 0xFF, 0xFF, 0x2A, 0x2B])
        #expect(peer.sent == [[0x09, 18, 0x0D, 0] + hash])
    }
}
