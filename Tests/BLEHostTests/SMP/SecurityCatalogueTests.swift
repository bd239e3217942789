import BLECrypto
import BLEHost
import BLEWire
import Testing

/// The cases S01 to S29 of the catalogue of attacks on the Security Manager, by their ids. Each also sees that the other
/// link goes on and nothing is left of the pairing.
@Suite struct SecurityCatalogueTests {
    static let otherHandle = ConnectionHandle(rawValue: 0x0041)
    static let otherPeer = DeviceAddress(0xC0FF_EE00_0002, .randomDevice)

    /// A host with a link to the attacker, and one to a peer that means well.
    static func victim(as role: LERole, _ configuration: HostConfiguration = .pairing()) -> HostBench {
        var bench = HostBench.linked(as: role, configuration)
        bench.linkMade(otherHandle, to: otherPeer, as: .peripheral)
        bench.forget()
        return bench
    }

    /// What the host says on the Security Manager's channel to one command; forgotten then.
    static func say(
        _ command: [UInt8], to bench: inout HostBench, on handle: ConnectionHandle = HostBench.handle
    ) -> [[UInt8]] {
        bench.data = []
        bench.receive(command, on: .securityManager, of: handle)
        return bench.sentPDUs(of: handle).filter { $0.channel == .securityManager }.map(\.payload)
    }

    static func isUndisturbed(_ bench: inout HostBench) -> Bool {
        bench.data = []
        // Device Name, by its type.
        bench.receive([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x2A], on: .att, of: otherHandle)
        let answer = bench.sentPDUs(of: otherHandle).first
        return answer?.channel == .att && answer?.payload.first == 0x09
    }

    static let legacyRequest: [UInt8] = [0x01, 0x03, 0x00, 0x01, 0x10, 0x07, 0x07]
    static let secureRequest: [UInt8] = [0x01, 0x03, 0x00, 0x09, 0x10, 0x07, 0x07]

    static let short: [[UInt8]] = SMPCatalogue.all.compactMap { ((try? $0.init().pdu()) ?? []).dropLast() }
    static let long: [[UInt8]] = SMPCatalogue.all.map { ((try? $0.init().pdu()) ?? []) + [0] }

    @Test(arguments: short + long) func `S01 a command of the wrong length is refused`(_ command: [UInt8]) {
        for role in [LERole.central, .peripheral] {
            var bench = Self.victim(as: role)
            // What is longer than every command doesn't get as far as that. [Vol 3, Part H, 3.2]
            let isDropped = command[0] == 0x05 || command.count > 65
            #expect(Self.say(command, to: &bench) == (isDropped ? [] : [[0x05, 0x0A]]))
            #expect(bench.host.pairingCount == 0)
            #expect(Self.isUndisturbed(&bench))
        }
    }

    static let early: [[UInt8]] = [0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0C, 0x0D].map { code in
        let type = SMPCatalogue.all.first { $0.code.rawValue == code }
        return (try? type?.init().pdu()) ?? []
    }

    @Test(arguments: early) func `S02 a command before any request is refused, and pairing goes on`(
        _ command: [UInt8]
    ) {
        var bench = Self.victim(as: .peripheral)
        #expect(Self.say(command, to: &bench) == [[0x05, 0x08]])
        #expect(bench.host.pairingCount == 0)
        #expect(Self.say(Self.legacyRequest, to: &bench).first?.first == 0x02)
        #expect(Self.isUndisturbed(&bench))
    }

    @Test func `S02 a random value before the confirm value is refused`() {
        var bench = Self.victim(as: .peripheral)
        _ = Self.say(Self.legacyRequest, to: &bench)
        bench.command(.answerPairing(HostBench.handle, .accept))
        #expect(Self.say([0x04] + [UInt8](repeating: 7, count: 16), to: &bench) == [[0x05, 0x08]])
        #expect(bench.host.pairingCount == 0)
    }

    @Test(arguments: [0x00, 0x0F, 0xFF] as [UInt8]) func `S03 an unknown command is not supported`(_ code: UInt8) {
        for role in [LERole.central, .peripheral] {
            var bench = Self.victim(as: role)
            #expect(Self.say([code, 1, 2], to: &bench) == [[0x05, 0x07]])
            #expect(Self.isUndisturbed(&bench))
        }
    }

    @Test func `S04 a command of the other role is not supported`() {
        var peripheral = Self.victim(as: .peripheral)
        #expect(Self.say([0x02, 0x03, 0x00, 0x01, 0x10, 0x07, 0x07], to: &peripheral) == [[0x05, 0x07]])
        #expect(Self.say([0x0B, 0x01], to: &peripheral) == [[0x05, 0x07]])
        var central = Self.victim(as: .central)
        #expect(Self.say(Self.legacyRequest, to: &central) == [[0x05, 0x07]])
        #expect(Self.isUndisturbed(&peripheral) && Self.isUndisturbed(&central))
    }

