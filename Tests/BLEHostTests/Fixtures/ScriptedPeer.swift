import BLEHost
import BLEWire
import Testing

/// A GATT connection whose peer is a list of PDUs: `←` comes in, `→` goes out, `→ nothing` means silence.
struct ScriptedPeer {
    var connection: GATTConnection
    var server: GATTServer
    var now = Instant.start
    var events: [HostEvent] = []
    /// PDUs that no line has asked for yet.
    var sent: [[UInt8]] = []
    var closed: HostError?
    var elevations: [ATTErrorCode] = []
    /// Answers requests of dynamic attributes; nil leaves them open.
    var application: (HostEvent) -> (ATTErrorCode, [UInt8])? = { _ in nil }

    init(_ server: GATTServer? = nil, configure: (inout GATTConfiguration) -> Void = { _ in }) {
        var configuration = GATTConfiguration()
        configuration.receiveMTU = 247
        configure(&configuration)
        connection = GATTConnection(link: ConnectionHandle(rawValue: 0x40), configuration: configuration)
        self.server = server ?? GATTServer(configuration: .empty)
    }

    /// Plays the lines; at the end nothing may be left that was sent and not asked for.
    mutating func play(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        for line in lines {
            let octets = Hex.octets(String(line.dropFirst(2))) ?? []
            if line.hasPrefix("←") {
                receive(octets)
            } else if line == "→ nothing" {
                #expect(sent.map { Hex.string($0) } == [], sourceLocation: sourceLocation)
            } else {
                let next = sent.isEmpty ? nil : sent.removeFirst()
                #expect(next.map { Hex.string($0) } == Hex.string(octets), sourceLocation: sourceLocation)
            }
        }
        #expect(sent.map { Hex.string($0) } == [], "sent and not asked for", sourceLocation: sourceLocation)
    }

    mutating func receive(_ pdu: [UInt8]) {
        var out: [GATTOutput] = []
        connection.received(pdu, server: &server, at: now, into: &out)
        take(out)
    }

    @discardableResult
    mutating func start(_ procedure: GATTProcedure, token: UInt64 = 1) -> OperationToken {
        var out: [GATTOutput] = []
        let token = OperationToken(rawValue: token)
        connection.start(procedure, token: token, at: now, into: &out)
        take(out)
        return token
    }

    mutating func send(_ value: [UInt8], of handle: AttributeHandle, indicate: Bool = false, token: UInt64 = 1) {
        var out: [GATTOutput] = []
        connection.sendValue(
            handle, value, indicate: indicate, token: OperationToken(rawValue: token), at: now, into: &out)
        take(out)
    }

    mutating func respond(_ id: GATTRequestID, _ error: ATTErrorCode = .success, value: [UInt8] = []) {
        var out: [GATTOutput] = []
        connection.respond(id, error, value: value, server: &server, at: now, into: &out)
        take(out)
    }

    mutating func changeSecurity(_ change: (inout LinkSecurity) -> Void) {
        var security = LinkSecurity()
        change(&security)
        var out: [GATTOutput] = []
        connection.securityChanged(security, at: now, into: &out)
        take(out)
    }

    mutating func databaseChanged() {
        var out: [GATTOutput] = []
        connection.databaseChanged(server: &server, at: now, into: &out)
        take(out)
    }

    mutating func close(_ reason: HCIStatus = .connectionTimeout) {
        var out: [GATTOutput] = []
        connection.closed(reason: reason, into: &out)
        take(out)
    }

    /// Lets time pass, and the timers that are due fire.
    mutating func pass(_ delay: Delay) {
        now += delay
        while let deadline = connection.nextDeadline, deadline <= now {
            var out: [GATTOutput] = []
            connection.timerFired(server: &server, at: now, into: &out)
            take(out)
        }
    }

    /// The result of the operation with a token.
    func result(_ token: UInt64 = 1) -> Result<GATTOutcome, HostError>? {
        for event in events {
            if case .gattCompleted(_, OperationToken(rawValue: token), let result) = event { return result }
        }
        return nil
    }

    private mutating func take(_ out: [GATTOutput]) {
        for output in out {
            switch output {
            case .send(let pdu, let tag):
                sent.append(pdu)
                if let tag {
                    var more: [GATTOutput] = []
                    connection.sent(tag, into: &more)
                    take(more)
                }
            case .event(let event):
                events.append(event)
                answer(event)
            case .closeBearer(let reason): closed = reason
            case .elevateSecurity(let error): elevations.append(error)
            case .trace: break
            }
        }
    }

    private mutating func answer(_ event: HostEvent) {
        let id: GATTRequestID
        switch event {
        case .readRequested(_, let request, _, _): id = request
        case .writeRequested(_, let request, _, let needsResponse) where needsResponse: id = request
        default: return
        }
        if let (error, value) = application(event) { respond(id, error, value: value) }
    }
}

extension GATTServerConfiguration {
    /// Neither 1800 nor 1801: what a test adds is all there is.
    static var empty: GATTServerConfiguration {
        var configuration = GATTServerConfiguration()
        configuration.hasGenericAccess = false
        configuration.hasGenericAttribute = false
        return configuration
    }
}

extension GATTServer {
    /// A server with one service FFF0 from handle 1 on.
    static func with(_ characteristics: GATTServiceDefinition.Characteristic...) -> GATTServer {
        var server = GATTServer(configuration: .empty)
        _ = server.addService(GATTServiceDefinition(uuid: 0xFFF0, characteristics: characteristics))
        return server
    }
}

extension GATTServiceDefinition.Characteristic {
    static func stored(
        _ uuid: BluetoothUUID = 0xFFF1, _ value: [UInt8] = [1, 2, 3],
        _ permissions: AttributePermissions = [.read, .write], properties: UInt8 = 0x0A
    ) -> GATTServiceDefinition.Characteristic {
        .init(uuid: uuid, properties: properties, permissions: permissions, value: value)
    }

    static func dynamic(
        _ uuid: BluetoothUUID = 0xFFF1, _ permissions: AttributePermissions = [.read, .write],
        properties: UInt8 = 0x0E
    ) -> GATTServiceDefinition.Characteristic {
        .init(uuid: uuid, properties: properties, permissions: permissions)
    }
}
