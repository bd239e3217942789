import BLEHost
import BLEWire

/// One connection with what lies around it, from `open` to `close`.
struct Session {
    private var connection: GATTConnection
    private var server: GATTServer
    private var known: GivenDatabase?
    private let isClient: Bool
    private let mtu: Int
    /// What is going on: the steps of an action and what they are for.
    private var action: Action?
    private var nextToken: UInt64 = 1
    /// The code of the Error Response that came last, if nothing came after it.
    private var lastError: Int?
    /// Whether a value that arrives ends the action.
    private var awaitsValue = false

    private init(_ connection: GATTConnection, _ server: GATTServer, isClient: Bool, mtu: Int, known: GivenDatabase?) {
        self.connection = connection
        self.server = server
        self.isClient = isClient
        self.mtu = mtu
        self.known = known
    }

    static func open(_ message: [String: Any]) -> Result<Session, Unsupported> {
        var configuration = GATTConfiguration()
        let mtu = min(max(message.number("mtu") ?? 23, 23), 0xFFFF)
        configuration.receiveMTU = mtu
        configuration.security = message.security
        configuration.elevatesSecurity = message.wantsElevation
        var empty = GATTServerConfiguration()
        empty.hasGenericAccess = false
        empty.hasGenericAttribute = false
        var connection = GATTConnection(link: ConnectionHandle(rawValue: 1), configuration: configuration)
        switch message.text("role") {
        case "server":
            guard let given = message.object("database").flatMap({ GivenDatabase($0) }) else {
                return .failure(Unsupported(text: "a database with members missing, or with UUIDs that are none"))
            }
            guard let server = GATTServer(table: given.rows, minimumKeySize: 16) else {
                return .failure(Unsupported(text: "a database whose handles don't rise"))
            }
            if let csrk = message.octets("csrk") { connection.peerSigningKey = GATTSigningKey(csrk: csrk.key) }
            return .success(Session(connection, server, isClient: false, mtu: mtu, known: nil))
        case "client":
            var session = Session(connection, GATTServer(configuration: empty), isClient: true, mtu: mtu, known: nil)
            if let known = message.object("known") {
                session.known = known.object("database").flatMap { GivenDatabase($0) } ?? GivenDatabase([], [])
                session.agree(known.number("att_mtu") ?? 23)
            }
            return .success(session)
        default: return .failure(Unsupported(text: "a role that isn't known"))
        }
    }

    /// Has the MTU exchange that is over already, with nobody listening.
    private mutating func agree(_ mtu: Int) {
        guard mtu > 23 else { return }
        let value = UInt16(truncatingIfNeeded: mtu)
        var ignored: [GATTOutput] = []
        connection.start(.exchangeMTU(value), token: OperationToken(rawValue: 0), at: .start, into: &ignored)
        let response: [UInt8] = [0x03, UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        connection.received(response, server: &server, at: .start, into: &ignored)
    }

    mutating func received(_ pdu: [UInt8]) -> [Frame] {
        // ATT_ERROR_RSP: opcode, request, handle, code. [Vol 3, Part F, 3.4.1.1]
        lastError = pdu.count == 5 && pdu[0] == 0x01 ? Int(pdu[4]) : nil
        var out: [GATTOutput] = []
        connection.received(pdu, server: &server, at: .start, into: &out)
        return frames(out)
    }

    mutating func perform(_ message: [String: Any]) -> [Frame] {
        if message.wantsElevation { connection.elevatesSecurity = true }
        var frames: [Frame] = []
        if message.flag("link_encrypted") {
            var out: [GATTOutput] = []
            connection.securityChanged(message.security, at: .start, into: &out)
            frames += self.frames(out)
        }
        return frames + (isClient ? performAsClient(message) : performAsServer(message))
    }

    private mutating func performAsServer(_ message: [String: Any]) -> [Frame] {
        let name = message.text("action") ?? ""
        guard name == "notify" || name == "indicate", let handle = message.handle("handle") else {
            return [Driver.unsupported("an action that isn't known: \(name)")]
        }
        var out: [GATTOutput] = []
        connection.sendValue(
            handle, message.octets("value") ?? [], indicate: name == "indicate", token: newToken(), at: .start,
            into: &out)
        return frames(out)
    }

    private mutating func performAsClient(_ message: [String: Any]) -> [Frame] {
        if let csrk = message.octets("csrk") {
            let counter = connection.signingKey?.csrk == csrk.key ? connection.signingKey?.counter ?? 0 : 0
            connection.signingKey = GATTSigningKey(csrk: csrk.key, counter: counter)
        }
        switch Action.make(message, known: known, mtu: mtu) {
        case .success(let made):
            // A value may come before the answer to the write that asked for it.
            awaitsValue = made.awaitsValue
            action = made
            return advance(with: nil)
        case .failure(let reason): return [Driver.unsupported(reason.text)]
        }
    }

    /// Begins the next step of the action, or ends it.
    private mutating func advance(with outcome: GATTOutcome?) -> [Frame] {
        guard let next = action?.next(outcome) else { return [] }
        // What one action has found, the next one needn't look for.
        if let found = action?.known { known = found }
        switch next {
        case .step(let procedure):
            var out: [GATTOutput] = []
            connection.start(procedure, token: newToken(), at: .start, into: &out)
            return frames(out)
        case .value: return []
        case .done(var result):
            if action?.isEndedByError == true, let lastError { result["att_error"] = lastError }
            action = nil
            return [.message(result)]
        }
    }

    private mutating func newToken() -> OperationToken {
        defer { nextToken += 1 }
        return OperationToken(rawValue: nextToken)
    }

    private mutating func frames(_ out: [GATTOutput]) -> [Frame] {
        var frames: [Frame] = []
        for output in out {
            switch output {
            case .send(let pdu, let tag):
                frames.append(.pdu(pdu))
                if let tag {
                    var more: [GATTOutput] = []
                    connection.sent(tag, into: &more)
                    frames += self.frames(more)
                }
            case .event(let event): frames += self.frames(event)
            case .closeBearer: frames.append(.message(["event": "bearer_closed"]))
            case .elevateSecurity:
                // There's no pairing underneath: the link is encrypted at once.
                var security = LinkSecurity()
                security.isEncrypted = true
                security.isAuthenticated = true
                security.isSecureConnections = true
                security.hasKey = true
                var more: [GATTOutput] = []
                connection.securityChanged(security, at: .start, into: &more)
                frames += self.frames(more)
            case .trace: break
            }
        }
        return frames
    }

    private mutating func frames(_ event: HostEvent) -> [Frame] {
        switch event {
        case .gattCompleted(_, _, .success(let outcome)): return advance(with: outcome)
        case .gattCompleted(_, _, .failure(let error)):
            if let tolerated = action?.tolerates(error), tolerated { return advance(with: .done) }
            action = nil
            return [.message(Action.result(error))]
        case .valueReceived(_, let handle, let value, _) where awaitsValue:
            awaitsValue = false
            action = nil
            return [
                .message([
                    "event": "result", "att_error": 0, "handle": Int(handle.rawValue), "value": value.hex,
                ])
            ]
        default: return []
        }
    }
}

extension [UInt8] {
    /// A key as it is stored, least significant octet first.
    var key: UInt128 { reversed().reduce(0) { $0 << 8 | UInt128($1) } }
}
