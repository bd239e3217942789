import BLEBackend
import BLEWire

/// A device that was heard: what its advertisement and its scan response say now.
struct Advertiser {
    let peer: PeerID
    private var advertising = ADFields()
    private var response = ADFields()
    private var advertisingData: [UInt8] = []
    private var responseData: [UInt8] = []
    /// Both, field by field.
    private(set) var merged = Advertisement()
    /// Grows as `merged` changes.
    private(set) var revision = 0

    init(peer: PeerID) { self.peer = peer }

    /// Takes what was received; true if it says something else than before.
    mutating func receive(_ data: [UInt8], isScanResponse: Bool, isConnectable: Bool) -> Bool {
        let isFirst = revision == 0
        if isScanResponse {
            guard isFirst || data != responseData else { return false }
            responseData = data
            response = ADFields(data)
        } else {
            guard isFirst || data != advertisingData || isConnectable != merged.isConnectable else { return false }
            advertisingData = data
            advertising = ADFields(data)
            merged.isConnectable = isConnectable
        }
        let isConnectable = merged.isConnectable
        merged = Advertisement(advertising, response)
        merged.isConnectable = isConnectable
        revision += 1
        return true
    }
}

extension Advertisement {
    /// The fields of an advertisement with those of its scan response. [contract 22, 28]
    init(_ advertising: ADFields, _ response: ADFields) {
        self.init()
        localName =
            advertising.completeName ?? response.completeName ?? advertising.shortenedName ?? response.shortenedName
        txPower = advertising.txPower ?? response.txPower
        manufacturerData = advertising.manufacturerData ?? response.manufacturerData
        for fields in [advertising, response] {
            services.appendMissing(fields.services)
            solicitedServices.appendMissing(fields.solicitedServices)
            for data in fields.serviceData where !serviceData.contains(where: { $0.uuid == data.service }) {
                serviceData.append(ServiceData(uuid: data.service, data: data.data))
            }
        }
    }

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
    mutating func absorbNews(of other: Advertisement) -> Bool {
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
        let before = entryCount
        add(other)
        return isNews || entryCount > before
    }

    private var entryCount: Int {
        services.count + solicitedServices.count + overflowServices.count + serviceData.count
    }
}

extension [BluetoothUUID] {
    fileprivate mutating func appendMissing(_ others: [BluetoothUUID]) {
        for uuid in others where !contains(uuid) { append(uuid) }
    }
}
