import BLEHost
import BLEWire
import Testing

/// All pairs of IO capabilities, with LE legacy pairing and LE Secure Connections, bonding and not: the specification's
/// model, and the same keys on both sides.
@Suite struct AssociationModelTests {
    private static let just = AssociationModel.justWorks
    private static let compare = AssociationModel.numericComparison
    private static let initiatorTypes = AssociationModel.passkey(initiatorTypes: true, responderTypes: false)
    private static let responderTypes = AssociationModel.passkey(initiatorTypes: false, responderTypes: true)
    private static let bothType = AssociationModel.passkey(initiatorTypes: true, responderTypes: true)

    /// A row for each capability of the responder, a column for each of the initiator: DisplayOnly, DisplayYesNo,
    /// KeyboardOnly, NoInputNoOutput, KeyboardDisplay. [Vol 3, Part H, 2.3.5.1]
    private static let legacy: [[AssociationModel]] = [
        [just, just, initiatorTypes, just, initiatorTypes],
        [just, just, initiatorTypes, just, initiatorTypes],
        [responderTypes, responderTypes, bothType, just, responderTypes],
        [just, just, just, just, just],
        [responderTypes, responderTypes, initiatorTypes, just, responderTypes],
    ]
    private static let secure: [[AssociationModel]] = [
        [just, just, initiatorTypes, just, initiatorTypes],
        [just, compare, initiatorTypes, just, compare],
        [responderTypes, responderTypes, bothType, just, responderTypes],
        [just, just, just, just, just],
        [responderTypes, compare, initiatorTypes, just, compare],
    ]

    struct Row: Sendable, CustomStringConvertible {
        var initiator: UInt8
        var responder: UInt8
        var isSecure: Bool
        var bonds: Bool
        var description: String {
            "\(initiator) with \(responder), \(isSecure ? "secure" : "legacy"), \(bonds ? "bonding" : "no bonding")"
        }
        var model: AssociationModel {
            let table = isSecure ? AssociationModelTests.secure : AssociationModelTests.legacy
            return table[Int(responder)][Int(initiator)]
        }
    }

    static let rows: [Row] = (0...4).flatMap { initiator in
        (0...4).flatMap { responder in
            [true, false].flatMap { isSecure in
                [true, false].map {
                    Row(initiator: initiator, responder: responder, isSecure: isSecure, bonds: $0)
                }
            }
        }
    }

    @Test(arguments: rows) func `the capabilities lead to the table's model and to the same keys`(_ row: Row) throws {
        let change = { (policy: inout PairingPolicy) in
            policy.bonds = row.bonds
            policy.secureConnections = row.isSecure ? .preferred : .off
        }
        var pair = PairingPair(
            initiator: .with(SMPIOCapability(rawValue: row.initiator), change),
            responder: .with(SMPIOCapability(rawValue: row.responder), change))
        pair.pair()
        let first = try #require(pair.initiator.result)
        let second = try #require(pair.responder.result)
        #expect(first.model == row.model)
        #expect(second.model == row.model)
        let strength = PairingStrength(
            isAuthenticated: row.model != .justWorks, isSecureConnections: row.isSecure, keySize: 16)
        #expect(first.strength == strength && second.strength == strength)
        #expect(first.isBonding == row.bonds && second.isBonding == row.bonds)
        // What one may use as central, the other one may as peripheral.
        #expect(first.keyAsCentral == second.keyAsPeripheral)
        #expect(first.keyAsPeripheral == second.keyAsCentral)
        if row.isSecure {
            #expect(first.keyAsCentral == pair.encrypted.map { EncryptionKey(longTermKey: $0) })
            #expect(first.keyAsPeripheral == first.keyAsCentral)
        } else {
            #expect((first.keyAsCentral != nil) == row.bonds)
        }
        #expect(first.peerIRK == (row.bonds ? Key128(0x4444_5555_6666) : nil))
        #expect(second.peerIRK == (row.bonds ? Key128(0x1111_2222_3333) : nil))
        #expect(first.peerIdentity == (row.bonds ? PairingPair.responderAddress : nil))
        #expect(first.peerSigningKey == second.ownSigningKey)
        #expect(second.peerSigningKey == first.ownSigningKey)
        #expect((first.ownSigningKey != nil) == row.bonds)
        #expect(!pair.initiator.machine.isActive && !pair.responder.machine.isActive)
    }

    @Test(arguments: rows.filter(\.bonds)) func `nobody asks for protection and it is Just Works`(_ row: Row) throws {
        let change = { (policy: inout PairingPolicy) in
            policy.wantsProtection = false
            policy.secureConnections = row.isSecure ? .preferred : .off
        }
        var pair = PairingPair(
            initiator: .with(SMPIOCapability(rawValue: row.initiator), change),
            responder: .with(SMPIOCapability(rawValue: row.responder), change))
        pair.pair()
        #expect(pair.initiator.result?.model == .justWorks)
        #expect(pair.responder.questions == [.confirm])
    }

    @Test func `one side without Secure Connections makes it LE legacy pairing`() {
        var pair = PairingPair(
            initiator: .with(.displayYesNo), responder: .with(.displayYesNo) { $0.secureConnections = .off })
        pair.pair()
        #expect(pair.initiator.result?.strength.isSecureConnections == false)
        #expect(pair.initiator.result?.model == .justWorks)
    }

    @Test(arguments: [7, 8, 12, 16]) func `the key has the lower of both maxima`(size: Int) throws {
        for isSecure in [true, false] {
            let change = { (policy: inout PairingPolicy) in
                policy.secureConnections = isSecure ? .preferred : .off
                policy.keySizes = 7...16
            }
            var pair = PairingPair(
                initiator: .with(.noInputNoOutput, change),
                responder: .with(.noInputNoOutput) {
                    change(&$0)
                    $0.keySizes = 7...size
                })
            pair.pair()
            let result = try #require(pair.initiator.result)
            #expect(result.strength.keySize == size)
            let key = try #require(result.keyAsCentral).longTermKey
            #expect(key == key.shortened(to: size))
            #expect(pair.encrypted == pair.encrypted?.shortened(to: size))
            #expect(size == 16 || pair.encrypted != pair.encrypted?.shortened(to: size - 1))
        }
    }
}
