import BLEBackend
import BLEHost
import BLELocking
import BLERuntime
import BLESimulator
import BLEWire

/// What a device of a ``World`` lets a person do in a pairing. [Vol 3, Part H, 3.5.1]
public enum PairingCapability: Hashable, Sendable, CaseIterable {
    /// Shows a number.
    case displayOnly
    /// Shows a number, and has a button for yes and one for no.
    case displayYesNo
    /// Takes a number.
    case keyboardOnly
    /// Neither shows nor takes anything.
    case noInputNoOutput
    /// Shows and takes numbers.
    case keyboardDisplay

    var wire: SMPIOCapability {
        switch self {
        case .displayOnly: .displayOnly
        case .displayYesNo: .displayYesNo
        case .keyboardOnly: .keyboardOnly
        case .noInputNoOutput: .noInputNoOutput
        case .keyboardDisplay: .keyboardDisplay
        }
    }
}

/// How a device of a ``World`` pairs, and what the person in front of it does.
public struct PairingBehaviour: Hashable, Sendable {
    /// What the person does when asked.
    public enum Person: Hashable, Sendable {
        /// Agrees to whatever can be agreed to, and types the ``PairingBehaviour/passkey``.
        case agrees
        /// Refuses whatever can be refused.
        case refuses
        /// Is asked: see ``Phone/pairingQuestion`` and ``Phone/answerPairing(_:)``.
        case asked
    }

    /// Whether the device pairs at all.
    public var isEnabled = true
    /// What the device lets its person do.
    public var capability: PairingCapability
    /// What its person does.
    public var person = Person.agrees
    /// The passkey, 0 to 999999, that is printed on the device or that its person types; nil = a new one is shown each
    /// time, and none can be typed.
    public var passkey: Int?
    /// Whether LE Secure Connections is there. [Vol 3, Part H, 2.3.5.6]
    public var usesSecureConnections = true
    /// Whether the keys are kept after the link has ended.
    public var bonds = true
    /// Octets of the longest key, 7 to 16; others refuse what is too short for them. [Vol 3, Part H, 2.3.4]
    public var keySize = 16

    /// A device that pairs, keeps its keys, and whose person agrees.
    public init(_ capability: PairingCapability) { self.capability = capability }

    /// As a phone whose user says yes.
    public static let phone = PairingBehaviour(.displayYesNo)
    /// As a sensor without buttons.
    public static let sensor = PairingBehaviour(.noInputNoOutput)

    var policy: PairingPolicy {
        var policy = PairingPolicy()
        policy.isEnabled = isEnabled
        policy.ioCapability = capability.wire
        policy.person =
            switch person {
            case .agrees: .agrees
            case .refuses: .refuses
            case .asked: .asked
            }
        policy.fixedPasskey = passkey.map { UInt32(clamping: min(max($0, 0), 999_999)) }
        policy.secureConnections = usesSecureConnections ? .preferred : .off
        policy.bonds = bonds
        let size = min(max(keySize, 7), 16)
        policy.keySizes = size...size
        return policy
    }
}

/// What the person in front of a phone is asked.
public enum PairingQuestion: Hashable, Sendable {
    /// Whether to pair, with nothing to compare.
    case confirmation
    /// Whether the peer shows the same number.
    case comparison(Int)
    /// The passkey that the peer shows.
    case passkeyEntry
    /// A passkey to be typed at the peer.
    case passkeyDisplay(Int)
    /// Whether the bond that there is may be replaced.
    case replacement

    init(_ kind: PairingPrompt.Kind) {
        switch kind {
        case .confirm: self = .confirmation
        case .displayPasskey(let digits): self = .passkeyDisplay(Int(digits))
        case .enterPasskey: self = .passkeyEntry
        case .compare(let digits): self = .comparison(Int(digits))
        case .replaceBond: self = .replacement
        }
    }
}

/// What that person says.
public enum PairingAnswer: Hashable, Sendable {
    /// Yes: it is to be paired, or the numbers are the same.
    case accept
    /// No: there is no pairing.
    case reject
    /// 0 to 999999.
    case passkey(Int)
}

extension Phone {
    /// How the phone pairs from now on. At first ``PairingBehaviour/phone``.
    public var pairing: PairingBehaviour {
        get { behaviour.withLock { $0 } }
        set {
            behaviour.withLock { $0 = newValue }
            host.backend.setPairingPolicy(newValue.policy)
        }
    }

    /// What the person was asked last while a pairing is under way; only with ``PairingBehaviour/Person/asked``.
    public var pairingQuestion: PairingQuestion? { host.backend.pairingPrompt.map { PairingQuestion($0.kind) } }

    /// Answers ``pairingQuestion``.
    public func answerPairing(_ answer: PairingAnswer) {
        guard let prompt = host.backend.pairingPrompt else { return }
        let reply: PairingReply =
            switch answer {
            case .accept: .accept
            case .reject: .reject
            case .passkey(let digits): .passkey(UInt32(clamping: digits))
            }
        host.backend.answerPairing(with: prompt.peer, reply)
    }

    /// How many peers the phone has bonds with.
    public var bonds: Int { host.backend.bondedPeers().count }

    /// Forgets all bonds, as the system's settings do; the other sides keep theirs.
    public func removeBonds() {
        for peer in host.backend.bondedPeers() { host.backend.removeBond(with: peer.id) }
    }
}

extension PeripheralDevice {
    /// How many centrals the peripheral has bonds with.
    public var bonds: Int { driver.read { $0.bonds(of: id).count } }

    /// Forgets all bonds, as a factory reset does; links to them end.
    public func removeBonds() { driver.edit { $0.removeBonds(of: id, into: &$1) } }

    /// How the peripheral pairs from now on.
    public func setPairing(_ behaviour: PairingBehaviour) {
        driver.edit { $0.setPairing(behaviour.policy, of: id, into: &$1) }
    }
}

extension VirtualPeripheral {
    /// How it pairs; without this, as ``PairingBehaviour/sensor``.
    public func pairing(_ behaviour: PairingBehaviour) -> VirtualPeripheral {
        var copy = self
        copy.pairing = behaviour
        return copy
    }
}
