import BLEHost
import BLEWire
import Testing

/// Encryption of links, and what a server lets whom have. [Vol 3, Part C, 10.3]
@Suite struct LinkSecurityTests {
    private static let token = OperationToken(rawValue: 7)

    /// A service with one value that only encrypted links may read and subscribe to; answers the value's handle.
    private static func publish(at pair: inout HostPair, _ permissions: AttributePermissions) -> AttributeHandle {
        let characteristic = GATTServiceDefinition.Characteristic(
            uuid: 0x2A37, properties: GATTProperties.read | GATTProperties.notify | GATTProperties.write,
            permissions: permissions, configurationPermissions: [.read, .write, .writeEncrypted], value: [0x55])
        pair.command(
            .addService(token, GATTServiceDefinition(uuid: 0x180D, characteristics: [characteristic])),
            at: .peripheral)
        for event in pair.events[1] {
            if case .serviceAdded(_, .success(let layout)) = event { return layout.characteristics[0] }
        }
        return .none
    }

    private static func read(_ handle: AttributeHandle, _ pair: inout HostPair) -> Result<GATTOutcome, HostError>? {
        pair.forget()
        pair.command(.gatt(HostPair.handle, token, .read(handle)), at: .central)
        return result(pair)
    }

    private static func result(_ pair: HostPair) -> Result<GATTOutcome, HostError>? {
        pair.events[0].lazy.compactMap {
            if case .gattCompleted(_, token, let result) = $0 { result } else { nil }
        }.first
    }

