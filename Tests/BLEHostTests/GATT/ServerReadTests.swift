import BLEHost
import BLEWire
import Testing

@Suite struct ServerReadTests {
    @Test(arguments: ["00 00", "04 00", "FF FF"]) func `answers Invalid Handle for a handle that isn't there`(
        handle: String
    ) {
        var peer = ScriptedPeer(.with(.stored()))
        peer.play("← 0A " + handle, "→ 01 0A \(handle) 01", "← 0C \(handle) 00 00", "→ 01 0C \(handle) 01")
    }

    @Test func `a value is cut at the MTU less one`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, Array(repeating: 7, count: 23))))
        peer.receive([0x0A, 3, 0])
        #expect(peer.sent == [[0x0B] + Array(repeating: 7, count: 22)])
    }

    @Test func `a blob begins at its offset`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [1, 2, 3])))
        peer.play("← 0C 03 00 00 00", "→ 0D 01 02 03", "← 0C 03 00 02 00", "→ 0D 03")
    }

    @Test func `A15 a blob at the end is empty and past the end is an Invalid Offset`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [1, 2, 3])))
        peer.play(
            "← 0C 03 00 03 00", "→ 0D", "← 0C 03 00 04 00", "→ 01 0C 03 00 07", "← 0C 03 00 FF FF",
            "→ 01 0C 03 00 07")
    }

    @Test func `an empty value is a value`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [])))
        peer.play("← 0A 03 00", "→ 0B", "← 0C 03 00 00 00", "→ 0D", "← 0C 03 00 01 00", "→ 01 0C 03 00 07")
    }

    @Test func `every blob of a dynamic value is asked of the application with its offset`() {
        var peer = ScriptedPeer(.with(.dynamic()))
        peer.application = { event in
            guard case .readRequested(_, _, _, let offset) = event else { return nil }
            return offset > 30 ? (.invalidOffset, []) : (.success, Array(repeating: UInt8(offset), count: 30 - offset))
        }
        peer.receive([0x0A, 3, 0])
        peer.receive([0x0C, 3, 0, 22, 0])
        peer.receive([0x0C, 3, 0, 31, 0])
        #expect(
            peer.sent == [
                [0x0B] + Array(repeating: 0, count: 22), [0x0D] + Array(repeating: 22, count: 8),
                [0x01, 0x0C, 3, 0, 7],
            ])
    }

    @Test func `an error of the application goes to the client as it is`() {
        var peer = ScriptedPeer(.with(.dynamic()))
        peer.application = { _ in (ATTErrorCode(rawValue: 0x80), []) }
        peer.play("← 0A 03 00", "→ 01 0A 03 00 80")
    }

    @Test func `a request is answered once`() {
        var peer = ScriptedPeer(.with(.dynamic()))
        peer.play("← 0A 03 00", "→ nothing")
        peer.respond(GATTRequestID(rawValue: 1), value: [1])
        peer.respond(GATTRequestID(rawValue: 1), value: [2])
        peer.respond(GATTRequestID(rawValue: 77), value: [3])
        peer.play("→ 0B 01")
    }

    // MARK: Read By Type

    @Test func `values of one length are listed up to the first of another`() {
        var peer = ScriptedPeer(
            .with(.stored(0xB002, [1]), .stored(0xB002, [2]), .stored(0xB002, [3, 4]), .stored(0xB002, [5])))
        peer.play("← 08 01 00 FF FF 02 B0", "→ 09 03 03 00 01 05 00 02")
    }

    @Test func `a value that is too long for the list is cut to the MTU less four`() {
        var peer = ScriptedPeer(.with(.stored(0xB002, Array(0..<30))))
        peer.receive([0x08, 1, 0, 0xFF, 0xFF, 0x02, 0xB0])
        #expect(peer.sent == [[0x09, 21, 3, 0] + Array(0..<19)])
    }

    @Test func `no entry is longer than 255 octets`() {
        var peer = ScriptedPeer(.with(.stored(0xB002, Array(repeating: 1, count: 512)))) { $0.receiveMTU = 517 }
        peer.play("← 02 05 02", "→ 03 05 02")
        peer.receive([0x08, 1, 0, 0xFF, 0xFF, 0x02, 0xB0])
        #expect(peer.sent == [[0x09, 255, 3, 0] + Array(repeating: 1, count: 253)])
    }

    @Test func `the error of the first attribute names its handle`() {
        var peer = ScriptedPeer(.with(.stored(0xB007, [1], .write), .stored(0xB007, [2])))
        peer.play("← 08 01 00 FF FF 07 B0", "→ 01 08 03 00 02")
    }

    @Test func `an attribute that can't be read ends the list behind the first`() {
        var peer = ScriptedPeer(.with(.stored(0xB007, [1]), .stored(0xB007, [2], .write), .stored(0xB007, [3])))
        peer.play("← 08 01 00 FF FF 07 B0", "→ 09 03 03 00 01")
    }

    @Test func `a dynamic value is asked for when it comes first and ends the list when it doesn't`() {
        var peer = ScriptedPeer(.with(.stored(0xB007, [1]), .dynamic(0xB007)))
        peer.application = { _ in (.success, [9, 9]) }
        peer.play("← 08 01 00 FF FF 07 B0", "→ 09 03 03 00 01", "← 08 04 00 FF FF 07 B0", "→ 09 04 05 00 09 09")
    }

    // MARK: Read Multiple

    private static func three() -> GATTServer {
        .with(.stored(0xB001, [0x11]), .stored(0xB002, Array(0..<20)), .dynamic(0xB003), .stored(0xB004, [1], .write))
    }

    @Test func `A06 values stand one after the other, cut at the MTU less one`() {
        var peer = ScriptedPeer(Self.three())
        peer.receive([0x0E, 3, 0, 5, 0, 5, 0])
        #expect(peer.sent == [[0x0F, 0x11] + Array(0..<20) + [0]])
    }

    @Test func `with lengths the list is cut at the MTU and the lengths stay whole`() {
        var peer = ScriptedPeer(Self.three())
        peer.receive([0x20, 5, 0, 5, 0])
        #expect(peer.sent == [[0x21, 20, 0] + Array(0..<20)])
    }

    @Test func `dynamic values in between are asked for`() {
        var peer = ScriptedPeer(Self.three())
        peer.application = { _ in (.success, [0xDD]) }
        peer.play("← 20 03 00 07 00 03 00", "→ 21 01 00 11 01 00 DD 01 00 11")
    }

    @Test(arguments: ["0E", "20"]) func `A05 fewer than two handles are an Invalid PDU`(opcode: String) {
        var peer = ScriptedPeer(Self.three())
        peer.play("← " + opcode, "→ 01 \(opcode) 00 00 04", "← \(opcode) 03 00", "→ 01 \(opcode) 00 00 04")
    }

    @Test(arguments: ["0E", "20"]) func `the error names the first handle that caused one`(opcode: String) {
        var peer = ScriptedPeer(Self.three())
        peer.play(
            "← \(opcode) 03 00 F0 0F", "→ 01 \(opcode) F0 0F 01", "← \(opcode) 07 00 09 00 F0 0F",
            "→ 01 \(opcode) 09 00 02")
        #expect(peer.events == [])
    }

    @Test(arguments: [11, 12, 100]) func `A05 however many handles are asked for, the answer fits the MTU`(count: Int) {
        var peer = ScriptedPeer(Self.three())
        peer.receive([0x20] + Array(repeating: [5, 0], count: count).flatMap { $0 })
        #expect(peer.sent == [[0x21, 20, 0] + Array(0..<20)])
    }
}

