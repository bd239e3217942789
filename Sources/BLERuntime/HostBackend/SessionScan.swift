import BLEBackend
import BLEWire

/// The scan of one session: what it looks for, and what it was told already.
struct SessionScan {
    let request: ScanRequest
    private var seen = BoundedTable<PeerID, Seen>(limit: 4096)

    private struct Seen {
        /// What was looked at last.
        var revision: Int
        /// Everything that was reported; nil = nothing yet.
        var reported: Advertisement?
    }

    init(_ request: ScanRequest) { self.request = request }

    /// Whether the session is to be told of this report. [contract 18-25]
    mutating func admits(_ advertiser: Advertiser) -> Bool {
        if request.allowDuplicates { return matches(advertiser.merged) }
        var entry = seen[advertiser.peer] ?? Seen(revision: 0, reported: nil)
        guard entry.revision != advertiser.revision else { return false }
        entry.revision = advertiser.revision
        var isNews = false
        if matches(advertiser.merged) {
            if entry.reported == nil {
                entry.reported = advertiser.merged
                isNews = true
            } else {
                isNews = entry.reported?.absorbNews(of: advertiser.merged) ?? false
            }
        }
        seen[advertiser.peer] = entry
        return isNews
    }

    /// An empty list of services looks for everything, as no list does. [contract 19]
    private func matches(_ advertisement: Advertisement) -> Bool {
        let services = request.services ?? []
        if services.isEmpty && request.solicitedServices.isEmpty { return true }
        return services.contains { advertisement.services.contains($0) || advertisement.overflowServices.contains($0) }
            || request.solicitedServices.contains { advertisement.solicitedServices.contains($0) }
    }
}
