import BLECrypto
import BLEHost
import BLEWire
import Testing

/// Every kind of access against every permission on every kind of link: A21. [Vol 3, Part F, 4]
@Suite struct PermissionTableTests {
    /// What a link may be worth, in the order of the columns below.
    static let links: [@Sendable (inout LinkSecurity) -> Void] = [
        { _ in },
        { $0.hasKey = true },
        { ($0.isEncrypted, $0.hasKey) = (true, true) },
        { ($0.isEncrypted, $0.hasKey, $0.isAuthenticated) = (true, true, true) },
        { ($0.isEncrypted, $0.hasKey, $0.isAuthenticated, $0.isSecureConnections) = (true, true, true, true) },
        {
            ($0.isEncrypted, $0.hasKey, $0.isAuthenticated, $0.isSecureConnections) = (true, true, true, true)
            $0.keySize = 7
        },
    ]

    struct Row: Sendable {
        var name: String
        var permissions: AttributePermissions
        /// The error for each kind of link, 0 = allowed.
        var errors: [UInt8]
    }

    /// Plain; plain with a key; encrypted; by an authenticated key; by one of LE Secure Connections, too; by one that is
    /// too short.
    static func rows(writing: Bool) -> [Row] {
        let base: AttributePermissions = writing ? .write : .read
        let encrypted: AttributePermissions = writing ? .writeEncrypted : .readEncrypted
        let authenticated: AttributePermissions = writing ? .writeAuthenticated : .readAuthenticated
        let secure: AttributePermissions = writing ? .writeSecure : .readSecure
        let never: UInt8 = writing ? 0x03 : 0x02
        return [
            Row(name: "none", permissions: [], errors: Array(repeating: never, count: 6)),
            // The other access is allowed, which doesn't help.
            Row(name: "other", permissions: writing ? .read : .write, errors: Array(repeating: never, count: 6)),
            Row(name: "open", permissions: base, errors: [0, 0, 0, 0, 0, 0]),
            Row(name: "encrypted", permissions: [base, encrypted], errors: [0x05, 0x0F, 0, 0, 0, 0x0C]),
            Row(name: "authenticated", permissions: [base, authenticated], errors: [0x05, 0x0F, 0x05, 0, 0, 0x0C]),
            Row(name: "secure", permissions: [base, secure], errors: [0x05, 0x0F, 0x05, 0x05, 0, 0x0C]),
            Row(name: "authorized", permissions: [base, .authorize], errors: Array(repeating: 0x08, count: 6)),
            Row(
                name: "both", permissions: [base, encrypted, .authorize],
                errors: [0x05, 0x0F, 0x08, 0x08, 0x08, 0x0C]),
        ]
    }

    private static func peer(_ permissions: AttributePermissions, link: Int) -> ScriptedPeer {
        var configuration = GATTServerConfiguration.empty
        configuration.minimumKeySize = 16
        var server = GATTServer(configuration: configuration)
        _ = server.addService(
            GATTServiceDefinition(
                uuid: 0xFFF0, characteristics: [.dynamic(0xFFF1, permissions, properties: 0x4E), .stored(0xFFF2, [9])]))
        var peer = ScriptedPeer(server)
        peer.application = { _ in (.success, [1, 2, 3]) }
        peer.changeSecurity(links[link])
        peer.events = []
        return peer
    }

    /// Whether the application was asked for something.
    private static func reached(_ peer: ScriptedPeer) -> Bool {
        peer.events.contains {
            switch $0 {
            case .readRequested, .writeRequested: true
            default: false
            }
        }
    }

    private static func isUndisturbed(_ peer: inout ScriptedPeer) -> Bool {
        peer.sent = []
        peer.receive([0x0A, 0x05, 0x00])
        return peer.sent == [[0x0B, 9]]
    }

    static let reads = ["0A 03 00", "0C 03 00 01 00", "08 01 00 FF FF F1 FF", "0E 03 00 05 00", "20 05 00 03 00"]
    static let writes = ["12 03 00 07", "16 03 00 00 00 07"]

    @Test(arguments: reads.map { ($0, false) } + writes.map { ($0, true) })
    func `A21 each request gets the error of the table, and nothing else`(_ hex: String, writing: Bool) throws {
        let request = try #require(Hex.octets(hex))
        for row in Self.rows(writing: writing) {
            for (link, error) in row.errors.enumerated() {
                var peer = Self.peer(row.permissions, link: link)
                peer.receive(request)
                if error == 0 {
                    #expect(peer.sent.map(\.first) == [request[0] + 1], "\(row.name) on link \(link)")
                    if request[0] != 0x16 { #expect(Self.reached(peer)) }
                } else {
                    #expect(peer.sent == [[0x01, request[0], 3, 0, error]], "\(row.name) on link \(link)")
                    #expect(!Self.reached(peer))
                }
                #expect(Self.isUndisturbed(&peer))
            }
        }
    }

    @Test func `A21 a command that isn't allowed is silent and does nothing`() {
        for row in Self.rows(writing: true) {
            for (link, error) in row.errors.enumerated() {
                var peer = Self.peer(row.permissions, link: link)
                peer.receive([0x52, 3, 0, 7])
                #expect(peer.sent.isEmpty)
                #expect(Self.reached(peer) == (error == 0), "\(row.name) on link \(link)")
                #expect(Self.isUndisturbed(&peer))
            }
        }
    }

    @Test func `A21 a signed write does nothing where the link is encrypted or the table says no`() {
        let message: [UInt8] = [0xD2, 3, 0, 7]
        let pdu = message + ATTSignature.sign(message, csrk: 0xC5, counter: 0)
        for row in Self.rows(writing: true) {
            for (link, error) in row.errors.enumerated() {
                var peer = Self.peer(row.permissions, link: link)
                peer.connection.peerSigningKey = GATTSigningKey(csrk: 0xC5, counter: 0)
                peer.receive(pdu)
                #expect(peer.sent.isEmpty)
                #expect(Self.reached(peer) == (error == 0 && link < 2), "\(row.name) on link \(link)")
                #expect(Self.isUndisturbed(&peer))
            }
        }
    }

    @Test func `A21 what was prepared on a link that is worth less later isn't written`() {
        var peer = Self.peer([.write, .writeEncrypted], link: 2)
        peer.receive([0x16, 3, 0, 0, 0, 7])
        peer.changeSecurity(Self.links[1])
        peer.sent = []
        peer.events = []
        peer.receive([0x18, 0x01])
        #expect(peer.sent == [[0x01, 0x18, 3, 0, 0x0F]])
        #expect(!Self.reached(peer))
    }

    @Test(
        arguments: [
            ([0x0A, 3, 0], 0x0A), ([0x0C, 3, 0, 0, 0], 0x0C), ([0x08, 1, 0, 0xFF, 0xFF, 0xF1, 0xFF], 0x08),
            ([0x0E, 5, 0, 3, 0], 0x0E), ([0x20, 5, 0, 3, 0], 0x20),
        ] as [([UInt8], UInt8)])
    func `A21 a value that was asked of the application isn't told on a link that is worth less by then`(
        request: [UInt8], opcode: UInt8
    ) throws {
        var peer = Self.peer([.read, .readEncrypted], link: 2)
        peer.application = { _ in nil }
        peer.receive(request)
        guard case .readRequested(_, let id, _, _)? = peer.events.last else {
            Issue.record("the application wasn't asked")
            return
        }
        peer.changeSecurity(Self.links[1])
        peer.sent = []
        peer.respond(id, value: [1, 2, 3])
        #expect(peer.sent == [[0x01, opcode, 3, 0, 0x0F]])
    }
}
