import BLEWire

/// The token of what the host asks by itself; its result isn't told.
private let ownToken = OperationToken(rawValue: .max)

// Between the GATT connections and the rest of the host.
extension HostMachine {
    /// Lends the list for GATT outputs out; `route` takes it back.
    @inline(__always)
    mutating func lendOutputs() -> [GATTOutput] {
        var list: [GATTOutput] = []
        swap(&list, &gattOutputs)
        return list
    }

    /// Does what a GATT connection wants done.
    mutating func route(
        _ list: inout [GATTOutput], of index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        // Moved out where there is only one, which is the rule.
        if list.count == 1, let only = list.popLast() {
            perform(only, of: index, at: now, into: &out)
        } else {
            for output in list { perform(output, of: index, at: now, into: &out) }
            list.removeAll(keepingCapacity: true)
        }
        swap(&list, &gattOutputs)
        noteDeadline(of: index)
    }

    private mutating func perform(
        _ output: GATTOutput, of index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        switch output {
        case .send(let pdu, let tag): enqueue(pdu, on: .att, tag: tag, linkAt: index, into: &out)
        case .event(.gattCompleted(_, ownToken, _)): break
        case .event(.subscriptionChanged(let handle, let value, let configuration)):
            out.append(.event(.subscriptionChanged(handle, value, configuration)))
            keepSubscriptions(linkAt: index, into: &out)
        case .event(let event): out.append(.event(event))
        case .closeBearer(let error):
            trace(.warning, "att", "the bearer of \(links.all[index].handle) ends: \(error)", into: &out)
            endLink(at: index, reason: .remoteUserTerminated)
        case .elevateSecurity: security.wished.append(links.all[index].handle)
        case .trace(let event): out.append(.trace(event))
        }
    }

    /// The configuration of a link's GATT connection.
    var gattConfiguration: GATTConfiguration {
        var settings = configuration.gatt
        settings.receiveMTU = min(max(configuration.preferredMTU, 23), 517)
        settings.elevatesSecurity = security.policy.isEnabled
        return settings
    }

    mutating func startProcedure(
        _ procedure: GATTProcedure, on handle: ConnectionHandle, token: OperationToken, at now: Instant,
        into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else {
            let error = HostError.disconnected(.unknownConnectionIdentifier)
            return out.append(.event(.gattCompleted(handle, token, .failure(error))))
        }
        if case .writeWithoutResponse = procedure, links.all[index].sending.count >= configuration.linkQueueLimit {
            return out.append(.event(.gattCompleted(handle, token, .failure(.hci(.memoryCapacityExceeded)))))
        }
        var list = lendOutputs()
        links.all[index].gatt.start(procedure, token: token, at: now, into: &list)
        route(&list, of: index, at: now, into: &out)
        if case .signedWrite = procedure { keepCounters(linkAt: index, into: &out) }
    }

    /// Starts the exchange of the ATT_MTU by itself. [Vol 3, Part F, 3.4.2]
    mutating func exchangeMTU(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        var list = lendOutputs()
        let mtu = UInt16(truncatingIfNeeded: gattConfiguration.receiveMTU)
        links.all[index].gatt.start(.exchangeMTU(mtu), token: ownToken, at: now, into: &list)
        route(&list, of: index, at: now, into: &out)
    }

    mutating func sendValue(
        _ value: [UInt8], of attribute: AttributeHandle, on handle: ConnectionHandle, indicate: Bool,
        token: OperationToken, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else {
            let error = HostError.disconnected(.unknownConnectionIdentifier)
            return out.append(.event(.valueSent(handle, token, error)))
        }
        if links.all[index].sending.count >= configuration.linkQueueLimit {
            return out.append(.event(.valueSent(handle, token, .hci(.memoryCapacityExceeded))))
        }
        // What only encrypted links may read goes out on no other. [Vol 3, Part C, 10.3.1]
        if !links.all[index].security.current.isEncrypted, server.database.isProtected(attribute) {
            return out.append(.event(.valueSent(handle, token, .att(.insufficientEncryption))))
        }
        var list = lendOutputs()
        links.all[index].gatt.sendValue(attribute, value, indicate: indicate, token: token, at: now, into: &list)
        route(&list, of: index, at: now, into: &out)
    }

    mutating func respond(
        to request: GATTRequestID, on handle: ConnectionHandle, error: ATTErrorCode, value: [UInt8], at now: Instant,
        into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else { return }
        var list = lendOutputs()
        links.all[index].gatt.respond(request, error, value: value, server: &server, at: now, into: &list)
        route(&list, of: index, at: now, into: &out)
    }

    mutating func databaseChanged(at now: Instant, into out: inout [HostOutput]) {
        for index in links.all.indices {
            var list = lendOutputs()
            links.all[index].gatt.databaseChanged(server: &server, at: now, into: &list)
            route(&list, of: index, at: now, into: &out)
        }
    }
}
