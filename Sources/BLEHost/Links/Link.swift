import BLEWire

/// One link: what the host knows of it, and its channels.
struct Link {
    var info: LinkInfo
    var gatt: GATTConnection
    var receiving = Recombiner()
    var sending = SendQueue()
    var signalling = SignallingState()
    var channels: CreditChannels
    /// The settings with which it was asked for, and the attempts that are left should it fail to be established.
    var origin: ConnectionQueue.Pending?
    var security = LinkSecurityState()
    /// As central: something has come from the peer, so the link was told to the user. [Vol 6, Part B, 4.5]
    var isEstablished: Bool
    /// HCI_Disconnect has left.
    var isEnding = false
    /// `updateConnection` calls of the user that wait for the link's new parameters.
    var owedUpdates = 0
    /// `readRSSI` calls of the user without an answer.
    var owedRSSI = 0
    /// A wish for parameters that goes to the central by L2CAP if the controller can't carry it.
    var wish: ConnectionParameters?
    var transmitPHY: UInt8 = 1
    var receivePHY: UInt8 = 1
    /// What the deadline queue has of this link.
    var enteredDeadline: Instant?

    var handle: ConnectionHandle { info.handle }

    /// When one of its timers is due, as far as `refreshDeadline` was called since.
    private(set) var deadline = Instant.never

    /// A stored deadline, and a method that changes it in its place: a computed property would copy the whole link.
    mutating func refreshDeadline() {
        deadline = signalling.deadline.earlier(channels.deadline)
        if let due = gatt.nextDeadline { deadline = deadline.earlier(due) }
    }
}

/// The links of a host, in the order of their handles.
struct LinkTable {
    /// In the order of their handles. Not to be inserted into from outside.
    var all: [Link] = []
    private var lastIndex = 0

    init() {}

    var isEmpty: Bool { all.isEmpty }
    var count: Int { all.count }

    /// Where a link is; most often it is the one that was asked for last.
    mutating func index(of handle: ConnectionHandle) -> Int? {
        if lastIndex < all.count, all[lastIndex].info.handle == handle { return lastIndex }
        let index = position(of: handle)
        guard index < all.count, all[index].info.handle == handle else { return nil }
        lastIndex = index
        return index
    }

    func index(ofPeer peer: DeviceAddress) -> Int? { all.firstIndex { $0.info.peer == peer } }

    private func position(of handle: ConnectionHandle) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].info.handle < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Puts a link in and says where it lies. There must be none with its handle.
    mutating func insert(_ link: Link) -> Int {
        let index = position(of: link.handle)
        all.insert(link, at: index)
        return index
    }

    mutating func remove(at index: Int) -> Link { all.remove(at: index) }
}
