import BLEWire

// What bonded clients have subscribed to lasts from link to link. [Vol 3, Part G, 3.3.3.3]
extension HostMachine {
    /// A client has changed what it subscribes to: kept with its bond, if the link shows that it is the one.
    mutating func keepSubscriptions(linkAt index: Int, into out: inout [HostOutput]) {
        guard links.all[index].security.current.isEncrypted, let identity = links.all[index].security.bond,
            var bond = security.bonds[identity]
        else { return }
        let before = bond
        noteSubscriptions(of: index, in: &bond)
        if bond == before { return }
        security.bonds.set(bond)
        out.append(.event(.bondChanged(bond)))
    }

    /// Puts what a link's client has subscribed to into a bond.
    mutating func noteSubscriptions(of index: Int, in bond: inout Bond) {
        bond.subscriptions = links.all[index].gatt.subscriptions
        bond.databaseHash = bond.subscriptions.isEmpty ? [] : server.databaseHash()
    }

    /// The link is encrypted with the key of the bond: the client has what it had, if the database is the same. After a
    /// change it is told so, if it wanted to be, and has to subscribe anew. [Vol 3, Part G, 2.5.2]
    mutating func restoreSubscriptions(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        guard links.all[index].security.usesBond, let identity = links.all[index].security.bond,
            let bond = security.bonds[identity], !bond.subscriptions.isEmpty,
            links.all[index].gatt.subscriptions.isEmpty
        else { return }
        let isSame = bond.databaseHash == server.databaseHash()
        var list = lendOutputs()
        links.all[index].gatt.restore(bond.subscriptions, all: isSame, server: &server, at: now, into: &list)
        route(&list, of: index, at: now, into: &out)
        if !isSame { keepSubscriptions(linkAt: index, into: &out) }
    }
}

extension GATTConnection {
    /// What the client subscribed to, by the handles of the CCCDs.
    var subscriptions: [ClientSubscription] {
        session.configurations.map { ClientSubscription(descriptor: $0.key, value: $0.value) }
    }

    /// Gives a client back what it had subscribed to: all, or only that it is told of changes, which it is then.
    mutating func restore(
        _ subscriptions: [ClientSubscription], all isSame: Bool, server: inout GATTServer, at now: Instant,
        into out: inout [GATTOutput]
    ) {
        let changes = server.serviceChangedHandle.flatMap { server.database.configurationHandle(of: $0) }
        for subscription in subscriptions where isSame || subscription.descriptor == changes {
            guard let index = server.database.index(of: subscription.descriptor),
                server.database.attributes[index].content == .clientConfiguration
            else { continue }
            session.configurations[subscription.descriptor] = subscription.value
            if let value = server.database.valueHandle(of: index) {
                out.append(.event(.subscriptionChanged(link, value, subscription.value)))
            }
        }
        if !isSame { databaseChanged(server: &server, at: now, into: &out) }
    }
}
