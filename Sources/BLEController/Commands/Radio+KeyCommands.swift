import BLECrypto
import BLEWire

/// Commands for the keys of LE Secure Connections. [Vol 4, Part E, 7.8.36]
extension Radio {
    mutating func executeKeys(_ command: HCICommand, _ controller: Int, into out: inout [RadioOutput]) -> Bool {
        switch command {
        case .leReadLocalP256PublicKey(let command):
            accept(command, .success, controller, into: &out)
            let pair = P256KeyPair(using: &controllers[controller].keys)
            controllers[controller].keyPair = pair
            // HCI has the least significant octet first.
            let event = LEReadLocalP256PublicKeyComplete(
                x: pair.publicKey.x.reversed(), y: pair.publicKey.y.reversed())
            send(
                .leReadLocalP256PublicKeyComplete(event), .readLocalP256PublicKeyComplete, to: controller, into: &out)
        case .leGenerateDHKey(let command):
            agree(command, controllers[controller].keyPair, command.x, command.y, controller, into: &out)
        case .leGenerateDHKeyV2(let command):
            let own = command.keyType == 1 ? P256KeyPair.debug : controllers[controller].keyPair
            agree(command, own, command.x, command.y, controller, into: &out)
        default: return false
        }
        return true
    }

    /// Tells the shared secret. A point that isn't on the curve makes none. [Vol 3, Part H, 2.3.5.6.1]
    private mutating func agree<Command: HCICommandPDU>(
        _ command: Command, _ own: P256KeyPair?, _ x: [UInt8], _ y: [UInt8], _ controller: Int,
        into out: inout [RadioOutput]
    ) {
        // Without a key pair there is nothing to agree with. [Vol 4, Part E, 7.8.37]
        guard let own else { return accept(command, .commandDisallowed, controller, into: &out) }
        accept(command, .success, controller, into: &out)
        var event = LEGenerateDHKeyComplete(
            status: .invalidParameters, key: [UInt8](repeating: 0xFF, count: 32))
        if let peer = P256PublicKey(littleEndian: x + y), let secret = own.sharedSecret(with: peer) {
            event = LEGenerateDHKeyComplete(key: secret.reversed())
        }
        send(.leGenerateDHKeyComplete(event), .generateDHKeyComplete, to: controller, into: &out)
    }
}
