import BLECrypto
import BLEWire

/// The private addresses of a host, and what its controller knows of those of its peers.
///
/// *Role*: the address in use and when it ends; which bonds the controller's resolving list has; whom an address that
/// the controller didn't resolve belongs to. [Vol 3, Part C, 10.7], [Vol 3, Part C, 10.8]
///
/// *Limits*: what is found out about an address is remembered until the bonds change, as far as `AddressResolver` does.
struct PrivacyControl {
    /// A peer in the controller's resolving list.
    struct Listed: Equatable {
        var peer: DeviceAddress
        var irk: Key128
    }

    /// A command that needs the controller at rest.
    enum Step: Equatable {
        case remove(DeviceAddress)
        case add(Listed)
        case setDeviceMode(DeviceAddress)
        case enable(Bool)
        case setLifetime
        case setAddress(DeviceAddress)
    }

    /// The private address that the controller has; nil where this host uses none.
    var address: DeviceAddress?
    /// When it ends.
    var deadline = Instant.never
    /// The step that was sent.
    var pending: Step?
    /// Advertising, scan and initiating are stopped, or being stopped, for a step.
    var holds = false

    /// Addresses under which peers were heard that the controller doesn't resolve, while a connection is wanted.
    private var heard: [(peer: DeviceAddress, address: DeviceAddress)] = []

    // The controller's list.
    /// How many peers it holds; 0 where there is no such list.
    var listSize = 0
    var listed: [Listed] = []
    /// Peers that wait for device privacy mode.
    var needsMode: [DeviceAddress] = []
    var isResolving = false
    var hasLifetime = false

    /// The count of changes of the bonds that the controller's list goes back to, and that the resolver does.
    var listedChanges = -1
    private var resolverChanges = -1
    private var resolver = AddressResolver()

    init() {}

    /// The peer whose key resolves an address, of those whose keys are given.
    mutating func identity(of address: DeviceAddress, among bonds: BondTable) -> DeviceAddress? {
        if resolverChanges != bonds.changes {
            resolverChanges = bonds.changes
            resolver.use(bonds.all.map { $0.irk?.value ?? 0 })
        }
        return resolver.place(resolving: address).map { bonds.all[$0].peer }
    }

    var resolverUse: (setups: Int, remembered: Int) { (resolver.setups, resolver.rememberedCount) }

    func heardAddress(of peer: DeviceAddress) -> DeviceAddress? { heard.first { $0.peer == peer }?.address }

    mutating func noteHeard(_ peer: DeviceAddress, at address: DeviceAddress) {
        forgetHeard(peer)
        heard.append((peer, address))
    }

    /// The address may have changed meanwhile, or isn't needed any more.
    mutating func forgetHeard(_ peer: DeviceAddress) { heard.removeAll { $0.peer == peer } }

    /// Whether there may be something to do.
    func isDue(at now: Instant, bondChanges: Int) -> Bool {
        pending == nil && (holds || deadline <= now || listedChanges != bondChanges)
    }

    /// When it has something to do by itself: what is under way goes on by the controller's answers.
    var nextDeadline: Instant { holds || pending != nil ? .never : deadline }
}
