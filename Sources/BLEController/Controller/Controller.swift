import BLECrypto
import BLEWire

/// One virtual controller: what its host has set, and what its link layer is doing.
///
/// *Role*: the state of a controller. The radio, which also holds the air and the links, acts on it.
/// *Limits*: one scanner, one initiator, as many links and advertising sets as the profile allows.
struct Controller: Sendable {
    var profile: ControllerProfile
    /// False once it was taken off the air.
    var isPresent = true
    /// Draws delays, access addresses and back-offs.
    var timing: EntityGenerator
    /// Draws what is lost on the way to this controller.
    var fading: EntityGenerator
    /// Draws this side's part of session keys and vectors.
    var keys: EntityGenerator
    /// The key pair that the host asked for last.
    var keyPair: P256KeyPair?
    var path = RFPath()

    var host = HostInterface()
    /// Set by HCI_LE_Set_Random_Address, or the static random address of a device without a public one.
    var randomAddress: UInt64?
    var acceptList: [DeviceAddress] = []
    var resolving = ResolvingList()
    /// Its advertisers by their places in the radio: that of legacy advertising first, then its advertising sets.
    var advertisers: [Int] = []
    /// The place of the first.
    var legacy = 0
    /// How many of them are enabled.
    var advertisingCount = 0
    var scanner = Scanner()
    var initiator = Initiator()
    var defaults: LinkDefaults

    /// The ends of its links by their handles.
    var links = LinkTable()
    var linksAsCentral = 0
    var linksAsPeripheral = 0
    private var lastHandle: UInt16 = 0x003F

    var listening = Listening()
    var radioTime = RadioTime()
    /// Until when the radio talks with an advertiser.
    var conversationEnd = Instant.start
    /// Appointments with auxiliary packets.
    var reservations: [Reservation] = []
    /// Until when an advertising set is sending.
    var advertisingUntil = Instant.start
    /// Which of the two families of advertising and scanning commands the host uses.
    var family: CommandFamily?
    var periodic = PeriodicSearch()
    /// ACL data packets of the host that are held here, for all links.
    var heldPackets = 0
    /// What was told last.
    var toldState: LinkLayerState = .standby

    init(profile: ControllerProfile, seed: UInt64, entity: Int) {
        self.profile = profile
        timing = EntityGenerator(seed: seed, entity: entity, purpose: .timing)
        fading = EntityGenerator(seed: seed, entity: entity, purpose: .fading)
        keys = EntityGenerator(seed: seed, entity: entity, purpose: .keys)
        defaults = LinkDefaults(profile: profile)
        randomAddress = profile.address.isRandom ? profile.address.bits : nil
    }

    /// Everything but who it is as after HCI_Reset. [Vol 4, Part E, 7.3.2] Links and tasks are the radio's matter.
    mutating func reset() {
        host = HostInterface()
        keyPair = nil
        path = RFPath()
        acceptList = []
        resolving.reset()
        advertisers = [legacy]
        advertisingCount = 0
        scanner.reset()
        initiator.reset()
        defaults = LinkDefaults(profile: profile)
        randomAddress = profile.address.isRandom ? profile.address.bits : nil
        heldPackets = 0
        reservations = []
        family = nil
        periodic = PeriodicSearch()
    }

    /// The public address, where it has one.
    var publicAddress: UInt64? { profile.address.isRandom ? nil : profile.address.bits }

    /// The address of a type that a host chose; nil where it isn't set. [Vol 6, Part B, 1.3]
    func ownAddress(_ type: LEOwnAddressType) -> DeviceAddress? {
        switch type {
        case .publicDevice: publicAddress.map { DeviceAddress($0, .publicDevice) }
        case .randomDevice: randomAddress.map { DeviceAddress($0, .randomDevice) }
        default: nil
        }
    }

    @inline(__always)
    func owns(_ address: DeviceAddress) -> Bool {
        address.isRandom ? address.bits == randomAddress : address.bits == publicAddress
    }

    @inline(__always)
    func accepts(_ address: DeviceAddress) -> Bool { acceptList.contains(address.unresolved) }

