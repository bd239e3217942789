import BLECrypto
import BLEHost
import BLEWire
import Testing

extension SecurityCatalogueTests {
    private static func bond(_ peer: DeviceAddress, authenticated: Bool) -> Bond {
        var bond = Bond(
            peer: peer,
            strength: PairingStrength(isAuthenticated: authenticated, isSecureConnections: true, keySize: 16))
        bond.keyAsPeripheral = EncryptionKey(longTermKey: Key128(0xABCD))
        bond.keyAsCentral = bond.keyAsPeripheral
        return bond
    }

    @Test func `S18 a weaker pairing doesn't take the place of a bond`() {
        var pair = HostPair(central: .pairing(), peripheral: .pairing())
        let old = Self.bond(HostPair.addresses[0], authenticated: true)
        pair.command(.loadBonds([old]), at: .peripheral)
        pair.connect()
        pair.command(.pair(HostPair.handle), at: .central)
        #expect(pair.outcomes(at: .peripheral).count == 1)
        #expect(pair.bonds(at: .peripheral) == [old])
    }

    @Test(arguments: [true, false]) func `S18 one as strong does if a person agrees`(agrees: Bool) {
        var pair = HostPair(central: .pairing(), peripheral: .pairing())
        let old = Self.bond(HostPair.addresses[0], authenticated: false)
        pair.command(.loadBonds([old]), at: .peripheral)
        pair.answers[1] = { $0 == .replaceBond && !agrees ? .reject : .accept }
        pair.connect()
        pair.command(.pair(HostPair.handle), at: .central)
        #expect((pair.bonds(at: .peripheral) == [old]) == !agrees)
        #expect(pair.bonds(at: .peripheral).count == 1)
        #expect(pair.hosts[1].pairingCount == 0)
    }

    /// The central says in its Identity Address Information that it is somebody else.
    private static func pretending(to be: DeviceAddress, _ configuration: HostConfiguration) -> HostPair {
        var pair = HostPair(central: configuration, peripheral: .pairing())
        let claim: [UInt8] =
            [0x09, be.isRandom ? 1 : 0] + (0..<6).map { UInt8(truncatingIfNeeded: be.bits >> (8 * $0)) }
        pair.wire = { $0 == .central && $1[0] == 0x09 ? [claim] : [$1] }
        return pair
    }

    @Test func `S18 who comes under its own address and says it is another peer has a bond of its own`() {
        var configuration = HostConfiguration.pairing()
        configuration.identityResolvingKey = Key128(0x1234)
        var pair = Self.pretending(to: Self.otherPeer, configuration)
        let old = Self.bond(Self.otherPeer, authenticated: false)
        pair.command(.loadBonds([old]), at: .peripheral)
        pair.connect()
        pair.command(.pair(HostPair.handle), at: .central)
        // Nobody is asked whether the other peer's bond may go.
        #expect(pair.bonds(at: .peripheral).map(\.peer) == [Self.otherPeer, HostPair.addresses[0]])
        #expect(pair.bonds(at: .peripheral).first == old)
        #expect(pair.bonds(at: .peripheral).last?.irk == Key128(0x1234))
    }

    @Test func `S18 another peer's key for its addresses isn't kept`() {
        var configuration = HostConfiguration.pairing()
        configuration.identityResolvingKey = Key128(0x1234)
        var pair = HostPair(central: configuration, peripheral: .pairing())
        var old = Self.bond(Self.otherPeer, authenticated: false)
        old.irk = Key128(0x1234)
        pair.command(.loadBonds([old]), at: .peripheral)
        pair.connect()
        pair.command(.pair(HostPair.handle), at: .central)
        #expect(pair.bonds(at: .peripheral) == [old])
    }

    @Test func `S19 a key that wasn't agreed on, or comes twice, ends the pairing`() {
        let extra: [UInt8] = [0x0A] + [UInt8](repeating: 1, count: 16)
        for isTwice in [true, false] {
            var pair = PairingPair(responder: .with(.noInputNoOutput) { $0.accepts = [.encryption, .identity] })
            pair.wire = { fromInitiator, octets in
                guard fromInitiator, octets[0] == 0x08 else { return [octets] }
                return isTwice ? [octets, octets] : [extra, octets]
            }
            pair.pair()
            #expect(pair.responder.failure == .sent(.unspecifiedReason))
            #expect(pair.responder.result == nil)
        }
    }