    @Test(arguments: [(0xFD, 0x0A), (17, 0x0A), (255, 0x0A), (0, 0x06), (6, 0x06)] as [(UInt8, UInt8)])
    func `L19 and S05 a key size that can't be is refused`(size: UInt8, reason: UInt8) {
        var bench = Self.victim(as: .peripheral, .pairing { $0.keySizes = 7...16 })
        #expect(Self.say([0x01, 0x03, 0x00, 0x01, size, 0x07, 0x07], to: &bench) == [[0x05, reason]])
        #expect(bench.host.pairingCount == 0)
        // No key for an encryption that follows at once.
        bench.commands = []
        bench.receive(LELongTermKeyRequest(handle: HostBench.handle).packet())
        #expect(bench.opcodes == [.leLongTermKeyRequestNegativeReply])
        #expect(Self.isUndisturbed(&bench))
    }

    @Test func `S06 a key shorter than is wanted is refused`() {
        var bench = Self.victim(as: .peripheral)
        #expect(Self.say([0x01, 0x03, 0x00, 0x01, 0x07, 0x07, 0x07], to: &bench) == [[0x05, 0x06]])
        var central = Self.victim(as: .central)
        central.command(.pair(HostBench.handle))
        #expect(Self.say([0x02, 0x03, 0x00, 0x01, 0x07, 0x07, 0x07], to: &central) == [[0x05, 0x06]])
        #expect(Self.isUndisturbed(&bench))
    }

    @Test func `S07 there are six points to be refused`() {
        #expect(CurveVectors.rejected.count == 6)
    }

    @Test(arguments: CurveVectors.rejected) func `S07 a public key that can't be is refused`(
        _ point: CurveVectors.Point
    ) {
        var bench = Self.victim(as: .peripheral)
        _ = Self.say(Self.secureRequest, to: &bench)
        #expect(Self.say([0x0C] + point.littleEndian, to: &bench) == [[0x05, 0x0B]])
        #expect(bench.host.pairingCount == 0)
        #expect(Self.isUndisturbed(&bench))
    }

    @Test(arguments: [false, true]) func `S08 our own public key sent back is refused`(onlyX: Bool) throws {
        var bench = Self.victim(as: .central)
        bench.command(.pair(HostBench.handle))
        let sent = Self.say([0x02, 0x03, 0x00, 0x09, 0x10, 0x07, 0x07], to: &bench)
        var key = try #require(sent.first)
        #expect(key.first == 0x0C && key.count == 65)
        if onlyX { key[64] ^= 1 }
        #expect(Self.say(key, to: &bench) == [[0x05, 0x0B]])
        #expect(bench.host.pairingCount == 0)
        #expect(Self.isUndisturbed(&bench))
    }

    @Test func `S09 the debug key is refused, or its pairing never kept`() throws {
        let pair = try #require(CurveVectors.debugKey)
        let own = OwnOutOfBandData(keyPair: pair, random: 0)
        var refused = PairingPair { first, _ in first.outOfBand.own = own }
        refused.pair()
        #expect(refused.responder.failure == .sent(.dhKeyCheckFailed))
        var taken = PairingPair { first, second in
            first.outOfBand.own = own
            second.policy.acceptsDebugKey = true
        }
        taken.pair()
        #expect(taken.responder.result?.isBonding == false)
        #expect(taken.responder.result?.strength.isAuthenticated == false)
    }

    @Test(arguments: [
        (SMPIOCapability.noInputNoOutput, SMPIOCapability.noInputNoOutput), (.displayOnly, .keyboardOnly),
    ])
    func `S10 our own confirm value sent back proves nothing`(ours: SMPIOCapability, theirs: SMPIOCapability) throws {
        var bench = Self.victim(as: .central, .pairing(ours))
        bench.command(.pair(HostBench.handle))
        bench.data = []
        bench.receive([0x02, theirs.rawValue, 0x00, 0x05, 0x10, 0x00, 0x00], on: .securityManager)
        bench.command(.answerPairing(HostBench.handle, .accept))
        let confirm = try #require(bench.sentPDUs().first { $0.payload.first == 0x03 }?.payload)
        #expect(Self.say(confirm, to: &bench) == [[0x05, 0x04]])
        #expect(bench.host.pairingCount == 0)
        #expect(Self.isUndisturbed(&bench))
    }
}