    var hasRoomAsCentral: Bool {
        linksAsCentral < profile.maximumLinksAsCentral && links.count < profile.maximumLinks
    }
    var hasRoomAsPeripheral: Bool {
        linksAsPeripheral < profile.maximumLinksAsPeripheral && links.count < profile.maximumLinks
    }

    /// A handle that isn't in use; the one after the last is next, so that a late packet doesn't hit a new link.
    mutating func takeHandle() -> UInt16 {
        repeat {
            lastHandle = lastHandle >= ConnectionHandle.last.rawValue ? 0x0001 : lastHandle + 1
        } while links[lastHandle] != nil
        return lastHandle
    }

    /// What the link layer is doing. [Vol 6, Part B, 1.1]
    var state: LinkLayerState {
        var state = LinkLayerState.standby
        if advertisingCount > 0 { state.insert(.advertising) }
        if scanner.isEnabled { state.insert(.scanning) }
        if initiator.isEnabled { state.insert(.initiating) }
        if linksAsCentral > 0 { state.insert(.connectedAsCentral) }
        if linksAsPeripheral > 0 { state.insert(.connectedAsPeripheral) }
        return state
    }

    /// Whether anything but links needs the radio: links then leave it a part of each interval.
    @inline(__always)
    var hasBackground: Bool { advertisingCount > 0 || scanner.isEnabled || initiator.isEnabled }
}

/// Commands of which a host uses one kind until it resets the controller. [Vol 4, Part E, 3.1.1]
enum CommandFamily: Sendable { case legacy, extended }

/// Whether and where a controller's radio receives on the primary advertising channels.
struct Listening: Sendable {
    /// 37 to 39; 0 while it doesn't listen.
    var channel: UInt8 = 0
    /// Whether it receives the Coded PHY, and not 1M.
    var isCoded = false
    /// Since when without a gap.
    var since = Instant.start
}

/// When a controller's radio is, or was last, in use by a link.
struct RadioTime: Sendable {
    var from = Instant.start
    var until = Instant.start
    /// Links that had to leave out their last event because of another.
    var waitingLinks = 0

    /// Whether links used the radio between two instants.
    @inline(__always)
    func overlaps(_ start: Instant, _ end: Instant) -> Bool { from < end && until > start }

    /// A link uses the radio from `start` on, for the time being until `end`.
    mutating func begin(_ start: Instant, until end: Instant) {
        // Events that follow each other closely count as one stretch.
        if start > until { from = start }
        until = end
    }
}

/// What new links begin with.
struct LinkDefaults: Sendable {
    /// connInitialMaxTxOctets and connInitialMaxTxTime. [Vol 6, Part B, 4.5.10]
    var transmitOctets = 27
    var transmitTime = 328
    var transmitPHYs: PHYSet
    var receivePHYs: PHYSet
    /// Channels that the host hasn't called bad. [Vol 4, Part E, 7.8.19]
    var channels = ChannelMap.all

    init(profile: ControllerProfile) {
        transmitPHYs = profile.supportedPHYs
        receivePHYs = profile.supportedPHYs
    }
}

/// What lies between radio and antenna, in 0.1 dB: a number that the host writes and reads. [Vol 4, Part E, 7.8.76]
struct RFPath: Sendable {
    var transmit: UInt16 = 0
    var receive: UInt16 = 0
}

/// What the host wants to hear of, and how much it can take.
struct HostInterface: Sendable {
    var eventMask = HCIEventMask.standard
    var eventMaskPage2 = HCIEventMaskPage2(rawValue: 0)
    var leEventMask = LEEventMask.standard
    /// Whether ACL data for the host needs credits. [Vol 4, Part E, 4.1.2]
    var isFlowControlled = false
    var bufferSize = HCIHostBufferSize()
    /// Packets that the host can still take.
    var credits = 0

    /// Whether the host wants an LE event. [Vol 4, Part E, 7.8.1]
    func allows(_ event: LEEventMask) -> Bool { eventMask.contains(.leMeta) && leEventMask.contains(event) }
}
