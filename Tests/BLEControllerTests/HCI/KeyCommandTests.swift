import BLECrypto
import BLEController
import BLEWire
import Testing

/// The keys of LE Secure Connections as hosts without a curve of their own get them. [Vol 4, Part E, 7.8.36]
@Suite struct KeyCommandTests {
    private func publicKey(_ radio: inout TestRadio, _ id: ControllerID) -> LEReadLocalP256PublicKeyComplete? {
        radio.send(LEReadLocalP256PublicKey(), to: id).lazy.compactMap { event in
            if case .leReadLocalP256PublicKeyComplete(let event) = event { event } else { nil }
        }.first
    }

    private func secrets(_ events: [HCIEvent]) -> [LEGenerateDHKeyComplete] {
        events.compactMap { if case .leGenerateDHKeyComplete(let event) = $0 { event } else { nil } }
    }

    @Test func `two controllers agree on a secret, and another pair on another`() throws {
        var radio = TestRadio()
        let ids = (UInt8(1)...3).map { radio.add($0) }
        let keys = try ids.map { try #require(publicKey(&radio, $0)) }
        func agree(_ one: Int, _ other: Int) -> LEGenerateDHKeyComplete? {
            secrets(radio.send(LEGenerateDHKey(x: keys[other].x, y: keys[other].y), to: ids[one])).first
        }
        let first = try #require(agree(0, 1))
        #expect(first.status == .success)
        #expect(agree(1, 0) == first)
        #expect(agree(2, 0) != first)
    }

    @Test func `the debug key gives the secret that the specification publishes, least significant octet first`() {
        var radio = TestRadio()
        let id = radio.add(1) { $0.version = 12 }
        let peer = (
            x: hex("1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190"),
            y: hex("4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a")
        )
        let secret = hex("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
        let command = LEGenerateDHKeyV2(x: peer.x.reversed(), y: peer.y.reversed(), keyType: 1)
        #expect(
            radio.send(command, to: id) == [
                .commandStatus(HCICommandStatus(status: .success, opcode: .leGenerateDHKeyV2)),
                .leGenerateDHKeyComplete(LEGenerateDHKeyComplete(key: secret.reversed())),
            ])
    }

    @Test(
        arguments: [
            // Not on the curve, nothing, and the fixed coordinate of the invalid curve attack.
            ("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6", "42"),
            ("00", "00"),
            ("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6", "00"),
        ])
    func `a point that isn't on the curve makes no secret`(_ x: String, _ y: String) {
        func coordinate(_ text: String) -> [UInt8] {
            let octets = hex(text)
            return octets.count == 1 ? [UInt8](repeating: octets[0], count: 32) : octets.reversed()
        }
        var radio = TestRadio()
        let id = radio.add(1)
        radio.send(LEReadLocalP256PublicKey(), to: id)
        let events = radio.send(LEGenerateDHKey(x: coordinate(x), y: coordinate(y)), to: id)
        #expect(
            secrets(events)
                == [LEGenerateDHKeyComplete(status: .invalidParameters, key: [UInt8](repeating: 0xFF, count: 32))])
    }

    @Test func `without a key pair there is nothing to agree with, also after a reset`() throws {
        var radio = TestRadio()
        let id = radio.add(1)
        let other = try #require(publicKey(&radio, radio.add(2)))
        let command = LEGenerateDHKey(x: other.x, y: other.y)
        #expect(radio.status(command, to: id) == .commandDisallowed)
        radio.send(LEReadLocalP256PublicKey(), to: id)
        #expect(radio.status(command, to: id) == .success)
        radio.send(HCIReset(), to: id)
        #expect(radio.status(command, to: id) == .commandDisallowed)
    }

    @Test func `each asking makes a new key`() throws {
        var radio = TestRadio()
        let id = radio.add(1)
        let first = try #require(publicKey(&radio, id))
        #expect(try #require(publicKey(&radio, id)).x != first.x)
    }
}
