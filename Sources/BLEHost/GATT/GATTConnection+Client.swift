package import BLEWire

/// The client's half: procedures in their order, one request at a time.
extension GATTConnection {
    /// Starts a client procedure behind those that wait; ends in `.gattCompleted`.
    ///
    /// Commands don't wait for requests [Vol 3, Part F, 3.3.2], except for writes of the same attribute that
    /// haven't left yet: the order in which an attribute is written stays as it was asked for.
    package mutating func start(
        _ procedure: GATTProcedure, token: OperationToken, at now: Instant, into out: inout [GATTOutput]
    ) {
        if let reason = bearer.failure {
            out.append(.event(.gattCompleted(link, token, .failure(reason))))
            return
        }
        let order = GATTClient.Order(token: token, procedure: procedure)
        if let handle = procedure.commandHandle, !client.isWriting(handle) {
            sendCommand(order, into: &out)
        } else if client.active != nil {
            client.waiting.append(order)
        } else {
            begin(order, at: now, into: &out)
        }
    }

    private mutating func begin(_ order: GATTClient.Order, at now: Instant, into out: inout [GATTOutput]) {
        client.active = order
        if case .exchangeMTU(let wanted) = order.procedure {
            perform(beginMTUExchange(wanted), at: now, into: &out)
        } else {
            perform(client.begin(order.procedure, mtu: bearer.mtu), at: now, into: &out)
        }
    }

    /// The answer to the request in flight can't be believed.
    mutating func misanswered(_ what: String, at now: Instant, into out: inout [GATTOutput]) {
        if client.active != nil { clientStep(client.misanswered(what), at: now, into: &out) }
    }

    mutating func answered(_ packet: ATTPacket, at now: Instant, into out: inout [GATTOutput]) {
        guard let order = client.active else { return }
        client.requestMTU = min(client.requestMTU, bearer.mtu)
        switch packet {
        case .errorResponse(let error):
            if raisesSecurity(error.error) {
                client.elevating = error.error
                client.wasElevated = true
                out.append(.elevateSecurity(error.error))
                return
            }
            clientStep(client.refused(error.error, by: error.request, order.procedure), at: now, into: &out)
        case .exchangeMTUResponse(let response):
            clientStep(endMTUExchange(response, into: &out), at: now, into: &out)
        default:
            clientStep(client.answered(packet, order.procedure, mtu: bearer.mtu), at: now, into: &out)
        }
    }

    /// Carries out a step and, where a procedure ends, begins the next one.
    mutating func clientStep(_ step: GATTClient.Step, at now: Instant, into out: inout [GATTOutput]) {
        perform(step, at: now, into: &out)
        while client.active == nil, let next = client.waiting.popFirst() {
            if next.procedure.commandHandle != nil {
                sendCommand(next, into: &out)
            } else {
                begin(next, at: now, into: &out)
            }
        }
    }

    private mutating func perform(_ step: GATTClient.Step, at now: Instant, into out: inout [GATTOutput]) {
        let result: Result<GATTOutcome, HostError>
        switch step {
        case .request(let packet):
            do throws(WireError) {
                let pdu = try packet.encoded()
                if pdu.count <= bearer.mtu {
                    client.wasElevated = false
                    return sendRequest(pdu, at: now, into: &out)
                }
                result = .failure(.invalidParameters("a request longer than ATT_MTU"))
            } catch {
                result = .failure(.invalidParameters(error.description))
            }
        case .done(let outcome): result = .success(outcome)
        case .failed(let reason): result = .failure(reason)
        }
        guard let order = client.active else { return }
        client.active = nil
        out.append(.event(.gattCompleted(link, order.token, result)))
    }

    private mutating func sendRequest(_ pdu: [UInt8], at now: Instant, into out: inout [GATTOutput]) {
        guard let opcode = pdu.first else { return }
        client.request = pdu
        client.requestMTU = bearer.mtu
        bearer.requestSent(ATTOpcode(rawValue: opcode), at: now)
        out.append(.send(pdu: pdu, tag: nil))
    }

    /// Whether an error is to be answered by more security, once a request.
    private func raisesSecurity(_ error: ATTErrorCode) -> Bool {
        guard configuration.elevatesSecurity, !client.wasElevated else { return false }
        return error == .insufficientAuthentication || error == .insufficientEncryption
    }

    /// What holds from now on, without anything that waited for it.
    mutating func know(_ security: LinkSecurity) { configuration.security = security }

    /// The link's security changed, or what `.elevateSecurity` asked for failed (then it is what it was).
    package mutating func securityChanged(
        _ security: LinkSecurity, at now: Instant, into out: inout [GATTOutput]
    ) {
        let isOther = security != configuration.security
        configuration.security = security
        guard let error = client.elevating, let order = client.active else { return }
        client.elevating = nil
        if isOther {
            sendRequest(client.request, at: now, into: &out)
        } else {
            let opcode = ATTOpcode(rawValue: client.request.first ?? 0)
            clientStep(client.refused(error, by: opcode, order.procedure), at: now, into: &out)
        }
    }

    /// [Vol 3, Part G, 4.9.1], [Vol 3, Part G, 4.9.2]
    private mutating func sendCommand(_ order: GATTClient.Order, into out: inout [GATTOutput]) {
        do throws(WireError) {
            let pdu: [UInt8]
            switch order.procedure {
            case .signedWrite(let handle, let value) where !configuration.security.isEncrypted:
                guard let signed = try sign(handle, value) else {
                    return refuse(order, "no key to sign with", into: &out)
                }
                pdu = signed
            case .signedWrite(let handle, let value), .writeWithoutResponse(let handle, let value):
                pdu = try ATTPacket.writeCommand(.init(handle: handle, value: value)).encoded()
            default: return
            }
            guard pdu.count <= bearer.mtu else { return refuse(order, "a command longer than ATT_MTU", into: &out) }
            // A counter is used up only by what leaves.
            if case .signedWrite = order.procedure, !configuration.security.isEncrypted { signingKey?.counter += 1 }
            out.append(.send(pdu: pdu, tag: sender.tag(order.token, isCommand: true)))
        } catch {
            refuse(order, error.description, into: &out)
        }
    }

    private func refuse(_ order: GATTClient.Order, _ why: String, into out: inout [GATTOutput]) {
        out.append(.event(.gattCompleted(link, order.token, .failure(.invalidParameters(why)))))
    }
}

extension GATTProcedure {
    /// The attribute that a command writes; nil for what needs a request.
    var commandHandle: AttributeHandle? {
        switch self {
        case .writeWithoutResponse(let handle, _), .signedWrite(let handle, _): handle
        default: nil
        }
    }

    /// Whether it writes the attribute by requests.
    func writes(_ handle: AttributeHandle) -> Bool {
        switch self {
        case .write(handle, _), .writeLong(handle, _), .writeWithoutResponse(handle, _), .signedWrite(handle, _): true
        case .writeReliable(let writes): writes.contains { $0.handle == handle }
        default: false
        }
    }
}
