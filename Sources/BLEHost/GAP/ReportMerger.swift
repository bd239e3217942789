import BLEWire

/// Puts together what an extended scan reports in parts. [Vol 4, Part E, 7.7.65.13]
///
/// *Limits*: as many advertisements at a time as `capacity`, and as long as an advertisement may be; of more the oldest is
/// forgotten. What a controller has cut is taken as far as it goes.
struct ReportMerger {
    private typealias Report = LEExtendedAdvertisingReport.Report

    private static let capacity = 32
    private static let longest = 1650
    /// Each with the data so far.
    private var parts: [Report] = []

    init() {}

    /// The report with the whole data, once nothing more of it will come.
    mutating func take(_ report: LEExtendedAdvertisingReport.Report) -> LEExtendedAdvertisingReport.Report? {
        let isMore = report.type.isIncomplete
        if !isMore, parts.isEmpty { return report }
        let place = parts.firstIndex { part in
            part.address == report.address && part.setIdentifier == report.setIdentifier
                && part.type.isScanResponse == report.type.isScanResponse
        }
        guard let place else {
            guard isMore else { return report }
            if parts.count == Self.capacity { parts.removeFirst() }
            parts.append(report)
            return nil
        }
        var whole = report
        // Where the train is, the first packet says; not every controller repeats it.
        if whole.periodicInterval == 0 { whole.periodicInterval = parts[place].periodicInterval }
        // A controller that goes on for ever begins anew.
        let isTooLong = isMore && parts[place].data.count + report.data.count > Self.longest
        whole.data = isTooLong ? [] : parts[place].data + report.data
        guard isMore else {
            parts.remove(at: place)
            return whole
        }
        parts[place] = whole
        return nil
    }

    mutating func removeAll() { parts = [] }
}
