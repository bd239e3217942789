import BLEWire

/// A controller's scanning. [Vol 6, Part B, 4.4.3]
///
/// *Role*: the state of a scan, legacy or extended: filters, duplicates, back-off of scan requests.
struct Scanner: Sendable {
    /// What an extended scan has set too stands here as far as it is about 1M.
    var parameters = LESetScanParameters()
    var isEnabled = false
    /// Whether the extended commands began it: it knows ADV_EXT_IND, and tells everything in extended reports.
    var isExtended = false
    /// The windows on 1M and on the Coded PHY; nil where it doesn't listen.
    var on1M: ListeningWindow.Times? = .init(interval: 0x10, window: 0x10)
    var onCoded: ListeningWindow.Times?
    var isActiveOnCoded = false
    /// Whether the advertiser whose scan response is heard was connectable.
    var asksConnectable = false
    var period = ScanPeriod()
    var window = ListeningWindow()
    var duplicates: DuplicateFilter?
    /// Whether there is such a filter.
    var filtersDuplicates = false
    var backoff = ScanBackoff()

    mutating func begin(filtersDuplicates: Bool, capacity: Int) {
        window.stop()
        window.configure(on1M: on1M, onCoded: onCoded)
        isEnabled = true
        backoff = ScanBackoff()
        self.filtersDuplicates = filtersDuplicates
        duplicates = filtersDuplicates ? DuplicateFilter(capacity: capacity) : nil
    }

    mutating func reset() {
        var window = window
        let stamp = period.stamp &+ 1
        window.stop()
        self = Scanner()
        self.window = window
        period.stamp = stamp
    }

    /// Whether the host is to hear of this; it is known from now on.
    mutating func admits(_ key: DuplicateFilter.Key) -> Bool {
        !filtersDuplicates || duplicates?.admit(key) != false
    }

    func knows(_ key: DuplicateFilter.Key) -> Bool { duplicates?.knows(key) == true }
}

/// When an extended scan pauses and begins again. [Vol 4, Part E, 7.8.65]
struct ScanPeriod: Sendable {
    /// How long it lasts, and how long it is from one beginning to the next; 0 without end, and once.
    var duration = Delay.zero
    var period = Delay.zero
    /// Whether advertisers are reported anew in each period.
    var refilters = false
    var isPaused = false
    var start = Instant.start
    var stamp: UInt32 = 0
}

/// Which advertisers were reported already since scanning began: their data isn't looked at.
/// [Vol 6, Part B, 4.4.3.5]
struct DuplicateFilter: Sendable {
    /// Who reported what. Of extended advertising the set and the number of the data count too.
    struct Key: Hashable, Sendable {
        private let address: UInt64
        private let rest: UInt32

        init(_ address: DeviceAddress, _ type: LEAdvertisingReportType) {
            self.address = address.bits | (address.isRandom ? 1 << 48 : 0)
            rest = UInt32(type.rawValue)
        }

        init(_ address: DeviceAddress, _ type: LEExtendedReportType, dataInfo: UInt16?) {
            self.address = address.bits | (address.isRandom ? 1 << 48 : 0)
            rest = UInt32(dataInfo ?? 0) << 16 | (dataInfo == nil ? 0x4000 : 0x8000) | UInt32(type.rawValue & 0x1F)
        }
    }

    private let capacity: Int
    /// Asked and changed, never walked.
    private var known: Set<Key> = []
    /// In the order of arrival, a ring once it is full.
    private var order: [Key] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Whether it is new; it is known from now on.
    mutating func admit(_ key: Key) -> Bool {
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

    func knows(_ key: Key) -> Bool { known.contains(key) }
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
