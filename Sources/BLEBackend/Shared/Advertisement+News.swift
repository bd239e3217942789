package import BLEWire

// What of an advertisement is news to who saw others of the same device. [contract 22]
extension Advertisement {
    /// Adds what lists of the other have more.
    private mutating func add(_ other: Advertisement) {
        services.appendMissing(other.services)
        solicitedServices.appendMissing(other.solicitedServices)
        overflowServices.appendMissing(other.overflowServices)
        for data in other.serviceData where !serviceData.contains(where: { $0.uuid == data.uuid }) {
            serviceData.append(data)
        }
    }

    /// Remembers that the other was reported too; true if it had something that wasn't reported before: a field, or an
    /// entry of a list. A changed value isn't news. [contract 22]
    package mutating func absorbNews(of other: Advertisement) -> Bool {
        var isNews = false
        if localName == nil, other.localName != nil {
            localName = other.localName
            isNews = true
        }
        if txPower == nil, other.txPower != nil {
            txPower = other.txPower
            isNews = true
        }
        if manufacturerData == nil, other.manufacturerData != nil {
            manufacturerData = other.manufacturerData
            isNews = true
        }
        if train == nil, other.train != nil {
            train = other.train
            isNews = true
        }
        let before = entryCount
        add(other)
        return isNews || entryCount > before
    }

    private var entryCount: Int {
        services.count + solicitedServices.count + overflowServices.count + serviceData.count
    }
}

extension [BluetoothUUID] {
    package mutating func appendMissing(_ others: [BluetoothUUID]) {
        for uuid in others where !contains(uuid) { append(uuid) }
    }
}
