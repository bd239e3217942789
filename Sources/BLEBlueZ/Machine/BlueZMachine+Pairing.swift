package import BLEBackend
import BLEWire

/// What the machine has of pairing.
struct BlueZPairing {
    var agent: (any PairingAgent)?
    var calls: [BlueZAgentCall] = []
    /// How our agent is registered at BlueZ.
    var capability: String?
    /// What BlueZ waits for, by the peer that it's about.
    var questions: SortedTable<PeerID, Question> = .init()
    /// Peers of which the person was asked or told something, and whose pairing hasn't ended.
    var open: SortedTable<PeerID, Bool> = .init()

    struct Question {
        let call: IncomingCall.Number
        let kind: PairingPrompt.Kind
    }

    /// Nobody waits for answers any more.
    mutating func daemonGone() {
        capability = nil
        questions.removeAll()
        open.removeAll()
    }
}

/// What an agent is to be told.
package enum BlueZAgentCall {
    case asked(PairingPrompt)
    case ended(PeerID, BackendError?)
}

// Pairing: BlueZ does it and asks our agent, which stands for the program's. [contract 50, 85, 102]
extension BlueZMachine {
    static let agentPath = "/org/ravning/agent"

    mutating func setAgent(_ agent: (any PairingAgent)?) {
        pairing.agent = agent
        if owner != nil { registerAgent() }
    }

    /// With somebody to be asked, ours is the one that BlueZ asks first; else it only answers for what this program begins,
    /// and a desktop's agent goes on to be asked for the rest.
    mutating func registerAgent() {
        guard isAgentManagerThere else { return }
        let capability = pairing.agent == nil ? "NoInputNoOutput" : "KeyboardDisplay"
        guard capability != pairing.capability else { return }
        if pairing.capability != nil { callAgentManager("UnregisterAgent", [.path(Self.agentPath)], then: .ignored) }
        pairing.capability = capability
        callAgentManager("RegisterAgent", [.path(Self.agentPath), .string(capability)], then: .agent)
        if pairing.agent != nil { callAgentManager("RequestDefaultAgent", [.path(Self.agentPath)], then: .agent) }
    }

    private var isAgentManagerThere: Bool { objects[BlueZName.managerPath, BlueZName.agentManager] != nil }

    private mutating func callAgentManager(
        _ member: String, _ arguments: [DBusValue], then continuation: Continuation
    ) {
        call(BlueZName.managerPath, BlueZName.agentManager, member, arguments, then: continuation)
    }

    mutating func agentAnswered(_ result: Result<[DBusValue], DBusFailure>) {
        guard case .failure(let failure) = result else { return }
        trace(.warning, "BlueZ doesn't take an agent of ours, so that pairing needs another program's: \(failure)")
    }

    // MARK: - What BlueZ asks

    mutating func agentCalled(_ call: IncomingCall) {
        guard let path = call.arguments.first?.text, let peer = peer(at: path) else {
            // Release, Cancel: what was asked needs no answer any more.
            if call.member == "Cancel" { questionsEnded() }
            return answer(call, call.member == "Cancel" || call.member == "Release" ? .success([]) : .rejected)
        }
        switch call.member {
        case "RequestConfirmation":
            ask(peer, .compare(UInt32(clamping: call.arguments.last?.number ?? 0)), call)
        case "RequestAuthorization": ask(peer, .confirm, call)
        case "RequestPasskey": ask(peer, .enterPasskey, call)
        case "DisplayPasskey":
            let digits = call.arguments.count > 1 ? call.arguments[1].number ?? 0 : 0
            // It comes again with each digit that is typed at the peer.
            let isFirst = call.arguments.count < 3 || call.arguments[2].number == 0
            if isFirst { show(peer, UInt32(clamping: digits)) }
            answer(call, .success([]))
        case "AuthorizeService": answer(call, .success([]))
        // Codes of the time before LE.
        default: answer(call, .rejected)
        }
    }

    private mutating func show(_ peer: PeerID, _ digits: UInt32) {
        guard pairing.agent != nil else { return }
        opened(peer)
        pairing.calls.append(
            .asked(PairingPrompt(peer: peer, name: store.name(of: peer), kind: .displayPasskey(digits))))
    }

    private mutating func ask(_ peer: PeerID, _ kind: PairingPrompt.Kind, _ call: IncomingCall) {
        guard pairing.agent != nil else {
            // Nobody to compare or to type, so only what needs neither is agreed to, where this program is meant.
            let agrees = kind == .confirm && (links[peer] != nil || !published.services.isEmpty)
            trace(.notice, "pairing with \(peer): nobody is there who could be asked, \(agrees ? "agreed" : "refused")")
            return answer(call, agrees ? .success([]) : .rejected)
        }
        opened(peer)
        pairing.questions[peer] = BlueZPairing.Question(call: call.number, kind: kind)
        pairing.calls.append(.asked(PairingPrompt(peer: peer, name: store.name(of: peer), kind: kind)))
    }

