package import BLEBackend
package import BLEHost
import BLEWire

/// What is asked of a backend about pairing, from any thread.
package enum PairingOrder {
    /// How the phone pairs from now on.
    case policy(PairingPolicy)
    /// Who stands for the person; nil = the policy answers for nobody.
    case agent((any PairingAgent)?)
    case answer(PeerID, PairingReply)
    case removeBond(PeerID)
}

/// What an agent is to be told.
package enum AgentCall {
    case asked(PairingPrompt)
    case ended(PeerID, BackendError?)
}

// Pairing: who is asked, what is told, and what is kept. [contract 50, 85, 102]
extension BackendCore {
    mutating func perform(_ order: PairingOrder) {
        switch order {
        case .policy(let policy):
            pairing.policy = policy
            ask(.setPairingPolicy(effectivePolicy))
        case .agent(let agent):
            pairing.agent = agent
            ask(.setPairingPolicy(effectivePolicy))
        case .answer(let peer, let reply):
            guard let handle = pairing.prompts[peer] else {
                return trace(.debug, "smp", "\(peer) asks nothing that could be answered")
            }
            ask(.answerPairing(handle, PairingAnswer(reply)))
        case .removeBond(let peer):
            guard let address = pairing.bonded[peer] else { return trace(.debug, "smp", "no bond with \(peer)") }
            ask(.removeBond(address))
        }
    }

    /// An agent is a person with eyes and fingers.
    private var effectivePolicy: PairingPolicy {
        guard pairing.agent != nil else { return pairing.policy }
        var policy = pairing.policy
        policy.person = .asked
        policy.ioCapability = .keyboardDisplay
        return policy
    }

    /// What earlier runs have left.
    package mutating func loadBonds(_ bonds: [Bond]) {
        guard !bonds.isEmpty else { return }
        for bond in bonds { pairing.bonded[store.peer(at: bond.peer)] = bond.peer }
        ask(.loadBonds(bonds))
        shareBonds()
    }

    private mutating func shareBonds() { change(.bonded(pairing.bonded.keys)) }

    mutating func pairingAsked(_ question: PairingQuestion, on handle: ConnectionHandle) {
        guard let peer = links[handle]?.peer else { return }
        let prompt = PairingPrompt(peer: peer, name: store.name(of: peer), kind: PairingPrompt.Kind(question))
        guard effectivePolicy.person == .asked else {
            // Passkeys aren't for the log, but what is shown must be seen somewhere.
            return trace(.notice, "smp", "pairing with \(peer): \(question.text) \(effectivePolicy.person.text)")
        }
        pairing.prompts[peer] = handle
        change(.prompt(prompt))
        if pairing.agent != nil { pairing.calls.append(.asked(prompt)) }
    }

    mutating func pairingEnded(_ result: Result<PairingResult, HostError>, on handle: ConnectionHandle) {
        guard let peer = links[handle]?.peer else { return }
        pairing.prompts[peer] = nil
        change(.prompt(nil))
        var error: BackendError?
        switch result {
        case .success(let pairing):
            let kind = pairing.strength.isSecureConnections ? "LE Secure Connections" : "LE legacy pairing"
            trace(.info, "smp", "paired with \(peer) by \(kind)")
            // A peer that has lost its bond has told nobody of changes since.
            forgetDatabase(of: peer)
        case .failure(let failure):
            error = BackendError(operation: failure)
            trace(.notice, "smp", "pairing with \(peer) failed: \(failure.text)")
        }
        if pairing.agent != nil { pairing.calls.append(.ended(peer, error)) }
    }

    mutating func bondChanged(_ bond: Bond) {
        bonds.set(bond)
        let peer = store.peer(at: bond.peer)
        store.keep(peer)
        saveSoon()
        if pairing.bonded[peer] == nil { bonds.setDatabase(nil, of: bond.peer) }
        pairing.bonded[peer] = bond.peer
        shareBonds()
    }

    /// A peer that was known by a private address keeps its identifier. [contract 36]
    mutating func peerIdentified(_ identity: DeviceAddress, on link: ConnectionHandle) {
        guard let peer = links[link]?.peer else { return }
        store.setIdentity(identity, of: peer)
        saveSoon()
    }

    mutating func bondRemoved(_ address: DeviceAddress) {
        bonds.remove(address)
        let peer = store.peer(at: address)
        forgetDatabase(of: peer)
        pairing.bonded[peer] = nil
        shareBonds()
    }

    package mutating func takeAgentCalls() -> (agent: any PairingAgent, calls: [AgentCall])? {
        guard !pairing.calls.isEmpty, let agent = pairing.agent else { return nil }
        defer { pairing.calls = [] }
        return (agent, pairing.calls)
    }
}

/// What a backend has of pairing.
struct PairingState {
    var policy: PairingPolicy
    var agent: (any PairingAgent)?
    var calls: [AgentCall] = []
    /// Peers of whose pairing the person was asked last.
    var prompts = SortedTable<PeerID, ConnectionHandle>()
    /// Identity addresses of bonded peers.
    var bonded = SortedTable<PeerID, DeviceAddress>()
}

extension PairingAnswer {
    fileprivate init(_ reply: PairingReply) {
        switch reply {
        case .accept: self = .accept
        case .reject: self = .reject
        case .passkey(let digits): self = .passkey(digits)
        }
    }
}

extension PairingPrompt.Kind {
    fileprivate init(_ question: PairingQuestion) {
        switch question {
        case .confirm: self = .confirm
        case .displayPasskey(let digits): self = .displayPasskey(digits)
        case .enterPasskey: self = .enterPasskey
        case .compare(let digits): self = .compare(digits)
        case .replaceBond: self = .replaceBond
        }
    }
}

extension PairingQuestion {
    fileprivate var text: String {
        switch self {
        case .confirm: "Just Works,"
        case .displayPasskey: "a passkey is to be shown,"
        case .enterPasskey: "a passkey is to be typed,"
        case .compare: "numeric comparison,"
        case .replaceBond: "the bond is to be replaced,"
        }
    }
}

extension PairingPolicy.Person {
    fileprivate var text: String {
        switch self {
        case .agrees: "agreed to without asking anybody"
        case .absent: "nobody is there who could be asked"
        case .refuses: "refused"
        case .asked: "asked"
        }
    }
}
