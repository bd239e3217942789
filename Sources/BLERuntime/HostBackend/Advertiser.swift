package import BLEBackend
import BLEHost
package import BLEWire

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
    private var hasReceived = false

    init(peer: PeerID) { self.peer = peer }

    /// Takes what was received; true if it says something else than before.
    mutating func receive(_ data: [UInt8], isScanResponse: Bool, isConnectable: Bool) -> Bool {
        let isFirst = !hasReceived
        hasReceived = true
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
        let (isConnectable, train) = (merged.isConnectable, merged.train)
        merged = Advertisement(advertising, response)
        merged.isConnectable = isConnectable
        merged.train = train
        revision += 1
        return true
    }

    /// Takes what a report says of periodic advertising; true if that is something else than before. Other sets of the
    /// device, and its scan responses, say nothing of it.
    mutating func noteTrain(of report: AdvertisingReport) -> Bool {
        guard !report.isScanResponse, let set = report.setIdentifier else { return false }
        let train = report.periodicInterval.map {
            PeriodicTrainDescription(setIdentifier: set, interval: .periodic($0))
        }
        guard train != nil || merged.train?.setIdentifier == set, train != merged.train else { return false }
        merged.train = train
        revision += 1
        return true
    }
}

extension Advertisement {
    /// The fields of an advertisement with those of its scan response. [contract 22, 28]
    package init(_ advertising: ADFields, _ response: ADFields) {
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
}