    @Test func `S19 a key that is left out ends the pairing by time`() {
        var pair = PairingPair()
        pair.wire = { $0 && $1[0] == 0x0A ? [] : [$1] }
        pair.pair()
        pair.advance(by: .seconds(31))
        #expect(pair.responder.failure == .timeout)
        #expect(pair.responder.result == nil)
    }

    @Test func `S19 a key on a plain link ends the pairing`() {
        var bench = Self.victim(as: .peripheral)
        _ = Self.say(Self.legacyRequest, to: &bench)
        #expect(Self.say([0x06] + [UInt8](repeating: 1, count: 16), to: &bench) == [[0x05, 0x08]])
        #expect(bench.host.bonds.isEmpty && bench.host.pairingCount == 0)
        #expect(Self.isUndisturbed(&bench))
    }

    @Test func `S20 a key of zeros resolves nothing`() {
        var pair = PairingPair { first, _ in first.ownIRK = 0 }
        pair.pair()
        #expect(pair.responder.result?.peerIRK == nil)
        #expect(pair.responder.result?.peerIdentity == PairingPair.initiatorAddress)
    }

    @Test(arguments: [0x4011_2233_4455, 0x0011_2233_4455, 0x8011_2233_4455] as [UInt64])
    func `S20 an identity that changes is none`(bits: UInt64) {
        var pair = PairingPair()
        let octets: [UInt8] = [0x09, 0x01] + (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        pair.wire = { $0 && $1[0] == 0x09 ? [octets] : [$1] }
        pair.pair()
        #expect(pair.responder.failure == .sent(.invalidParameters))
        #expect(pair.responder.result == nil)
    }

    @Test func `S21 keys of the other transport aren't agreed on`() {
        var bench = Self.victim(as: .peripheral)
        let answer = Self.say([0x01, 0x03, 0x00, 0x29, 0x10, 0x0F, 0x0F], to: &bench).first
        #expect(answer?.suffix(2) == [0x07, 0x07])
        var central = Self.victim(as: .central)
        central.command(.pair(HostBench.handle))
        #expect(central.sentPDUs().first?.payload.suffix(2) == [0x07, 0x07])
        // A response that adds what wasn't asked for is refused.
        #expect(Self.say([0x02, 0x03, 0x00, 0x09, 0x10, 0x0F, 0x0F], to: &central) == [[0x05, 0x0A]])
    }

    @Test func `S22 a weaker pairing on a bonded link is refused, and the bond lives`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        pair.command(.pair(HostPair.handle), at: .central)
        pair.disconnect()
        pair.connect()
        #expect(pair.linkKey != nil)
        let bonds = pair.bonds(at: .peripheral)
        #expect(bonds.count == 1)
        pair.commands = [[], []]
        pair.inject(Self.legacyRequest, to: .peripheral)
        #expect(pair.commands[1] == [[0x05, 0x03]])
        #expect(pair.bonds(at: .peripheral) == bonds)
        #expect(pair.security(at: .peripheral)?.isEncrypted == true)
        // One as strong goes on, and the old key lives until the new one is complete.
        pair.inject(Self.secureRequest, to: .peripheral)
        #expect(pair.commands[1].last?.first == 0x02)
        #expect(pair.bonds(at: .peripheral) == bonds)
    }

    @Test func `S23 each link has a pairing of its own`() {
        var bench = Self.victim(as: .peripheral)
        _ = Self.say(Self.legacyRequest, to: &bench)
        bench.command(.answerPairing(HostBench.handle, .accept))
        let confirm: [UInt8] = [0x03] + [UInt8](repeating: 1, count: 16)
        #expect(Self.say(confirm, to: &bench, on: Self.otherHandle) == [[0x05, 0x08]])
        #expect(bench.host.pairingCount == 1)
        #expect(Self.say(confirm, to: &bench).first?.first == 0x03)
    }

