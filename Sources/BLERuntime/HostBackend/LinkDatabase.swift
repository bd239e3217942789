import BLEHost

/// What a link knows of its bonded peer's database from before, and has found out itself.
struct LinkDatabase: Equatable {
    var known: RememberedDatabase
    /// The peer has shown, on this link, that the database is still the one that `known` is of.
    var isCurrent = false
    /// There is something that isn't kept yet.
    var isChanged = false

    /// What the procedure would find, where that is sure.
    func outcome(of procedure: GATTProcedure) -> GATTOutcome? { isCurrent ? known.outcome(of: procedure) : nil }
}
