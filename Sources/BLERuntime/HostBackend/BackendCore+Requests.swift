import BLEBackend
import BLEHost
import BLEWire

// Requests of centrals for programs, and subscriptions. [contract 95-103]
extension BackendCore {
    mutating func readRequested(
        _ id: GATTRequestID, _ attribute: AttributeHandle, offset: Int, on handle: ConnectionHandle
    ) {
        guard let link = links[handle], let characteristic = published.characteristics[attribute] else {
            return ask(.respond(handle, id, .unlikelyError, value: []))
        }
        let request = requests.insert(link: handle, id: id, sessions: [characteristic.session])
        emit(
            .readRequest(request[0], central: link.central, characteristic.id, offset: offset),
            to: characteristic.session)
    }

    mutating func writeRequested(
        _ id: GATTRequestID, _ writes: [GATTWrite], needsResponse: Bool, on handle: ConnectionHandle
    ) {
        guard let link = links[handle] else { return }
        var parts: [(session: SessionID, writes: [BackendEvent.WriteRequest])] = []
        for write in writes {
            guard let characteristic = published.characteristics[write.handle] else {
                if needsResponse { ask(.respond(handle, id, .unlikelyError, value: [])) }
                return
            }
            // A kind of write that isn't offered is refused; a command can't be, so it's dropped. [contract 78, 101]
            guard characteristic.offers(command: !needsResponse) else {
                if needsResponse { ask(.respond(handle, id, .writeNotPermitted, value: [])) }
                return
            }
            let request = BackendEvent.WriteRequest(
                characteristic: characteristic.id, offset: write.offset, value: write.value, isCommand: !needsResponse)
            if let index = parts.firstIndex(where: { $0.session == characteristic.session }) {
                parts[index].writes.append(request)
            } else {
                parts.append((characteristic.session, [request]))
            }
        }
        guard !parts.isEmpty else {
            if needsResponse { ask(.respond(handle, id, .success, value: [])) }
            return
        }
        let ids =
            needsResponse
            ? requests.insert(link: handle, id: id, sessions: parts.map(\.session))
            : parts.map { _ in requests.unanswered() }
        for (part, id) in zip(parts, ids) {
            emit(.writeRequests(id, central: link.central, part.writes), to: part.session)
        }
    }

    /// A program's answer; one for a command, or a second one, is dropped. [contract 97, 99]
    mutating func respond(_ id: RequestID, _ code: ATTErrorCode, value: [UInt8]?) {
        guard let request = requests.answer(id, code) else { return }
        ask(.respond(request.link, request.id, request.error, value: value ?? []))
    }

    /// The session is gone: its requests are refused, so that centrals don't wait. [contract 100]
    mutating func refuseRequests(of session: SessionID) {
        for id in requests.unanswered(by: session) { respond(id, .unlikelyError, value: nil) }
    }

    // MARK: - Subscriptions

    mutating func subscriptionChanged(
        _ attribute: AttributeHandle, _ configuration: ClientConfiguration, on handle: ConnectionHandle
    ) {
        guard let link = links[handle], let characteristic = published.characteristics[attribute] else { return }
        let before = link.subscribed[attribute]
        links.update(handle) { $0.subscribed[attribute] = configuration.isEmpty ? nil : configuration }
        guard (before == nil) != configuration.isEmpty else { return }
        shareSubscribers(of: characteristic.id, attribute)
        let event: BackendEvent =
            configuration.isEmpty
            ? .unsubscribed(central: link.central, characteristic.id)
            : .subscribed(central: link.central, characteristic.id)
        emit(event, to: characteristic.session)
    }

    /// A central is gone: it's no subscriber any more. [contract 95] The link is out of the table, or soon will be.
    mutating func endSubscriptions(of link: Link) {
        links.update(link.handle) { $0.subscribed.removeAll() }
        for attribute in link.subscribed.keys {
            guard let characteristic = published.characteristics[attribute] else { continue }
            shareSubscribers(of: characteristic.id, attribute)
            emit(.unsubscribed(central: link.central, characteristic.id), to: characteristic.session)
        }
    }

    private mutating func shareSubscribers(of characteristic: LocalAttributeID, _ attribute: AttributeHandle) {
        change(.subscribers(characteristic, links.filter { $0.value.subscribed[attribute] != nil }.map(\.value.peer)))
    }
}

extension Link {
    /// The peer in its role as central of ours.
    var central: CentralInfo { CentralInfo(id: peer, maximumUpdateValueLength: ValueLength.maximum(attMTU: mtu)) }
}
