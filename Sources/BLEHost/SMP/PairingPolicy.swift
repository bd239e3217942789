package import BLECrypto
package import BLEWire

/// What a device wants and allows in a pairing. [Vol 3, Part H, 2.3]
package struct PairingPolicy: Equatable, Sendable {
    /// How far LE Secure Connections is used. [Vol 3, Part H, 2.3.5.1]
    package enum SecureConnections: Equatable, Sendable {
        case off
        /// Where the peer has it too.
        case preferred
        /// LE legacy pairing is refused. [Vol 3, Part C, 10.2.4]
        case only
    }

    /// Who answers what a pairing asks.
    package enum Person: Equatable, Sendable {
        /// The host's user, by `.answerPairing`.
        case asked
        /// Nobody: only what needs no person is agreed to, and no bond is replaced.
        case absent
        /// The host agrees at once to whatever can be agreed to, and types the fixed passkey.
        case agrees
        /// The host refuses at once.
        case refuses
    }

    /// Whether there is pairing at all; else whoever asks gets Pairing Not Supported.
    package var isEnabled = true
    package var ioCapability = SMPIOCapability.noInputNoOutput
    package var person = Person.asked
    /// The passkey that is printed on a device that can't show a new one each time, or that the person types who
    /// `agrees`. Who listens to failed attempts learns it: a new one each time is better. [Vol 3, Part H, 2.3.5.6.3]
    package var fixedPasskey: UInt32?
    /// Whether the keys are kept.
    package var bonds = true
    /// Whether it asks for protection against a man in the middle; nil = where the IO capability can give it.
    package var wantsProtection: Bool?
    /// Refuses a pairing without that protection.
    package var requiresProtection = false
    package var secureConnections = SecureConnections.preferred
    /// Tells the peer of each digit that is entered, if it wants to know too. [Vol 3, Part H, 2.3.5.7]
    package var sendsKeypresses = false
    /// Octets of the encryption key: what is agreed on is the lower one of both maxima, and must not be less than the
    /// minimum; 7 to 16. [Vol 3, Part H, 2.3.4]
    package var keySizes: ClosedRange<Int> = 16...16
    /// The keys that are given to the peer, and those that are wanted of it. [Vol 3, Part H, 3.6.1]
    package var distributes: SMPKeyDistribution = [.encryption, .identity, .signing]
    package var accepts: SMPKeyDistribution = [.encryption, .identity, .signing]
    /// Takes the published debug key of a peer. What it protects anybody can read: such keys are never kept.
    /// [Vol 3, Part H, 2.3.5.6.1]
    package var acceptsDebugKey = false
    /// How long the peer, or the person, may take for the next step. [Vol 3, Part H, 3.4]
    package var timeout = Delay.seconds(30)

    package init() {}

    /// What is answered without asking the user; nil where the user is to be asked, or nothing needs an answer.
    func answer(to question: PairingQuestion) -> PairingAnswer? {
        switch (person, question) {
        case (.asked, _): nil
        case (.refuses, _): .reject
        case (_, .displayPasskey): nil
        case (.agrees, .enterPasskey): fixedPasskey.map { .passkey($0) } ?? .reject
        case (.agrees, _), (.absent, .confirm): .accept
        case (.absent, _): .reject
        }
    }

    /// AuthReq of our own commands.
    func authentication(hasOOBData: Bool) -> SMPAuthentication {
        var flags: SMPAuthentication = bonds ? [.bonding] : []
        let isPossible = hasOOBData || ioCapability != .noInputNoOutput
        if requiresProtection || wantsProtection ?? isPossible { flags.insert(.mitm) }
        if secureConnections != .off { flags.insert(.secureConnections) }
        if sendsKeypresses { flags.insert(.keypress) }
        return flags
    }
}

/// What has come from the peer, and gone to it, by another way than Bluetooth. [Vol 3, Part H, 2.3.5.6.4]
package struct OutOfBandData: Equatable, Sendable {
    /// The temporary key that both sides have in LE legacy pairing. [Vol 3, Part H, 2.3.5.4]
    package var temporaryKey: Key128?
    /// The peer's data for LE Secure Connections: the confirm value of its public key, and the random value of it.
    package var peer: (confirm: Key128, random: Key128)?
    /// Our own data that the peer was given.
    package var own: OwnOutOfBandData?

    package init() {}

    package static func == (left: OutOfBandData, right: OutOfBandData) -> Bool {
        left.temporaryKey == right.temporaryKey && left.own == right.own
            && left.peer?.confirm == right.peer?.confirm && left.peer?.random == right.peer?.random
    }
}

/// What a device gives out for LE Secure Connections out of band: it belongs to the key pair of one pairing.
/// [Vol 3, Part H, 2.3.5.6.4]
package struct OwnOutOfBandData: Equatable, Sendable {
    let keyPair: P256KeyPair
    package let random: Key128

    package init(using generator: inout some RandomNumberGenerator) {
        keyPair = P256KeyPair(using: &generator)
        random = Key128(using: &generator)
    }

    package init(keyPair: P256KeyPair, random: Key128) {
        self.keyPair = keyPair
        self.random = random
    }

    /// The confirm value that the peer checks our public key with.
    package var confirm: Key128 {
        let x = keyPair.publicKey.x
        return Key128(BLECrypto.SecureConnections.f4(u: x, v: x, x: random.value, z: 0))
    }

    package static func == (left: OwnOutOfBandData, right: OwnOutOfBandData) -> Bool {
        left.random == right.random && left.keyPair.publicKey == right.keyPair.publicKey
    }
}
