import BLEWire

/// A controller's scanning. [Vol 6, Part B, 4.4.3]
///
/// *Role*: the state of a legacy scan: filters, duplicates, back-off of scan requests.
struct Scanner: Sendable {
    var parameters = LESetScanParameters()
    var isEnabled = false
    var window = ListeningWindow()
    var duplicates: DuplicateFilter?
    /// Whether there is such a filter.
    var filtersDuplicates = false
    var backoff = ScanBackoff()

    mutating func reset() {
        var window = window
        window.stop()
        self = Scanner()
        self.window = window
    }
}

/// Which advertisers were reported already since scanning began: their data isn't looked at.
/// [Vol 6, Part B, 4.4.3.5]
struct DuplicateFilter: Sendable {
    private let capacity: Int
    /// Asked and changed, never walked.
    private var known: Set<UInt64> = []
    /// In the order of arrival, a ring once it is full.
    private var order: [UInt64] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Whether it is new; it is known from now on.
    mutating func admit(_ address: DeviceAddress, _ type: LEAdvertisingReportType) -> Bool {
        let key = Self.key(address, type)
        guard known.insert(key).inserted else { return false }
        if order.count < capacity {
            order.append(key)
        } else {
            known.remove(order[oldest])
            order[oldest] = key
            oldest = (oldest + 1) % capacity
        }
        return true
    }

    func knows(_ address: DeviceAddress, _ type: LEAdvertisingReportType) -> Bool {
        known.contains(Self.key(address, type))
    }

    private static func key(_ address: DeviceAddress, _ type: LEAdvertisingReportType) -> UInt64 {
        address.bits | (address.isRandom ? 1 << 48 : 0) | UInt64(type.rawValue) << 49
    }
}

/// How often a scanner asks, so that many scanners don't keep each other from being answered.
/// [Vol 6, Part B, 4.4.3.2]
struct ScanBackoff: Sendable {
    private(set) var upperLimit: UInt64 = 1
    private(set) var count: UInt64 = 1
    private var successes = 0
    private var failures = 0

    /// A scannable advertisement was heard; answers whether to ask now.
    mutating func heardScannable() -> Bool {
        count = count > 0 ? count - 1 : 0
        return count == 0
    }

    /// The outcome of a request: two of a kind in a row change the limit, and a new count is drawn.
    mutating func finish(answered: Bool, using generator: inout EntityGenerator) {
        if answered {
            failures = 0
            successes += 1
            if successes == 2 {
                successes = 0
                upperLimit = max(1, upperLimit / 2)
            }
        } else {
            successes = 0
            failures += 1
            if failures == 2 {
                failures = 0
                upperLimit = min(256, upperLimit * 2)
            }
        }
        count = 1 + generator.below(upperLimit)
    }
}
