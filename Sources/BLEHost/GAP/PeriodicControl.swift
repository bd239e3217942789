import BLEWire

/// The periodic advertising trains that a host follows, and those that it looks for.
///
/// *Role*: one HCI_LE_Periodic_Advertising_Create_Sync at a time for many wishes [Vol 4, Part E, 7.8.67]. A scan hears an
/// advertiser first, and its address and set go into the command; so one who is away keeps nobody waiting, and one with a
/// private address is found under that of the moment.
///
/// *Limits*: a train's data is kept as far as an advertisement may be long; what a controller reports beyond is cut.
struct PeriodicControl {
    /// An advertising set with a train, as it was heard.
    struct Heard: Equatable {
        var address: DeviceAddress
        var setIdentifier: UInt8
        /// Units of 1.25 ms.
        var interval: UInt16
    }
    struct Wish {
        var token: OperationToken
        var settings: PeriodicSettings
        /// Attempts left after 0x3E.
        var retries: Int
        /// Where it was heard, until an attempt has come to nothing.
        var heard: Heard?
    }
    /// What the controller was asked to look for.
    struct Attempt {
        var token: OperationToken
        var heard: Heard
    }
    enum Phase: Equatable {
        case idle
        /// HCI_LE_Periodic_Advertising_Create_Sync has left; its Command Status hasn't come.
        case creating
        case searching
        /// The cancel has left; the event that ends the search hasn't come.
        case cancelling
    }

    /// In the order of their turns.
    var wishes: [Wish] = []
    var trains: [PeriodicTrain] = []
    var phase = Phase.idle
    var attempt: Attempt?
    /// When the search at hand has to let another wish have its turn.
    var turnEnds = Instant.never
    /// The cancel has left, and if its event doesn't come by then, it's taken as done.
    var cancelEnds = Instant.never

    init() {}

    /// The earliest of its deadlines.
    var deadline: Instant { turnEnds.earlier(cancelEnds) }

    /// Whether a scan has to run: to hear advertisers, and for the controller's search.
    var needsScan: Bool { !wishes.isEmpty }

    func index(of token: OperationToken) -> Int? { wishes.firstIndex { $0.token == token } }
    func train(of handle: ConnectionHandle) -> Int? { trains.firstIndex { $0.handle == handle } }

    /// Whether the attempt is still what its wish wants.
    var isAttemptWanted: Bool {
        guard let attempt, let index = index(of: attempt.token) else { return false }
        return wishes[index].heard == attempt.heard
    }

    /// Whether somebody else's advertiser was heard.
    var othersWait: Bool { wishes.contains { $0.heard != nil && $0.token != attempt?.token } }

    /// Notes that a set of an advertiser has a train; true where a wish didn't know it so.
    mutating func hear(_ peer: DeviceAddress, _ heard: Heard) -> Bool {
        var isNews = false
        for index in wishes.indices where wishes[index].settings.address == peer {
            let known = wishes[index].heard
            let wanted = wishes[index].settings.setIdentifier ?? known?.setIdentifier
            if let wanted, wanted != heard.setIdentifier { continue }
            if known == heard { continue }
            wishes[index].heard = heard
            isNews = true
        }
        return isNews
    }

    mutating func attemptEnded() {
        phase = .idle
        attempt = nil
        turnEnds = .never
        cancelEnds = .never
    }

    /// Lets the wish be heard anew before it is tried again, behind the others.
    mutating func sendBack(_ token: OperationToken) {
        guard let index = index(of: token) else { return }
        var wish = wishes.remove(at: index)
        wish.heard = nil
        wishes.append(wish)
    }
}

/// A train that is followed, with what of an event of it has come so far.
struct PeriodicTrain {
    let token: OperationToken
    let handle: ConnectionHandle
    /// As the wish named it.
    let advertiser: DeviceAddress
    let setIdentifier: UInt8
    private var data: [UInt8] = []
    private var isCut = false

    private static let longest = 1650

    init(token: OperationToken, handle: ConnectionHandle, advertiser: DeviceAddress, setIdentifier: UInt8) {
        self.token = token
        self.handle = handle
        self.advertiser = advertiser
        self.setIdentifier = setIdentifier
    }

    /// The whole of an event, once nothing more of it will come. [Vol 4, Part E, 7.7.65.15]
    mutating func take(_ report: LEPeriodicAdvertisingReport) -> PeriodicReport? {
        let room = Self.longest - data.count
        data += report.data.prefix(room)
        if report.data.count > room || report.dataStatus == 2 { isCut = true }
        guard report.dataStatus != 1 else { return nil }
        defer { (data, isCut) = ([], false) }
        return PeriodicReport(data: data, isCut: isCut, rssi: report.rssi, transmitPower: report.transmitPower)
    }
}
