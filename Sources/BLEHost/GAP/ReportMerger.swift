import BLEWire

/// Puts together what an extended scan reports in parts. [Vol 4, Part E, 7.7.65.13]
///
/// *Limits*: as many advertisements at a time as `capacity`, and as long as an advertisement may be; of more the oldest is
/// forgotten. What a controller has cut is taken as far as it goes.
struct ReportMerger {
    private struct Part {
        var address: DeviceAddress
        var setIdentifier: UInt8
        var isScanResponse: Bool
        var data: [UInt8]
    }

    private static let capacity = 32
    private static let longest = 1650
    private var parts: [Part] = []

    init() {}

    /// The whole data, once nothing more of it will come.
    mutating func take(_ report: LEExtendedAdvertisingReport.Report) -> [UInt8]? {
        let isMore = report.type.isIncomplete
        if !isMore, parts.isEmpty { return report.data }
        let isScanResponse = report.type.isScanResponse
        let place = parts.firstIndex { part in
            part.address == report.address && part.setIdentifier == report.setIdentifier
                && part.isScanResponse == isScanResponse
        }
        guard isMore else { return (place.map { parts.remove(at: $0).data } ?? []) + report.data }
        if let place {
            // A controller that goes on for ever begins anew.
            let isTooLong = parts[place].data.count + report.data.count > Self.longest
            parts[place].data = isTooLong ? [] : parts[place].data + report.data
        } else {
            if parts.count == Self.capacity { parts.removeFirst() }
            parts.append(
                Part(
                    address: report.address, setIdentifier: report.setIdentifier, isScanResponse: isScanResponse,
                    data: report.data))
        }
        return nil
    }

    mutating func removeAll() { parts = [] }
}
