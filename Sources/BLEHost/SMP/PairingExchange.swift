import BLECrypto
import BLEWire

/// The values of one pairing while it goes on. Forgotten as a whole when it fails.
struct PairingExchange: Sendable {
    /// As sent and received, for the confirm values. [Vol 3, Part H, 2.2.3]
    var request: [UInt8] = []
    var response: [UInt8] = []
    var initiator = SMPPairingFeatures()
    var responder = SMPPairingFeatures()
    var model = AssociationModel.justWorks
    var keySize = 16

    var isSecure: Bool {
        initiator.authentication.intersection(responder.authentication).contains(.secureConnections)
    }
    var isBonding: Bool {
        // Two bits, of which only the value 1 means bonding. [Vol 3, Part H, 3.5.1]
        initiator.authentication.rawValue & 3 == 1 && responder.authentication.rawValue & 3 == 1 && !usesDebugKey
    }
    var sendsKeypresses: Bool {
        initiator.authentication.intersection(responder.authentication).contains(.keypress)
    }
    var strength: PairingStrength {
        PairingStrength(
            isAuthenticated: model.isAuthenticated && !usesDebugKey, isSecureConnections: isSecure, keySize: keySize)
    }

    /// The passkey, or with LE legacy pairing the temporary key that it is.
    var temporaryKey: Key128 = 0
    var ownNonce: Key128 = 0
    var peerNonce: Key128 = 0
    var ownConfirm: Key128 = 0
    var peerConfirm: Key128 = 0
    /// The person has agreed, or hadn't to be asked.
    var isAgreed = false

    // LE Secure Connections.
    var keyPair: P256KeyPair?
    var peerKey: P256PublicKey?
    var sharedSecret: [UInt8] = []
    var usesDebugKey = false
    /// Bits of the passkey that both sides have shown to know.
    var round: UInt32 = 0
    var macKey: Key128 = 0
    var longTermKey: Key128 = 0

    // Distribution.
    /// The commands that the peer still owes, in their order.
    var owed: [SMPCode] = []
    var hasSentKeys = false
    var keypresses = 0
    var peerLongTermKey: Key128 = 0
    var result: PairingResult?

    /// Seven octets as the number that the functions take.
    static func number(_ command: [UInt8]) -> UInt64 {
        command.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The octets of features that go into the function f6: AuthReq, flag, capability. [Vol 3, Part H, 2.2.8]
    static func ioCapabilities(_ features: SMPPairingFeatures) -> UInt32 {
        UInt32(features.authentication.rawValue) << 16 | (features.hasOOBData ? 1 << 8 : 0)
            | UInt32(features.ioCapability.rawValue)
    }
}

extension DeviceAddress {
    /// Type and address in 56 bits, as the functions f5 and f6 take them. [Vol 3, Part H, 2.2.7]
    var withType: UInt64 { (isRandom ? 1 << 48 : 0) | bits }
}