    @Test func `S24 after 30 seconds of silence there is no more of it on this link`() {
        var bench = Self.victim(as: .peripheral)
        _ = Self.say(Self.legacyRequest, to: &bench)
        bench.events = []
        bench.advance(by: .milliseconds(29_999))
        #expect(bench.events.isEmpty)
        bench.advance(by: .milliseconds(1))
        #expect(bench.events == [.pairingEnded(HostBench.handle, .failure(.pairing(.timeout)))])
        #expect(Self.say(Self.legacyRequest, to: &bench).isEmpty)
        #expect(bench.host.pairingCount == 0)
        #expect(Self.isUndisturbed(&bench))
    }

    @Test(arguments: 0..<15) func `S25 a link that goes after any command leaves nothing`(count: Int) {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        var number = 0
        pair.wire = { _, octets in
            defer { number += 1 }
            return number < count ? [octets] : []
        }
        pair.command(.pair(HostPair.handle), at: .central)
        pair.disconnect(.connectionTimeout)
        #expect(pair.bonds(at: .peripheral).isEmpty)
        for host in pair.hosts { #expect(host.pairingCount == 0 && host.linkCount == 0) }
        pair.wire = { [$1] }
        pair.forget()
        // The central may have had all it waited for; it forgets so that the next attempt is a pairing.
        pair.command(.removeBond(HostPair.addresses[1]), at: .central)
        pair.connect()
        pair.command(.pair(HostPair.handle), at: .central)
        #expect(pair.bonds(at: .peripheral).count == 1 && pair.bonds(at: .central).count == 1)
        #expect(pair.security(at: .central)?.isEncrypted == true)
    }

    @Test func `S26 a peer that has lost its key is told, and not paired with again by itself`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        pair.command(.pair(HostPair.handle), at: .central)
        pair.disconnect()
        pair.command(.removeBond(HostPair.addresses[0]), at: .peripheral)
        pair.forget()
        pair.connect()
        let handle = HostPair.handle
        let about = pair.events[0].suffix(2)
        #expect(
            Array(about) == [
                .encryptionFailed(handle, .pinOrKeyMissing),
                .disconnected(handle, HostPair.addresses[1], reason: .pinOrKeyMissing),
            ])
        #expect(pair.commands == [[], []])
        #expect(pair.bonds(at: .central).count == 1)
    }

    @Test func `S27 out of band: without data, with a wrong confirm value, with a random value of 0`() {
        var bench = Self.victim(as: .peripheral)
        #expect(Self.say([0x01, 0x03, 0x01, 0x09, 0x10, 0x07, 0x07], to: &bench) == [[0x05, 0x02]])
        #expect(Self.isUndisturbed(&bench))
        var generator = SeededGenerator(state: 5)
        let responderData = OwnOutOfBandData(keyPair: P256KeyPair(using: &generator), random: 0)
        for isWrong in [true, false] {
            var pair = PairingPair { first, second in
                second.outOfBand.own = responderData
                first.outOfBand.peer = (isWrong ? 1 : responderData.confirm, 0)
            }
            pair.pair()
            if isWrong {
                #expect(pair.initiator.failure == .sent(.confirmValueFailed))
            } else {
                #expect(pair.initiator.result?.model == .outOfBand)
                #expect(pair.responder.result?.strength.isAuthenticated == true)
                #expect(pair.initiator.questions.isEmpty)
            }
        }
    }

    @Test func `S27 out of band in both directions, and with a temporary key`() {
        var generator = SeededGenerator(state: 6)
        let first = OwnOutOfBandData(using: &generator)
        let second = OwnOutOfBandData(using: &generator)
        var both = PairingPair { initiator, responder in
            initiator.outOfBand.own = first
            initiator.outOfBand.peer = (second.confirm, second.random)
            responder.outOfBand.own = second
            responder.outOfBand.peer = (first.confirm, first.random)
        }
        both.pair()
        #expect(both.initiator.result?.model == .outOfBand && both.responder.result != nil)
        for isSame in [true, false] {
            var legacy = PairingPair(initiator: .legacy(.noInputNoOutput), responder: .legacy(.noInputNoOutput)) {
                $0.outOfBand.temporaryKey = Key128(77)
                $1.outOfBand.temporaryKey = Key128(isSame ? 77 : 78)
            }
            legacy.pair()
            #expect((legacy.initiator.result != nil) == isSame)
            if !isSame { #expect(legacy.responder.failure == .sent(.confirmValueFailed)) }
        }
    }
}