@Suite struct PermissionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let permissions: AttributePermissions
        let security: String
        let read: UInt8
        let write: UInt8
        var testDescription: String { "\(permissions.rawValue) on a link that is \(security)" }
        init(_ permissions: AttributePermissions, _ security: String, _ read: UInt8, _ write: UInt8) {
            self.permissions = permissions
            self.security = security
            self.read = read
            self.write = write
        }
    }

    private static func security(_ name: String) -> LinkSecurity {
        var security = LinkSecurity()
        security.hasKey = name != "plain"
        security.isEncrypted = !["plain", "bonded"].contains(name)
        security.isAuthenticated = ["authenticated", "secure"].contains(name)
        security.isSecureConnections = name == "secure"
        if name == "short" { security.keySize = 6 }
        return security
    }

    private static let both: AttributePermissions = [.read, .write]
    static let cases: [Case] = [
        Case([], "plain", 0x02, 0x03), Case(.read, "plain", 0, 0x03), Case(.write, "plain", 0x02, 0),
        Case(both, "plain", 0, 0),
        Case([.readEncrypted, .writeEncrypted], "encrypted", 0x02, 0x03),
        Case([.read, .write, .readEncrypted], "plain", 0x05, 0),
        Case([.read, .write, .writeEncrypted], "plain", 0, 0x05),
        Case([.read, .write, .readEncrypted, .writeEncrypted], "bonded", 0x0F, 0x0F),
        Case([.read, .write, .readEncrypted, .writeEncrypted], "encrypted", 0, 0),
        Case([.read, .write, .readEncrypted, .writeEncrypted], "short", 0x0C, 0x0C),
        Case([.read, .write, .readAuthenticated, .writeAuthenticated], "plain", 0x05, 0x05),
        Case([.read, .write, .readAuthenticated, .writeAuthenticated], "encrypted", 0x05, 0x05),
        Case([.read, .write, .readAuthenticated, .writeAuthenticated], "authenticated", 0, 0),
        Case([.read, .write, .readSecure, .writeSecure], "authenticated", 0x05, 0x05),
        Case([.read, .write, .readSecure, .writeSecure], "secure", 0, 0),
        Case([.read, .write, .authorize], "plain", 0x08, 0x08),
        Case([.read, .write, .authorize], "secure", 0x08, 0x08),
    ]

    private func peer(_ test: Case) -> ScriptedPeer {
        ScriptedPeer(.with(.stored(0xFFF1, [1], test.permissions, properties: 0x0A))) {
            $0.security = Self.security(test.security)
        }
    }

    private func answer(_ request: UInt8, _ error: UInt8, _ success: String) -> String {
        error == 0 ? "→ " + success : "→ 01 \(Hex.octet(request)) 03 00 \(Hex.octet(error))"
    }

    @Test(arguments: cases) func `each way of reading is judged alike`(test: Case) {
        var peer = peer(test)
        peer.play("← 0A 03 00", answer(0x0A, test.read, "0B 01"))
        peer.play("← 0C 03 00 00 00", answer(0x0C, test.read, "0D 01"))
        peer.play("← 08 01 00 FF FF F1 FF", answer(0x08, test.read, "09 03 03 00 01"))
        peer.play("← 0E 03 00 01 00", answer(0x0E, test.read, "0F 01 F0 FF"))
        peer.play("← 20 03 00 01 00", answer(0x20, test.read, "21 01 00 01 02 00 F0 FF"))
    }

    @Test(arguments: cases) func `each way of writing is judged alike`(test: Case) {
        var peer = peer(test)
        peer.play("← 12 03 00 05", answer(0x12, test.write, "13"))
        peer.play("← 16 03 00 00 00 06", answer(0x16, test.write, "17 03 00 00 00 06"))
        peer.play("← 18 00", "→ 19")
    }

    @Test(arguments: cases) func `a command that isn't permitted is silent and without effect`(test: Case) {
        var peer = peer(test)
        peer.play("← 52 03 00 09", "→ nothing")
        guard test.permissions.contains(.read), test.read == 0 else { return }
        peer.play("← 0A 03 00", test.write == 0 ? "→ 0B 09" : "→ 0B 01")
    }

    @Test func `security that rises is seen by the next request`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [1], [.read, .readEncrypted])))
        peer.play("← 0A 03 00", "→ 01 0A 03 00 05")
        peer.changeSecurity { $0.isEncrypted = true }
        peer.play("← 0A 03 00", "→ 0B 01")
    }
}