    @Test func `a value that needs encryption makes the central pair and read again`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        let value = Self.publish(at: &pair, [.read, .readEncrypted])
        #expect(Self.read(value, &pair) == .success(.value([0x55])))
        #expect(pair.linkKey != nil)
        #expect(pair.bonds(at: .central).map(\.peer) == [HostPair.addresses[1]])
        #expect(pair.bonds(at: .peripheral).map(\.peer) == [HostPair.addresses[0]])
        #expect(pair.security(at: .central) == pair.security(at: .peripheral))
    }

    @Test func `a pairing that is refused gives the error that asked for it`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing { $0.isEnabled = false })
        let value = Self.publish(at: &pair, [.read, .readEncrypted])
        #expect(Self.read(value, &pair) == .failure(.att(.insufficientAuthentication)))
        #expect(pair.outcomes(at: .central) == [.failure(.pairing(.received(.pairingNotSupported)))])
    }

    @Test func `a host that doesn't pair gets the error`() {
        var pair = HostPair.linked(central: .pairing { $0.isEnabled = false }, peripheral: .pairing())
        let value = Self.publish(at: &pair, [.read, .readEncrypted])
        #expect(Self.read(value, &pair) == .failure(.att(.insufficientAuthentication)))
        #expect(pair.commands == [[], []])
    }

    @Test func `Just Works isn't enough for a value that wants a person`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        let value = Self.publish(at: &pair, [.read, .readAuthenticated])
        #expect(Self.read(value, &pair) == .failure(.att(.insufficientAuthentication)))
        #expect(pair.security(at: .central)?.isEncrypted == true)
        var able = HostPair.linked(central: .pairing(.displayYesNo), peripheral: .pairing(.displayYesNo))
        let other = Self.publish(at: &able, [.read, .readAuthenticated])
        #expect(Self.read(other, &able) == .success(.value([0x55])))
        #expect(able.security(at: .peripheral)?.isAuthenticated == true)
    }

    @Test func `A22 a known central without encryption is told that it is what is missing`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        let value = Self.publish(at: &pair, [.read, .readEncrypted])
        _ = Self.read(value, &pair)
        pair.disconnect()
        // The central has forgotten, or only says it is the one.
        pair.command(.removeBond(HostPair.addresses[1]), at: .central)
        pair.command(.setPairingPolicy(PairingPolicy.off), at: .central)
        pair.connect()
        #expect(Self.read(value, &pair) == .failure(.att(.insufficientEncryption)))
        // And no value leaves by itself.
        pair.forget()
        pair.command(.sendValue(HostPair.handle, Self.token, value, [1], indicate: false), at: .peripheral)
        #expect(pair.events[1] == [.valueSent(HostPair.handle, Self.token, .att(.insufficientEncryption))])
        #expect(pair.events[0].isEmpty)
    }

    @Test func `A23 a key of seven octets doesn't open a value that wants sixteen`() {
        var strict = HostConfiguration.pairing { $0.keySizes = 7...16 }
        strict.server.minimumKeySize = 16
        var pair = HostPair.linked(central: .pairing { $0.keySizes = 7...7 }, peripheral: strict)
        let value = Self.publish(at: &pair, [.read, .readEncrypted])
        #expect(Self.read(value, &pair) == .failure(.att(.encryptionKeySizeTooShort)))
        #expect(pair.security(at: .peripheral)?.keySize == 7)
    }

    @Test func `A30 a stranger gets nothing where encryption is wanted`() {
        var pair = HostPair.linked(central: .pairing { $0.isEnabled = false }, peripheral: .pairing())
        let value = Self.publish(at: &pair, [.read, .readEncrypted, .write, .writeEncrypted])
        pair.forget()
        pair.command(.gatt(HostPair.handle, Self.token, .write(value, [9])), at: .central)
        #expect(Self.result(pair) == .failure(.att(.insufficientAuthentication)))
        // A command is silent, and does nothing.
        pair.command(.gatt(HostPair.handle, Self.token, .writeWithoutResponse(value, [9])), at: .central)
        pair.command(.setPairingPolicy(PairingPolicy()), at: .central)
        #expect(pair.hosts[1].bonds.isEmpty)
    }

    @Test func `a bonded peripheral is encrypted as soon as it is connected`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        pair.command(.pair(HostPair.handle), at: .central)
        let key = pair.linkKey
        pair.disconnect()
        pair.forget()
        pair.connect()
        #expect(pair.linkKey == key)
        #expect(pair.commands == [[], []])
        #expect(pair.security(at: .central)?.isEncrypted == true)
        #expect(pair.security(at: .peripheral)?.isEncrypted == true)
    }

    @Test func `bonds of legacy pairing are named by EDIV and Rand`() {
        let legacy = HostConfiguration.pairing { $0.secureConnections = .off }
        var pair = HostPair.linked(central: legacy, peripheral: legacy)
        pair.command(.pair(HostPair.handle), at: .central)
        let bond = pair.bonds(at: .central).first
        #expect(bond?.keyAsCentral == pair.bonds(at: .peripheral).first?.keyAsPeripheral)
        #expect(bond?.keyAsCentral?.random != 0)
        pair.disconnect()
        pair.connect()
        #expect(pair.linkKey == bond?.keyAsCentral?.longTermKey.value)
    }

    @Test func `bonds that are handed in are used`() {
        var first = HostPair.linked(central: .pairing(), peripheral: .pairing())
        first.command(.pair(HostPair.handle), at: .central)
        var next = HostPair(central: .pairing(), peripheral: .pairing(), seed: 50)
        next.command(.loadBonds(first.bonds(at: .central)), at: .central)
        next.command(.loadBonds(first.bonds(at: .peripheral)), at: .peripheral)
        next.connect()
        #expect(next.linkKey == first.linkKey && next.linkKey != nil)
        #expect(next.commands == [[], []])
    }

    @Test func `a peripheral's Security Request makes the central pair, or use the key that it has`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        pair.command(.raiseSecurity(HostPair.handle), at: .peripheral)
        #expect(pair.commands[1].first == [0x0B, 0x09])
        #expect(pair.commands[0].first?.first == 0x01)
        #expect(pair.events[1].contains(.securityRaised(HostPair.handle, nil)))
        pair.disconnect()
        pair.forget()
        pair.connect()
        pair.command(.raiseSecurity(HostPair.handle), at: .peripheral)
        #expect(pair.commands[0].isEmpty)
        #expect(pair.hosts[1].pairingCount <= 1)
    }

    @Test func `raising security without a link says so`() {
        var pair = HostPair(central: .pairing(), peripheral: .pairing())
        pair.forget()
        pair.command(.raiseSecurity(HostPair.handle), at: .central)
        let error = HostError.disconnected(.unknownConnectionIdentifier)
        #expect(pair.events[0] == [.securityRaised(HostPair.handle, error)])
    }

    @Test func `H20 encryption that nobody asked for protects nothing`() {
        var bench = HostBench.linked(as: .peripheral, .pairing())
        bench.receive(HCIEncryptionChange(handle: HostBench.handle, isEnabled: 1).packet())
        #expect(bench.events.isEmpty)
        bench.receive(HCIEncryptionChange(status: .pinOrKeyMissing, handle: HostBench.handle).packet())
        #expect(bench.events.isEmpty && bench.opcodes.isEmpty)
    }

    @Test func `L24 the end of encryption is told and counts`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        let value = Self.publish(at: &pair, [.read, .readEncrypted])
        pair.command(.pair(HostPair.handle), at: .central)
        pair.feed(packet: HCIEncryptionChange(handle: HostPair.handle, isEnabled: 0).packet(), .peripheral)
        #expect(pair.security(at: .peripheral)?.isEncrypted == false)
        pair.command(.setPairingPolicy(PairingPolicy.off), at: .central)
        pair.forget()
        pair.command(.sendValue(HostPair.handle, Self.token, value, [1], indicate: false), at: .peripheral)
        #expect(pair.events[1] == [.valueSent(HostPair.handle, Self.token, .att(.insufficientEncryption))])
    }

    @Test func `a bond that is removed ends the link and is told`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        pair.command(.pair(HostPair.handle), at: .central)
        pair.forget()
        pair.command(.removeBond(HostPair.addresses[1]), at: .central)
        #expect(pair.events[0].contains(.bondRemoved(HostPair.addresses[1])))
        #expect(pair.hosts[0].linkCount == 0)
        pair.forget()
        pair.command(.removeBond(HostPair.addresses[1]), at: .central)
        #expect(pair.events[0].isEmpty)
    }
}

extension PairingPolicy {
    static var off: PairingPolicy { .with(.noInputNoOutput) { $0.isEnabled = false } }
}
