import BLECrypto
import BLEHost
import BLEWire
import Testing

/// Counters of signed writes last longer than links and programs. [Vol 3, Part H, 2.4.5]
@Suite struct SignCounterTests {
    private static let csrk: UInt128 = 0x0102_0304_0506_0708
    private static let token = OperationToken(rawValue: 9)

    private static func bond() -> Bond {
        var bond = Bond(
            peer: HostBench.peer,
            strength: PairingStrength(isAuthenticated: false, isSecureConnections: false, keySize: 16))
        bond.keyAsPeripheral = EncryptionKey(longTermKey: Key128(1))
        bond.peerSigningKey = Key128(csrk)
        bond.peerSignCounter = 5
        bond.ownSigningKey = Key128(csrk)
        bond.ownSignCounter = 40
        return bond
    }

    /// A host that has just been started with a bond, and a link to its peer; answers the handle of a value.
    private static func started(with bond: Bond) -> (HostBench, AttributeHandle) {
        var bench = HostBench.poweredOn()
        let characteristic = GATTServiceDefinition.Characteristic(
            uuid: 0xFFF1, properties: GATTProperties.read | GATTProperties.signedWrite, permissions: [.read, .write],
            value: [0])
        bench.command(.addService(token, GATTServiceDefinition(uuid: 0xFFF0, characteristics: [characteristic])))
        var handle = AttributeHandle.none
        for case .serviceAdded(_, .success(let layout)) in bench.events { handle = layout.characteristics[0] }
        bench.command(.loadBonds([bond]))
        bench.linkMade(as: .peripheral)
        bench.forget()
        return (bench, handle)
    }

    private static func signed(_ handle: AttributeHandle, _ value: UInt8, counter: UInt32) -> [UInt8] {
        let message: [UInt8] = [0xD2, UInt8(handle.rawValue & 0xFF), UInt8(handle.rawValue >> 8), value]
        return message + ATTSignature.sign(message, csrk: csrk, counter: counter)
    }

    private static func read(_ handle: AttributeHandle, _ bench: inout HostBench) -> [UInt8]? {
        bench.data = []
        bench.receive([0x0A, UInt8(handle.rawValue & 0xFF), UInt8(handle.rawValue >> 8)], on: .att)
        return bench.sentPDUs().last?.payload
    }

    private static func bonds(_ bench: HostBench) -> [Bond] {
        bench.events.compactMap { if case .bondChanged(let bond) = $0 { bond } else { nil } }
    }

    @Test func `A24 a counter is used up over restarts, also where the program ends in the middle of a link`() throws {
        var (bench, handle) = Self.started(with: Self.bond())
        let write = Self.signed(handle, 7, counter: 5)
        bench.receive(write, on: .att)
        let kept = try #require(Self.bonds(bench).last)
        #expect(kept.peerSignCounter == 6)
        #expect(Self.read(handle, &bench) == [0x0B, 7])
        // The program ends here: its link is never told to have ended.
        var (next, same) = Self.started(with: kept)
        #expect(same == handle)
        next.receive(write, on: .att)
        #expect(Self.read(handle, &next) == [0x0B, 0])
        next.receive(Self.signed(handle, 8, counter: 6), on: .att)
        #expect(Self.read(handle, &next) == [0x0B, 8])
    }

    @Test func `A24 what is wrong uses no counter up and is kept nowhere`() {
        var (bench, handle) = Self.started(with: Self.bond())
        let right = Self.signed(handle, 7, counter: 5)
        var bent = right
        bent[bent.count - 1] ^= 1
        let wrong: [[UInt8]] = [Array(right.dropLast()), bent, [0xD2, 3], [0xD2]]
        for pdu in wrong { bench.receive(pdu, on: .att) }
        bench.receive(Self.signed(handle, 7, counter: 4), on: .att)
        #expect(Self.bonds(bench).isEmpty && bench.sentPDUs().isEmpty)
        #expect(Self.read(handle, &bench) == [0x0B, 0])
        bench.receive(right, on: .att)
        #expect(Self.read(handle, &bench) == [0x0B, 7])
    }

    @Test func `A24 our own counter is kept with each signed write, so that none is used twice`() {
        var (bench, _) = Self.started(with: Self.bond())
        bench.command(.gatt(HostBench.handle, Self.token, .signedWrite(0x0010, [1])))
        bench.command(.gatt(HostBench.handle, Self.token, .signedWrite(0x0010, [2])))
        #expect(Self.bonds(bench).map(\.ownSignCounter) == [41, 42])
        let counters = bench.sentPDUs().map { Array($0.payload.suffix(12).prefix(4)) }
        #expect(counters == [[40, 0, 0, 0], [41, 0, 0, 0]])
    }
}
