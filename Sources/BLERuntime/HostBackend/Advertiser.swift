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
}
