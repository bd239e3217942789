import BLEController
import BLEWire
import Testing

/// Attacks on the start, the pause and the packets of encryption, by their numbers in the catalogue of attacks. The
/// attacker sends raw PDUs in the place of one end.
@Suite struct EncryptionAttackTests {
    private static let data = "0207 0300 0400 0A0100"

    private func inject(_ pdu: String, fromCentral: Bool = true, _ pair: inout Pair) {
        pair.radio.radio.injectData(
            hex(pdu), from: fromCentral ? pair.central : pair.peripheral, on: fromCentral ? pair.own : pair.other)
    }

    /// The link of another pair on the same air must not notice anything, and a fresh link must work.
    private func expectOthersAlive(_ pair: inout Pair, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (central, peripheral) = (pair.radio.add(11), pair.radio.add(12))
        let handles = try pair.radio.connect(central, to: peripheral)
        pair.radio.sendData([1, 2], to: central, handles.central)
        pair.radio.run(.milliseconds(200))
        #expect(pair.radio.data(peripheral).map(\.payloadOctets) == [[1, 2]], sourceLocation: sourceLocation)
    }

    @Test func `L18 Rand 0 and EDIV 0 without a key is refused with 0x06, and nothing is encrypted with zeros`() throws
    {
        var pair = try Pair()
        inject("0317 03 0000000000000000 0000 1302F1E0DFCEBDAC 24ABDCBA", &pair)
        try pair.awaitKeyRequest()
        #expect(pair.keyRequests.map(\.random) == [0])
        pair.refuse()
        pair.radio.run(.milliseconds(200))
        #expect(
            pair.controls.map(\.1).contains(
                .rejectExtInd(LLRejectExtInd(rejected: .encReq, reason: .pinOrKeyMissing))))
        #expect(pair.changes(pair.peripheral).isEmpty)
        pair.expectExchange()
        try expectOthersAlive(&pair)
    }

    @Test(arguments: ["L19 after a pairing request with a wrong key size", "L20 before the DHKey check"])
    func `LL_ENC_REQ in the middle of pairing has no key`(_ name: String) throws {
        var pair = try Pair()
        // What was said in pairing is the host's matter: it has no key, and the link layer has none of its own.
        inject("020B 0700 0600 010300 01 FD 07 07", &pair)
        inject("0317 03 0000000000000000 0000 1302F1E0DFCEBDAC 24ABDCBA", &pair)
        try pair.awaitKeyRequest()
        #expect(pair.radio.data(pair.peripheral).map(\.payload.count) == [11])
        pair.refuse()
        pair.radio.run(.milliseconds(200))
        #expect(
            pair.controls.map(\.1).contains(
                .rejectExtInd(LLRejectExtInd(rejected: .encReq, reason: .pinOrKeyMissing))))
        pair.expectExchange()
        try expectOthersAlive(&pair)
    }

    @Test(arguments: [true, false])
    func `L21 LL_START_ENC_REQ on a plain link is unknown and changes nothing`(fromCentral: Bool) throws {
        var pair = try Pair()
        inject("030105", fromCentral: fromCentral, &pair)
        pair.radio.run(.milliseconds(200))
        #expect(pair.controls.map(\.1).last == .unknownRsp(LLUnknownRsp(unknown: .startEncReq)))
        #expect(pair.changes(pair.central).isEmpty && pair.changes(pair.peripheral).isEmpty)
        pair.expectExchange()
        try pair.encrypt()
        pair.expectExchange()
        try expectOthersAlive(&pair)
    }

    @Test(arguments: [EncryptionAttackTests.data, "03060C0859000000", "0301FF", "030106", "03020D06", "030206FF"])
    func `L22 plain PDUs while encryption starts end the link with 0x3D and are never delivered`(
        _ pdu: String
    ) throws {
        var pair = try Pair()
        pair.enable()
        try pair.awaitKeyRequest()
        inject(pdu, &pair)
        pair.radio.run(.milliseconds(200))
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
        #expect(pair.radio.data(pair.peripheral).isEmpty)
        let status1 = pair.reply()
        #expect(status1 == .unknownConnectionIdentifier)
        pair.radio.run(.seconds(5))
        try expectOthersAlive(&pair)
    }

    @Test func `L22 plain data to the central after LL_ENC_RSP ends the link with 0x3D`() throws {
        var pair = try Pair()
        pair.enable()
        try pair.awaitKeyRequest()
        pair.radio.run(.milliseconds(100))
        inject(Self.data, fromCentral: false, &pair)
        pair.radio.run(.milliseconds(200))
        #expect(pair.reasons(pair.central) == [.micFailure])
        #expect(pair.radio.data(pair.central).isEmpty)
        pair.radio.run(.seconds(5))
        try expectOthersAlive(&pair)
    }

    @Test func `L22 LL_START_ENC_RSP in the clear ends the link with 0x3D`() throws {
        var pair = try Pair()
        pair.enable()
        try pair.awaitKeyRequest()
        inject("030106", &pair)
        pair.reply()
        pair.radio.run(.milliseconds(200))
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
        #expect(pair.changes(pair.peripheral).isEmpty)
    }

    @Test func `L24 plain data after LL_PAUSE_ENC_REQ ends the link, and is never delivered`() throws {
        var pair = try Pair()
        try pair.encrypt()
        pair.radio.clear()
        pair.enable(9)
        // LL_PAUSE_ENC_REQ has left once its cipher text is on the air.
        pair.radio.run(atMost: .milliseconds(200)) { $0.linkPackets.contains { $0.pdu.count > 2 } }
        inject(Self.data, &pair)
        pair.radio.run(.milliseconds(300))
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
        #expect(pair.radio.data(pair.peripheral).isEmpty)
        pair.radio.run(.seconds(5))
        try expectOthersAlive(&pair)
    }

    @Test(arguments: [true, false])
    func `L25 one bit of the check changed ends the link with 0x3D at once`(fromCentral: Bool) throws {
        var pair = try Pair()
        try pair.encrypt()
        pair.radio.clear()
        let receiver = fromCentral ? pair.peripheral : pair.central
        // A packet that arrives broken isn't the same as one that was changed: its CRC is right.
        let (sender, handle) = fromCentral ? (pair.central, pair.own) : (pair.peripheral, pair.other)
        pair.radio.sendData([1, 2, 3], to: sender, handle)
        pair.radio.radio.loseNext(1, from: sender, to: receiver)
        pair.radio.run(atMost: .milliseconds(200)) { $0.linkPackets.contains { $0.pdu.count > 2 } }
        var changed = try #require(pair.radio.linkPackets.first { $0.pdu.count > 2 }).pdu
        changed[changed.count - 1] ^= 1
        var other = try Pair()
        try other.encrypt()
        pair.radio.radio.injectData(changed, from: sender, on: handle)
        pair.radio.run(.milliseconds(300))
        // The lost one comes again first and is right; the changed one comes behind it.
        #expect(pair.reasons(receiver) == [.micFailure])
        #expect(pair.radio.data(receiver).count <= 1)
        other.expectExchange()
        pair.radio.run(.seconds(5))
        try expectOthersAlive(&pair)
    }

    @Test func `L26 a recorded packet sent again with the next sequence number ends the link with 0x3D`() throws {
        var pair = try Pair()
        try pair.encrypt()
        pair.radio.clear()
        pair.radio.sendData([1, 2, 3], to: pair.central, pair.own)
        pair.radio.run(.milliseconds(100))
        let recorded = try #require(pair.radio.linkPackets.first { $0.pdu.count > 2 }).pdu
        pair.radio.radio.injectData(recorded, from: pair.central, on: pair.own)
        pair.radio.run(.milliseconds(200))
        #expect(pair.radio.data(pair.peripheral).map(\.payloadOctets) == [[1, 2, 3]])
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
        pair.radio.run(.seconds(5))
        try expectOthersAlive(&pair)
    }

    @Test(arguments: ["03020213", EncryptionAttackTests.data, "030C00 01 0000 1800 0000 C800 FFFF"])
    func `L27 what is injected into a plain link works, and ends an encrypted one with 0x3D`(_ pdu: String) throws {
        var pair = try Pair()
        try pair.encrypt()
        inject(pdu, &pair)
        pair.radio.run(.milliseconds(200))
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
        #expect(pair.radio.data(pair.peripheral).isEmpty)
        pair.radio.run(.seconds(5))
        try expectOthersAlive(&pair)

        var plain = try Pair()
        inject(pdu, &plain)
        plain.radio.run(.milliseconds(200))
        #expect(plain.reasons(plain.peripheral).contains(.micFailure) == false)
    }

    @Test(arguments: [1, 2, 3, 4]) func `a packet shorter than its check ends an encrypted link`(length: Int) throws {
        var pair = try Pair()
        try pair.encrypt()
        let pdu = [2, UInt8(length)] + [UInt8](repeating: 0xAA, count: length)
        pair.radio.radio.injectData(pdu, from: pair.central, on: pair.own)
        pair.radio.run(.milliseconds(200))
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
    }

    @Test func `LL_ENC_REQ on an encrypted link, which wasn't paused, ends it: it is plain`() throws {
        var pair = try Pair()
        try pair.encrypt()
        inject("0317 03 0000000000000000 0000 1302F1E0DFCEBDAC 24ABDCBA", &pair)
        pair.radio.run(.milliseconds(200))
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
        #expect(pair.keyRequests.count == 1)
    }

    @Test func `LL_PAUSE_ENC_REQ on a plain link is unknown`() throws {
        var pair = try Pair()
        inject("03010A", &pair)
        pair.radio.run(.milliseconds(200))
        #expect(pair.controls.map(\.1).last == .unknownRsp(LLUnknownRsp(unknown: .pauseEncReq)))
        pair.expectExchange()
    }

    @Test func `L34 parameters, PHY and encryption begun in one event: each has its end, and the link stays`() throws {
        var pair = try Pair()
        pair.radio.send(
            LEConnectionUpdate(
                handle: pair.other, intervalMinimum: 24, intervalMaximum: 24, latency: 0, supervisionTimeout: 400),
            to: pair.peripheral)
        pair.radio.send(
            LESetPHY(handle: pair.other, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.peripheral)
        pair.radio.send(
            LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.central)
        pair.enable()
        try pair.awaitKeyRequest()
        pair.reply()
        pair.radio.run(.milliseconds(200))
        if pair.radio.events(pair.central).contains(where: {
            if case .leRemoteConnectionParameterRequest = $0 { true } else { false }
        }) {
            pair.radio.send(
                LERemoteConnectionParameterRequestReply(
                    handle: pair.own, intervalMinimum: 24, intervalMaximum: 24, latency: 0, supervisionTimeout: 400),
                to: pair.central)
        }
        pair.radio.run(.seconds(2))
        let statuses = pair.radio.events(pair.peripheral).compactMap { event -> HCIStatus? in
            switch event {
            case .leConnectionUpdateComplete(let event): event.status
            case .lePHYUpdateComplete(let event): event.status
            case .encryptionChange(let event): event.status
            default: nil
            }
        }
        // The loser of a collision hears 0x23 or 0x2A, and nothing hangs.
        #expect(statuses.count >= 3)
        #expect(
            statuses.allSatisfy { [.success, .llProcedureCollision, .differentTransactionCollision].contains($0) })
        #expect(pair.changes(pair.central).map(\.status) == [.success])
        pair.expectExchange()
    }
}
