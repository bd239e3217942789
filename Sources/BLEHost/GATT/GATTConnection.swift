package import BLEWire

/// ATT and GATT on one link: client and server over one bearer. [Vol 3, Part G, 2.4]
///
/// *Role*: joins the sequential protocol, the client's procedures and the server's answers.
/// *Inputs and outputs*: PDUs, orders, answers of the application and time come in; PDUs, events and the wish to
/// close the bearer are appended to a list.
/// *Limits*: one bearer (no EATT); after a transaction time-out nothing is sent or taken any more.
package struct GATTConnection: Sendable {
    package let link: ConnectionHandle
    var configuration: GATTConfiguration
    var bearer = ATTBearer()
    var client = GATTClient()
    var session: GATTServerSession
    var sender = ValueSender()
    var mtuExchange = MTUExchange()
    /// Whether more security is asked for where a server wants it; see `GATTConfiguration.elevatesSecurity`.
    package var elevatesSecurity: Bool {
        get { configuration.elevatesSecurity }
        set { configuration.elevatesSecurity = newValue }
    }
    /// The key that signed writes are signed with. [Vol 3, Part C, 10.4.1]
    package var signingKey: GATTSigningKey?
    /// The key that the peer's signed writes are checked with. [Vol 3, Part C, 10.4.2]
    package var peerSigningKey: GATTSigningKey? {
        get { session.peerSigningKey }
        set { session.peerSigningKey = newValue }
    }

    package init(link: ConnectionHandle, configuration: GATTConfiguration) {
        self.link = link
        self.configuration = configuration
        session = GATTServerSession(link: link, prepareQueueLimit: configuration.prepareQueueLimit)
    }

    /// The ATT_MTU of the bearer at the moment. [Vol 3, Part F, 3.2.8]
    package var attMTU: Int { bearer.mtu }

    /// When `timerFired` is to be called; nil = no timer runs.
    package var nextDeadline: Instant? { bearer.nextDeadline }

    /// What the client subscribed to, by the handle of the CCCD.
    package func configuration(of descriptor: AttributeHandle) -> ClientConfiguration {
        session.configurations[descriptor] ?? []
    }

    /// A PDU came in on the ATT channel.
    package mutating func received(
        _ pdu: [UInt8], server: inout GATTServer, at now: Instant, into out: inout [GATTOutput]
    ) {
        guard let first = pdu.first else { return trace("ignored an empty PDU", into: &out) }
        let opcode = ATTOpcode(rawValue: first)
        let kind = opcode.kind
        if kind == .response { return receiveResponse(pdu, opcode, at: now, into: &out) }
        if let objection = bearer.objection(to: opcode, count: pdu.count) {
            // An indication is confirmed in any case: a server that waits 30 s for it closes the bearer.
            // [Vol 3, Part F, 3.4.7.3]
            if kind == .indication, bearer.failure == nil {
                session.send(.handleValueConfirmation(.init()), into: &out)
            }
            return trace("ignored \(objection)", into: &out)
        }
        do throws(WireError) {
            receive(try ATTPacket(decoding: pdu), pdu, server: &server, at: now, into: &out)
        } catch {
            switch kind {
            case .request: session.sendError(opcode, .none, .invalidPDU, into: &out)
            case .unknownRequest: session.sendError(opcode, .none, .requestNotSupported, into: &out)
            case .indication: session.send(.handleValueConfirmation(.init()), into: &out)
            default: break
            }
            trace("ignored a PDU: \(error)", into: &out)
        }
    }

    @inline(__always)
    private mutating func receive(
        _ packet: ATTPacket, _ pdu: [UInt8], server: inout GATTServer, at now: Instant, into out: inout [GATTOutput]
    ) {
        switch packet {
        case .exchangeMTURequest(let request): answerMTURequest(request, into: &out)
        case .writeCommand, .signedWriteCommand:
            session.command(packet, pdu: pdu, terms(server.minimumKeySize), server: &server, into: &out)
        case .handleValueNotification, .multipleHandleValueNotification: notified(packet, into: &out)
        case .handleValueIndication(let value):
            session.send(.handleValueConfirmation(.init()), into: &out)
            if value.handle != .none {
                out.append(.event(.valueReceived(link, value.handle, value.value, indicated: true)))
            }
        case .handleValueConfirmation:
            if bearer.receiveConfirmation() { confirmed(at: now, into: &out) }
        default: session.request(packet, terms(server.minimumKeySize), server: &server, into: &out)
        }
    }

    private mutating func receiveResponse(
        _ pdu: [UInt8], _ opcode: ATTOpcode, at now: Instant, into out: inout [GATTOutput]
    ) {
        switch bearer.receiveResponse(pdu, opcode) {
        case .packet(let packet): answered(packet, at: now, into: &out)
        case .nonsense(let what): misanswered(what, at: now, into: &out)
        case .ignore(let what): trace("ignored \(what)", into: &out)
        }
    }

    private func notified(_ packet: ATTPacket, into out: inout [GATTOutput]) {
        switch packet {
        case .handleValueNotification(let value) where value.handle != .none:
            out.append(.event(.valueReceived(link, value.handle, value.value, indicated: false)))
        case .multipleHandleValueNotification(let notification):
            // Whole tuples count; what is cut at the end doesn't. [Vol 3, Part F, 3.4.7.4]
            for value in notification.wholeValues where value.handle != .none {
                out.append(.event(.valueReceived(link, value.handle, value.value, indicated: false)))
            }
        default: trace("ignored a notification of handle 0", into: &out)
        }
    }

    /// What protects the link at the moment.
    var security: LinkSecurity { configuration.security }

    private func terms(_ minimumKeySize: Int) -> GATTServerSession.Terms {
        GATTServerSession.Terms(
            mtu: bearer.mtu,
            access: AttributeAccess(security: configuration.security, minimumKeySize: minimumKeySize))
    }

    func trace(_ message: String, into out: inout [GATTOutput]) {
        out.append(.trace(TraceEvent(.debug, "att", "\(link) \(message)")))
    }

    /// The application's answer to `.readRequested` or `.writeRequested`.
    package mutating func respond(
        _ request: GATTRequestID, _ error: ATTErrorCode, value: [UInt8], server: inout GATTServer, at now: Instant,
        into out: inout [GATTOutput]
    ) {
        if bearer.failure != nil { return }
        session.respond(request, error, value: value, terms(server.minimumKeySize), server: &server, into: &out)
    }

    /// A tagged PDU has left for the controller.
    package mutating func sent(_ tag: UInt64, into out: inout [GATTOutput]) {
        guard let (token, isCommand) = sender.left(tag) else { return }
        out.append(
            .event(isCommand ? .gattCompleted(link, token, .success(.done)) : .valueSent(link, token, nil)))
    }

    /// Time has come to `nextDeadline`.
    package mutating func timerFired(server: inout GATTServer, at now: Instant, into out: inout [GATTOutput]) {
        guard bearer.isOverdue(at: now) else { return }
        fail(.attTimeout, into: &out)
        out.append(.closeBearer(.attTimeout))
    }

    /// The link is gone: everything that waits ends with the reason.
    package mutating func closed(reason: HCIStatus, into out: inout [GATTOutput]) {
        bearer.close(.disconnected(reason))
        fail(.disconnected(reason), into: &out)
    }

    /// Ends all operations, in the order in which they began.
    private mutating func fail(_ reason: HostError, into out: inout [GATTOutput]) {
        for operation in sender.drain() {
            out.append(
                .event(
                    operation.isCommand
                        ? .gattCompleted(link, operation.token, .failure(reason))
                        : .valueSent(link, operation.token, reason)))
        }
        for order in client.drain() { out.append(.event(.gattCompleted(link, order.token, .failure(reason)))) }
        session.pending = nil
        session.prepared = []
    }
}

extension ATTMultipleHandleValueNotification {
    /// The tuples that are whole.
    fileprivate var wholeValues: [GATTHandleValue] {
        var values: [GATTHandleValue] = []
        var rest = list[...]
        while rest.count >= 4 {
            let octets = Array(rest.prefix(4))
            let length = Int(octets[2]) | Int(octets[3]) << 8
            guard rest.count >= 4 + length else { break }
            let handle = AttributeHandle(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
            values.append(GATTHandleValue(handle: handle, value: Array(rest.dropFirst(4).prefix(length))))
            rest = rest.dropFirst(4 + length)
        }
        return values
    }
}
