import BLEWire

/// What a host has of pairing beyond its links: the policy, the pairings that are under way, bonds, and who has failed.
///
/// *Limits*: one pairing a link. A link without a pairing costs nothing here.
struct SecurityControl {
    var policy: PairingPolicy
    var bonds = BondTable()
    /// Pairings that are under way.
    var pairings = SortedTable<ConnectionHandle, LinkPairing>()
    var attempts = RepeatedAttempts()
    /// Links whose client procedures wait for more security, until the inputs of the moment are done.
    var wished: [ConnectionHandle] = []
    private var outOfBand: [(peer: DeviceAddress, data: OutOfBandData)] = []

    init(policy: PairingPolicy) { self.policy = policy }

    /// The earliest time at which a pairing has taken too long.
    var deadline: Instant {
        if pairings.isEmpty { return .never }
        return pairings.reduce(.never) { $0.earlier($1.value.machine.nextDeadline ?? .never) }
    }

    mutating func setOutOfBandData(_ data: OutOfBandData?, of peer: DeviceAddress) {
        outOfBand.removeAll { $0.peer == peer }
        if let data { outOfBand.append((peer, data)) }
    }

    func outOfBandData(of peer: DeviceAddress) -> OutOfBandData {
        outOfBand.first { $0.peer == peer }?.data ?? OutOfBandData()
    }
}

/// The pairing of one link.
struct LinkPairing {
    var machine: PairingMachine
    /// A bond that waits for a person to let it take the place of another one.
    var pending: (bond: Bond, result: PairingResult)?
    /// What a pairing has brought whose last keys are still on their way, and how many packets that is. A central that
    /// kept its bond before the peripheral has all of it could be left alone with it.
    var unconfirmed: (result: PairingResult, packets: Int)?
    /// The link was encrypted with the bond's key when the pairing began: the peer is the one it says it is.
    var isBondProven: Bool
}
