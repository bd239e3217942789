import BLEBackend
import BLEWire

/// Who is subscribed to a characteristic of ours, and how updates get to them.
struct CentralSubscription {
    struct Socket: Equatable {
        let number: SocketNumber
        let peer: PeerID
        /// Sessions of the updates that haven't left.
        var waiting: [SessionID] = []
    }
    var peers: [PeerID] = []
    /// One a central from BlueZ 5.69 on, before that one for all.
    var sockets: [Socket] = []
    /// `StartNotify` was called: updates go as changes of the property.
    var isByProperty = false
    /// Indications: one after another.
    var indications: [Indication] = []
    var awaitsConfirmation = false

    struct Indication {
        let value: [UInt8]
        let session: SessionID
    }
}

// Values that programs send to subscribed centrals. [contract 104-107]
extension BlueZMachine {
    /// How long a confirmation is waited for. [Vol 3, Part F, 3.3.3]
    private static let confirmation = Delay.seconds(30)

    /// An update for which a place was taken.
    mutating func update(
        _ value: [UInt8], of id: LocalAttributeID, centrals: [PeerID]?, in session: SessionID
    ) {
        guard let subscription = subscriptions[id], let found = published.characteristic(id) else {
            return change(.updateLeft(session))
        }
        let wanted = subscription.peers.filter { centrals?.contains($0) ?? true }
        guard !wanted.isEmpty else { return change(.updateLeft(session)) }
        let room = wanted.map { central($0).maximumUpdateValueLength }.min() ?? 20
        let cut = Array(value.prefix(room))
        if cut.count < value.count {
            trace(.debug, "an update of \(value.count) octets was cut to \(room) (maximumUpdateValueLength)")
        }
        // One socket for all centrals, or none: there's no choice among them.
        let sockets = subscription.sockets.filter { wanted.contains($0.peer) }
        if wanted.count < subscription.peers.count && sockets.count < wanted.count {
            traceOnce(
                .warning,
                "BlueZ sends an update to all centrals that are subscribed, not to some of them: it goes to all")
        }
        // A packet without octets would close the socket.
        if !subscription.sockets.isEmpty && !cut.isEmpty {
            send(cut, by: sockets.isEmpty ? subscription.sockets : sockets, id, session)
        } else if !found.characteristic.canNotify {
            subscriptions.update(id) { $0.indications.append(.init(value: cut, session: session)) }
            sendIndication(of: id)
        } else {
            signal(cut, id)
            // BlueZ has read what came before when it answers.
            call("/", DBusName.peer, "Ping", then: .updateRead(session))
        }
    }

    private mutating func send(
        _ value: [UInt8], by sockets: [CentralSubscription.Socket], _ id: LocalAttributeID, _ session: SessionID
    ) {
        for (index, socket) in sockets.enumerated() {
            ask(.send(socket.number, value))
            // The last one gives the place back.
            guard index == sockets.count - 1 else { continue }
            subscriptions.update(id) { subscription in
                guard let place = subscription.sockets.firstIndex(where: { $0.number == socket.number }) else { return }
                subscription.sockets[place].waiting.append(session)
            }
        }
    }

    private mutating func signal(_ value: [UInt8], _ id: LocalAttributeID) {
        guard let path = published.path(of: id) else { return }
        let changed = DBusValue.properties(["Value": .bytes(value)])
        ask(
            .signal(
                DBusSignal(
                    path, DBusName.properties, "PropertiesChanged",
                    [.string(BlueZName.gattCharacteristic), changed, .strings([])])))
    }

    mutating func updateRead(_ session: SessionID) { change(.updateLeft(session)) }

    // MARK: - Indications

    /// BlueZ drops an indication that comes while another one waits for its confirmation.
    private mutating func sendIndication(of id: LocalAttributeID) {
        guard let subscription = subscriptions[id], !subscription.awaitsConfirmation,
            let next = subscription.indications.first
        else { return }
        subscriptions.update(id) { $0.awaitsConfirmation = true }
        signal(next.value, id)
        timers.set(.confirmation(id), at: now + Self.confirmation)
    }

    mutating func confirmed(_ id: LocalAttributeID, _ call: IncomingCall) {
        answer(call, .success([]))
        indicationEnded(id)
    }

    mutating func indicationTimedOut(_ id: LocalAttributeID) {
        trace(.debug, "an indication wasn't confirmed within 30 s")
        indicationEnded(id)
    }

    private mutating func indicationEnded(_ id: LocalAttributeID) {
        timers.cancel(.confirmation(id))
        guard let subscription = subscriptions[id], subscription.awaitsConfirmation else { return }
        subscriptions.update(id) { subscription in
            subscription.awaitsConfirmation = false
            if !subscription.indications.isEmpty { subscription.indications.removeFirst() }
        }
        if let session = subscription.indications.first?.session { change(.updateLeft(session)) }
        sendIndication(of: id)
    }

    mutating func dropIndications(of id: LocalAttributeID) {
        timers.cancel(.confirmation(id))
        for one in subscriptions[id]?.indications ?? [] { change(.updateLeft(one.session)) }
        subscriptions.update(id) { $0.indications = [] }
    }

    // MARK: - Sockets

    mutating func received(_ event: SocketEvent) {
        switch event {
        // BlueZ confirms indications by an octet; nothing else comes.
        case .received: break
        case .sent(let number):
            guard let id = owner(of: number) else { return }
            let session = subscriptions.update(id) { subscription -> SessionID? in
                guard let place = subscription.sockets.firstIndex(where: { $0.number == number }),
                    !subscription.sockets[place].waiting.isEmpty
                else { return nil }
                return subscription.sockets[place].waiting.removeFirst()
            }
            if case .some(.some(let session)) = session { change(.updateLeft(session)) }
        case .closed(let number): socketClosed(number)
        }
    }

    private func owner(of socket: SocketNumber) -> LocalAttributeID? {
        subscriptions.first { $0.value.sockets.contains { $0.number == socket } }?.key
    }

    /// BlueZ closes it when its central unsubscribes.
    private mutating func socketClosed(_ number: SocketNumber) {
        guard let id = owner(of: number), let socket = subscriptions[id]?.sockets.first(where: { $0.number == number })
        else { return }
        for session in socket.waiting { change(.updateLeft(session)) }
        subscriptions.update(id) { $0.sockets.removeAll { $0.number == number } }
        let remaining = subscriptions[id]?.sockets ?? []
        unsubscribe(remaining.isEmpty ? subscriptions[id]?.peers ?? [] : [socket.peer], from: id)
    }
}
