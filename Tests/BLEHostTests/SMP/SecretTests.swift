import BLEHost
import BLEWire
import Testing

/// What the log must not have: P12.
@Suite struct SecretTests {
    /// Whether any text has a key, in either order of its octets or as a number.
    private static func texts(_ texts: [String], have key: UInt128) -> Bool {
        let digits = Hex.string((0..<16).map { UInt8(truncatingIfNeeded: key >> (8 * $0)) }).lowercased()
        let reversed = Hex.string((0..<16).reversed().map { UInt8(truncatingIfNeeded: key >> (8 * $0)) }).lowercased()
        return texts.contains { text in
            let plain = text.lowercased().filter { $0.isHexDigit }
            return plain.contains(digits) || plain.contains(reversed) || text.contains(String(key))
        }
    }

    private static func secrets(_ pair: HostPair) -> [UInt128] {
        var keys = pair.keysGiven.joined().map { $0 }
        for bond in pair.hosts.flatMap(\.bonds) {
            keys += [bond.keyAsCentral?.longTermKey, bond.keyAsPeripheral?.longTermKey].compactMap { $0?.value }
            keys += [bond.irk, bond.peerSigningKey, bond.ownSigningKey].compactMap { $0?.value }
        }
        return keys.filter { $0 != 0 }
    }

    private static func passkeys(_ pair: HostPair) -> [String] {
        pair.events.joined().compactMap {
            switch $0 {
            case .pairingAsked(_, .displayPasskey(let digits)), .pairingAsked(_, .compare(let digits)):
                String("00000\(digits)".suffix(6))
            default: nil
            }
        }
    }

    private static let cases: [(SMPIOCapability, SMPIOCapability, Bool)] = [
        (.noInputNoOutput, .noInputNoOutput, true), (.noInputNoOutput, .noInputNoOutput, false),
        (.keyboardOnly, .displayOnly, true), (.keyboardOnly, .displayOnly, false), (.displayYesNo, .displayYesNo, true),
    ]

    @Test(arguments: cases)
    func `P12 no key and no passkey stands in what pairing, encryption and bonds tell, at any level`(
        _ central: SMPIOCapability, _ peripheral: SMPIOCapability, secure: Bool
    ) {
        func configuration(_ capability: SMPIOCapability, _ irk: UInt128) -> HostConfiguration {
            var configuration = HostConfiguration.pairing(capability) {
                $0.secureConnections = secure ? $0.secureConnections : .off
            }
            configuration.identityResolvingKey = Key128(irk)
            return configuration
        }
        let irks: [UInt128] = [0xA1B2_C3D4_E5F6_0718_293A_4B5C_6D7E_8F90, 0x0F1E_2D3C_4B5A_6978_8796_A5B4_C3D2_E1F0]
        var pair = HostPair.linked(
            central: configuration(central, irks[0]), peripheral: configuration(peripheral, irks[1]))
        pair.command(.pair(HostPair.handle), at: .central)
        let bonds = (pair.bonds(at: .central), pair.bonds(at: .peripheral))
        #expect(bonds.0.count == 1 && bonds.1.count == 1)
        pair.disconnect()
        pair.connect()
        #expect(pair.linkKey != nil)
        // Keys where they don't belong, whole and cut.
        let key = bonds.0[0].keyAsCentral?.longTermKey ?? 0
        let octets = (0..<16).map { UInt8(truncatingIfNeeded: key.value >> (8 * $0)) }
        for command in [[0x06] + octets, [0x08] + octets, [0x06] + octets.dropLast(), [0x0F] + octets] {
            pair.inject(command, to: .peripheral)
            pair.inject(command, to: .central)
        }
        let secrets = Self.secrets(pair) + irks
        let passkeys = Self.passkeys(pair)
        // A key that one side has lost, and bonds of an earlier run.
        pair.disconnect()
        pair.command(.removeBond(HostPair.addresses[0]), at: .peripheral)
        pair.connect()
        pair.command(.loadBonds(bonds.1), at: .peripheral)
        let texts = pair.traces.map(\.message)
        #expect(!texts.isEmpty)
        #expect(secrets.count >= 4)
        for secret in secrets { #expect(!Self.texts(texts, have: secret)) }
        for passkey in passkeys { #expect(!texts.contains { $0.contains(passkey) }) }
    }
}
