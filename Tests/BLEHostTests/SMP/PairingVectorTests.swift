import BLEHost
import BLEWire
import Testing

/// Whole pairings that another stack has printed, played octet by octet: with the same keys and nonces the same
/// commands leave.
@Suite struct PairingVectorTests {
    @Test func `there are 21 pairings`() {
        #expect(PairingVector.all.count == 21)
        #expect(PairingVector.all.count { $0.kind == "legacy" } == 6)
        #expect(PairingVector.all.count { $0.mustFail != nil } == 1)
    }

    @Test(arguments: PairingVector.played) func `a pairing goes as printed`(_ played: PairingVector.Played) throws {
        var player = try Player(played)
        player.play()
        let vector = played.vector
        if vector.mustFail != nil {
            // The peer's public key is ours.
            #expect(player.sent.count > 2 && player.sent[2] == [0x05, 0x0B])
            #expect(player.failure == .sent(.dhKeyCheckFailed))
            #expect(player.encrypted == nil)
            return
        }
        #expect(player.sent == player.expected)
        #expect(player.failure == nil)
        let key = try #require(vector.key)
        #expect((played.isInitiator ? player.encrypted : player.machine.currentKey) == key)
        if let displayed = vector.displayed { #expect(player.questions == [.compare(displayed)]) }
    }
}

/// One side of a printed pairing; the other one says what is printed.
private struct Player {
    let played: PairingVector.Played
    var machine: PairingMachine
    var random = WordList()
    var sent: [[UInt8]] = []
    var expected: [[UInt8]] = []
    var questions: [PairingQuestion] = []
    var failure: PairingFailure?
    var encrypted: Key128?

    init(_ played: PairingVector.Played) throws {
        self.played = played
        let vector = played.vector
        let own = vector.commands.filter { $0.fromInitiator == played.isInitiator }.map(\.octets)
        expected = own
        var context = PairingContext(
            isInitiator: played.isInitiator, ownAddress: vector.address(ofInitiator: played.isInitiator),
            peerAddress: vector.address(ofInitiator: !played.isInitiator))
        let features = try SMPPairingFeatures(decoding: Array(try #require(own.first).dropFirst()))
        context.policy.ioCapability = features.ioCapability
        context.policy.bonds = features.authentication.contains(.bonding)
        context.policy.wantsProtection = features.authentication.contains(.mitm)
        context.policy.secureConnections = features.authentication.contains(.secureConnections) ? .preferred : .off
        context.policy.sendsKeypresses = features.authentication.contains(.keypress)
        context.policy.distributes = played.isInitiator ? features.initiatorKeys : features.responderKeys
        context.policy.accepts = played.isInitiator ? features.responderKeys : features.initiatorKeys
        if vector.method == "out of band" {
            context.outOfBand.temporaryKey = vector.tk.flatMap { UInt128($0, radix: 16) }.map { Key128($0) }
        }
        machine = PairingMachine(context: context)
        let model = try Self.model(vector)
        if let key = vector.privateKey.flatMap({ Hex.octets($0) }) { random.append(privateKey: key) }
        if case .passkey(let initiatorTypes, let responderTypes) = model,
            !(played.isInitiator ? initiatorTypes : responderTypes)
        {
            random.append(passkey: try #require(vector.passkey))
        }
        for command in own where command[0] == 0x04 { random.append(nonce: Array(command.dropFirst())) }
    }

    private static func model(_ vector: PairingVector) throws -> AssociationModel {
        let features = try vector.commands.prefix(2).map {
            try SMPPairingFeatures(decoding: Array($0.octets.dropFirst()))
        }
        return AssociationModel(initiator: features[0], responder: features[1])
    }

    mutating func play() {
        if played.isInitiator { handle(.start) }
        for command in played.vector.commands where command.fromInitiator != played.isInitiator {
            handle(.received(command.octets))
        }
    }

    private mutating func handle(_ input: PairingInput) {
        var out: [PairingOutput] = []
        machine.handle(input, at: .start, random: &random, into: &out)
        for output in out {
            switch output {
            case .send(let pdu): sent.append(pdu)
            case .ask(let question):
                questions.append(question)
                switch question {
                case .enterPasskey: handle(.answered(.passkey(played.vector.passkey ?? 0)))
                case .confirm, .compare, .replaceBond: handle(.answered(.accept))
                case .displayPasskey: break
                }
            case .encrypt(let key): encrypted = key
            case .failed(let reason): failure = reason
            case .completed, .peerPressed, .trace: break
            }
        }
    }
}
