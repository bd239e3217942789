import BLEWire

/// The scan of one session: what it looks for, and what it was told already.
package struct SessionScan {
    package let request: ScanRequest
    private var seen = BoundedTable<PeerID, Seen>(limit: 4096)

    private struct Seen {
        /// What was looked at last.
        var revision: Int
        /// Everything that was reported; nil = nothing yet.
        var reported: Advertisement?
    }

    package init(_ request: ScanRequest) { self.request = request }

    /// What the session is to be told of this report; nil = nothing. [contract 18-25]
    ///
    /// In the background a scan must name services, and duplicates aren't reported. [contract 32]
    ///
    /// - Parameters:
    ///   - revision: grows as the advertisement changes, from 1.
    ///   - advertisement: what the peer says now in all its packets.
    package mutating func admits(
        _ peer: PeerID, revision: Int, _ advertisement: Advertisement, isInBackground: Bool = false
    ) -> Advertisement? {
        if isInBackground, request.services?.isEmpty ?? true { return nil }
        if request.allowDuplicates, !isInBackground { return matching(advertisement) }
        var entry = seen[peer] ?? Seen(revision: 0, reported: nil)
        guard entry.revision != revision else { return nil }
        entry.revision = revision
        let advertisement = matching(advertisement)
        var isNews = false
        if let advertisement {
            if entry.reported == nil {
                entry.reported = advertisement
                isNews = true
            } else {
                isNews = entry.reported?.absorbNews(of: advertisement) ?? false
            }
        }
        seen[peer] = entry
        return isNews ? advertisement : nil
    }

    /// The advertisement, with those of the wanted services that its overflow area has; nil where nothing is wanted of
    /// it. An empty list of services looks for everything, as no list does. [contract 19, 25, 113]
    private func matching(_ advertisement: Advertisement) -> Advertisement? {
        let services = request.services ?? []
        if services.isEmpty && request.solicitedServices.isEmpty { return advertisement }
        var advertisement = advertisement
        if let area = advertisement.manufacturerData.flatMap(OverflowArea.init(manufacturerData:)) {
            advertisement.overflowServices = services.filter {
                area.mayContain($0) && !advertisement.services.contains($0)
            }
        }
        let isWanted =
            !advertisement.overflowServices.isEmpty || services.contains { advertisement.services.contains($0) }
            || request.solicitedServices.contains { advertisement.solicitedServices.contains($0) }
        return isWanted ? advertisement : nil
    }
}
