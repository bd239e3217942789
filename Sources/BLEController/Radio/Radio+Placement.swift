/// Where devices are, and what is lost between them.
///
/// What has a value of its own for a pair wins over places and settings.
extension Radio {
    /// Places a device; without a place it is one metre from everything.
    package mutating func setPosition(_ position: Position?, of id: ControllerID) {
        guard controllers.indices.contains(id.rawValue) else { return }
        air.setPosition(position, of: id.rawValue)
    }

    /// Fixes the RSSI in both directions, in dBm; nil goes back to the path loss.
    package mutating func setRSSI(_ rssi: Int8?, between first: ControllerID, and second: ControllerID) {
        changeBoth(first, second) { $0.rssi = rssi }
    }

    /// Fixes the probability that a packet isn't heard, in both directions; 1 is out of range.
    package mutating func setLoss(_ probability: Double?, between first: ControllerID, and second: ControllerID) {
        changeBoth(first, second) { $0.loss = probability }
    }

    /// Fixes the probability that a packet is heard with wrong octets, in both directions.
    package mutating func setCorruption(
        _ probability: Double?, between first: ControllerID, and second: ControllerID
    ) {
        changeBoth(first, second) { $0.corruption = probability }
    }

    /// The probability that a packet isn't heard, for pairs without one of their own.
    package mutating func setLoss(_ probability: Double) { air.change { $0.loss = probability } }

    /// The probability that a packet is heard with wrong octets, for pairs without one of their own.
    package mutating func setCorruption(_ probability: Double) { air.change { $0.corruption = probability } }

    package mutating func setPathLoss(_ pathLoss: PathLoss) { air.change { $0.pathLoss = pathLoss } }

    /// The next packets of one device aren't heard by another.
    package mutating func loseNext(_ count: Int, from sender: ControllerID, to receiver: ControllerID) {
        air.change(from: sender.rawValue, to: receiver.rawValue) { $0.loseNext = count }
    }

    package mutating func setCapturesAir(_ captures: Bool, exportsKeys: Bool = false) {
        air.settings.capturesAir = captures
        air.settings.exportsKeys = exportsKeys
    }

    private mutating func changeBoth(
        _ first: ControllerID, _ second: ControllerID, _ change: (inout Air.Pair) -> Void
    ) {
        air.change(from: first.rawValue, to: second.rawValue, change)
        air.change(from: second.rawValue, to: first.rawValue, change)
    }
}
