package import BLEWire

/// The server's half: values that are sent unasked.
extension GATTConnection {
    /// Sends a notification or an indication, whatever the CCCD holds; ends in `.valueSent`.
    ///
    /// A value longer than ATT_MTU - 3 is cut. [Vol 3, Part F, 3.4.7.1]
    package mutating func sendValue(
        _ handle: AttributeHandle, _ value: [UInt8], indicate: Bool, token: OperationToken, at now: Instant,
        into out: inout [GATTOutput]
    ) {
        if let reason = bearer.failure {
            out.append(.event(.valueSent(link, token, reason)))
        } else if session.awareness.isUnaware {
            // The client may take the handle for another attribute. [Vol 3, Part G, 2.5.2.1]
            out.append(.event(.valueSent(link, token, .att(.databaseOutOfSync))))
        } else if indicate {
            sender.append(ValueSender.Indication(handle: handle, value: value, token: token))
            sendNextIndication(at: now, into: &out)
        } else {
            let packet = ATTPacket.handleValueNotification(
                .init(handle: handle, value: value.cut(to: bearer.mtu - 3)))
            guard let pdu = try? packet.encoded() else { return }
            out.append(.send(pdu: pdu, tag: sender.tag(token, isCommand: false)))
        }
    }

    private mutating func sendNextIndication(at now: Instant, into out: inout [GATTOutput]) {
        guard let indication = sender.next() else { return }
        bearer.indicationSent(at: now)
        session.send(
            .handleValueIndication(
                .init(handle: indication.handle, value: indication.value.cut(to: bearer.mtu - 3))),
            into: &out)
    }

    mutating func confirmed(at now: Instant, into out: inout [GATTOutput]) {
        if let indication = sender.confirmed() {
            if let token = indication.token {
                out.append(.event(.valueSent(link, token, nil)))
            } else if !sender.hasServiceChanged {
                session.awareness.confirmed()
            }
        }
        sendNextIndication(at: now, into: &out)
    }

    /// Services were added to the server or removed: tells this client, if it wants to know. [Vol 3, Part G, 7.1]
    package mutating func databaseChanged(server: inout GATTServer, at now: Instant, into out: inout [GATTOutput]) {
        guard bearer.failure == nil, let range = server.lastChange else { return }
        session.awareness.databaseChanged()
        session.forgetRemoved(server.database)
        guard let handle = server.serviceChangedHandle,
            let descriptor = server.database.configurationHandle(of: handle),
            session.configurations[descriptor]?.contains(.indications) ?? false
        else { return }
        sender.appendServiceChanged(handle, range)
        sendNextIndication(at: now, into: &out)
    }
}

extension GATTServerSession {
    /// Drops what belongs to attributes that are gone.
    mutating func forgetRemoved(_ database: GATTDatabase) {
        for handle in configurations.keys {
            let index = database.index(of: handle)
            if index.map({ database.attributes[$0].content != .clientConfiguration }) ?? true {
                configurations[handle] = nil
            }
        }
        prepared.removeAll { database.index(of: $0.handle) == nil }
    }
}

extension GATTDatabase {
    /// The CCCD of the characteristic whose value has the handle.
    package func configurationHandle(of value: AttributeHandle) -> AttributeHandle? {
        guard var index = index(of: value) else { return nil }
        while index + 1 < attributes.count {
            index += 1
            if attributes[index].type == GATTType.characteristic || attributes[index].isService { return nil }
            if attributes[index].content == .clientConfiguration { return attributes[index].handle }
        }
        return nil
    }
}
