import BLEWire

// Connecting to bonded peers whose addresses the controller doesn't resolve: the host listens for them and connects to
// the address of the moment. [Vol 3, Part C, 10.8.2.3]
extension HostMachine {
    /// A scan that only looks for such peers, or for periodic advertisers.
    private static var seekingScan: ScanSettings {
        var settings = ScanSettings()
        settings.isActive = false
        settings.window = settings.interval / 2
        return settings
    }

    /// Whether a peer has addresses that only the host resolves.
    func isHidden(_ peer: DeviceAddress) -> Bool {
        guard !security.bonds.all.isEmpty, let irk = security.bonds[peer]?.irk, !irk.isZero else { return false }
        return !privacy.isResolving || !privacy.listed.contains { $0.peer == peer }
    }

    /// Hidden peers that a connection is wanted to.
    private var soughtPeers: [DeviceAddress] {
        if security.bonds.all.isEmpty { return [] }
        return connecting.pending.lazy.filter { $0.heldUntil == .never }.map(\.address).filter { address in
            isHidden(address) && !links.all.contains { $0.info.peer == address }
        }
    }

    /// The addresses that the next attempt should be about. A peer whose old link is still ending waits, and so does
    /// one whose address isn't known; one that was heard a moment ago comes first, alone.
    var nextBatch: [DeviceAddress] {
        let sought = soughtPeers
        if let heard = sought.first(where: { privacy.heardAddress(of: $0) != nil }) { return [heard] }
        return connecting.nextBatch(
            limit: usesAcceptList ? max(connecting.listSize, 1) : 1, without: links.all.map(\.info.peer) + sought)
    }

    /// The scan that the controller should do: the user's, or one for hidden peers and periodic advertisers.
    var wantedScan: ScanSettings? {
        if let wanted = scan.wanted { return wanted }
        if periodic.needsScan { return Self.seekingScan }
        return soughtPeers.contains { privacy.heardAddress(of: $0) == nil } ? Self.seekingScan : nil
    }

    /// A peer was heard under a private address; true where a connection to it is wanted.
    mutating func heard(_ peer: DeviceAddress, at address: DeviceAddress) -> Bool {
        guard address != peer, address.kind.rawValue <= 1, connecting.index(of: peer) != nil, isHidden(peer) else {
            return false
        }
        privacy.noteHeard(peer, at: address)
        return true
    }
}