    mutating func answerPairing(with peer: PeerID, _ reply: PairingReply) {
        guard let question = pairing.questions.removeValue(forKey: peer) else {
            // A passkey that is shown can only be called off.
            if reply == .reject, let path = path(of: peer) {
                return call(path, BlueZName.device, "CancelPairing", then: .ignored)
            }
            return trace(.debug, "\(peer) asks nothing that could be answered")
        }
        // Whoever has typed a passkey waits for nobody any more; a comparison is still to be agreed to at the peer.
        opened(peer, ends: question.kind == .enterPasskey ? .seconds(10) : .seconds(30))
        switch (reply, question.kind) {
        case (.accept, .compare), (.accept, .confirm): ask(.answer(question.call, .success([])))
        case (.passkey(let digits), .enterPasskey): ask(.answer(question.call, .success([.uint32(digits)])))
        default:
            ask(.answer(question.call, .rejected))
            endPairing(peer, BackendError(.att(.insufficientAuthentication), underlying: "refused here"))
        }
    }

    /// BlueZ doesn't tell the agent how a pairing ends: what doesn't end otherwise has failed. [Vol 3, Part H, 3.4]
    private mutating func opened(_ peer: PeerID, ends delay: Delay = .seconds(30)) {
        pairing.open[peer] = true
        timers.cancel(.pairing(peer))
        timers.set(.pairing(peer), at: now + delay)
    }

    mutating func pairingTimedOut(_ peer: PeerID) {
        pairingFailed(peer, "BlueZ: the pairing hasn't ended within its time")
    }

    /// A pairing that is under way can't go on.
    mutating func pairingFailed(_ peer: PeerID, _ cause: String) {
        guard pairing.open[peer] != nil else { return }
        if let question = pairing.questions.removeValue(forKey: peer) { ask(.answer(question.call, .rejected)) }
        endPairing(peer, BackendError(.att(.insufficientAuthentication), underlying: cause))
    }

    /// BlueZ has no more use for answers: the pairing has ended, or its time is over.
    private mutating func questionsEnded() {
        for (peer, question) in pairing.questions.map({ ($0.key, $0.value) }) {
            ask(.answer(question.call, .failure(DBusFailure(BlueZName.error("Canceled"), "called off"))))
            pairing.questions[peer] = nil
            endPairing(peer, BackendError(.encryptionTimedOut, underlying: "BlueZ has called the pairing off"))
        }
    }

    private mutating func endPairing(_ peer: PeerID, _ error: BackendError?) {
        pairing.open[peer] = nil
        timers.cancel(.pairing(peer))
        // BlueZ leaves what waits for the pairing unanswered until ATT gives up, which ends the link.
        if let error, links[peer]?.running != nil { finish(peer, .failure(error)) }
        if pairing.agent != nil { pairing.calls.append(.ended(peer, error)) }
    }

    package mutating func takeAgentCalls() -> (agent: any PairingAgent, calls: [BlueZAgentCall])? {
        guard !pairing.calls.isEmpty, let agent = pairing.agent else { return nil }
        defer { pairing.calls = [] }
        return (agent, pairing.calls)
    }

    // MARK: - Pairing for an operation

    /// An attribute needs a bond: it is made, by our own agent, and the operation is done again. [contract 85]
    mutating func pair(_ peer: PeerID, _ link: BlueZLink) {
        let attempt = number()
        links.update(peer) { link in
            link.running?.hasPaired = true
            link.running?.attempt = attempt
        }
        call(
            link.path, BlueZName.device, "Pair", then: .pair(peer, link: link.number, try: attempt),
            patience: .seconds(90))
    }

    mutating func pairAnswered(
        _ peer: PeerID, _ number: UInt64, _ attempt: UInt64, _ result: Result<[DBusValue], DBusFailure>
    ) {
        var error: BackendError?
        if case .failure(let failure) = result, failure.bluez != "AlreadyExists" {
            error = BackendError(.att(.insufficientAuthentication), underlying: failure.text)
        }
        guard let link = links[peer], link.number == number, let operation = link.running,
            operation.attempt == attempt
        else { return }
        if let error {
            trace(.notice, "pairing with \(peer) failed: \(error.underlying ?? "")")
            endPairing(peer, error)
        } else {
            start(operation, on: link)
        }
    }

    /// BlueZ tells of each new bond, whoever began it.
    mutating func bondChanged(_ path: String, _ isPaired: Bool) {
        guard isPaired, let peer = peer(at: path) else { return }
        trace(.info, "paired with \(peer)")
        pairing.questions[peer] = nil
        endPairing(peer, nil)
    }

    /// Forgets a bond and ends the link: BlueZ does both by forgetting the device.
    mutating func removeBond(with peer: PeerID) {
        guard let adapter, let path = path(of: peer) else { return trace(.debug, "no bond with \(peer)") }
        call(adapter, BlueZName.adapter, "RemoveDevice", [.path(path)], then: .ignored)
    }

    mutating func answer(_ call: IncomingCall, _ result: Result<[DBusValue], DBusFailure>) {
        ask(.answer(call.number, result))
    }
}

extension Result where Success == [DBusValue], Failure == DBusFailure {
    fileprivate static var rejected: Self { .failure(DBusFailure(BlueZName.error("Rejected"), "refused")) }
}
