import BLEWire

/// What lies between the devices: distance, weakening, loss.
///
/// *Role*: decides for each packet and each possible receiver whether and how it is heard.
/// *Limits*: packets of different senders don't disturb each other, except answers to the same advertisement, of
/// which only the strongest arrives; there are no reflections, and a place is a point.
struct Air: Sendable {
    /// How a packet arrives.
    enum Reception: Sendable {
        case lost
        case heard(rssi: Int8)
        /// With wrong octets.
        case corrupted(rssi: Int8)
    }

    /// What is fixed for packets of one device at another.
    struct Pair: Sendable {
        var rssi: Int8?
        var loss: Double?
        var corruption: Double?
        var loseNext = 0
    }

    var settings: RadioSettings
    /// Nothing is lost, and everything is one metre from everything.
    private var isPlain = false
    /// By controller; nil is one metre from everything.
    private var positions: [Position?] = []
    private var hasPositions = false
    /// Looked up, never walked.
    private var pairs: [UInt64: Pair] = [:]

    init(settings: RadioSettings) {
        self.settings = settings
        isPlain = Self.isPlain(settings)
    }

    private static func isPlain(_ settings: RadioSettings) -> Bool {
        settings.loss <= 0 && settings.corruption <= 0 && settings.pathLoss == PathLoss()
    }

    /// Changes what is the same for everything.
    mutating func change(_ change: (inout RadioSettings) -> Void) {
        change(&settings)
        isPlain = Self.isPlain(settings) && !hasPositions && pairs.isEmpty
    }

    mutating func setPosition(_ position: Position?, of controller: Int) {
        while positions.count <= controller { positions.append(nil) }
        positions[controller] = position
        hasPositions = hasPositions || position != nil
        isPlain = isPlain && !hasPositions
    }

    /// Changes what is fixed from one to the other.
    mutating func change(from sender: Int, to receiver: Int, _ change: (inout Pair) -> Void) {
        let key = Self.key(sender, receiver)
        var pair = pairs[key] ?? Pair()
        change(&pair)
        pairs[key] = pair
        isPlain = false
    }

    /// Lets a packet come from `sender` to `receiver`.
    mutating func receive(
        from sender: Int, to receiver: Int, power: Int8, using generator: inout EntityGenerator
    ) -> Reception {
        if isPlain, power > -50, power < 50 { return .heard(rssi: power - 40) }
        var loss = settings.loss
        var corruption = settings.corruption
        var rssi = pathRSSI(from: sender, to: receiver, power: power)
        if !pairs.isEmpty, let pair = pairs[Self.key(sender, receiver)] {
            if pair.loseNext > 0 {
                pairs[Self.key(sender, receiver)]?.loseNext -= 1
                return .lost
            }
            rssi = pair.rssi.map(Int.init) ?? rssi
            loss = pair.loss ?? loss
            corruption = pair.corruption ?? corruption
        }
        guard rssi >= Int(settings.pathLoss.sensitivity) else { return .lost }
        if generator.chance(loss) { return .lost }
        let level = Int8(clamping: rssi)
        return generator.chance(corruption) ? .corrupted(rssi: level) : .heard(rssi: level)
    }

    /// The level by distance, in dBm.
    private func pathRSSI(from sender: Int, to receiver: Int, power: Int8) -> Int {
        let model = settings.pathLoss
        var loss = model.atOneMetre
        if hasPositions, sender < positions.count, receiver < positions.count,
            let here = positions[sender], let there = positions[receiver]
        {
            let (x, y, z) = (here.x - there.x, here.y - there.y, here.z - there.z)
            // Below ten centimetres the model doesn't hold; beyond any range the number needn't be exact.
            let squared = min(max(x * x + y * y + z * z, 0.01), 1e12)
            loss += 5 * model.exponent * Logarithm.decimal(squared)
        }
        // Rounded by hand: `rounded()` would be a call into the C library's mathematics.
        let level = Double(power) - loss
        guard level > -1000 else { return -1000 }
        return Int(min(level, 127) + (level < 0 ? -0.5 : 0.5))
    }

    private static func key(_ sender: Int, _ receiver: Int) -> UInt64 {
        UInt64(UInt32(truncatingIfNeeded: sender)) << 32 | UInt64(UInt32(truncatingIfNeeded: receiver))
    }
}
