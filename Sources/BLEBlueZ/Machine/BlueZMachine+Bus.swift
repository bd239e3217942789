import BLEBackend
import BLEWire

// The bus, BlueZ's name on it, and BlueZ's objects.
extension BlueZMachine {
    mutating func busOpened() {
        bus = .open
        ask(
            .match(
                rule: "type='signal',sender='\(DBusName.bus)',interface='\(DBusName.bus)',"
                    + "member='NameOwnerChanged',arg0='\(BlueZName.service)'"))
        ask(.match(rule: "type='signal',sender='\(BlueZName.service)'"))
        askOwner()
    }

    private mutating func askOwner() {
        callBus("GetNameOwner", [.string(BlueZName.service)], then: .owner)
    }

    private mutating func callBus(_ member: String, _ arguments: [DBusValue], then continuation: Continuation) {
        let number = CallNumber(rawValue: number())
        pending[number] = continuation
        ask(.call(number, DBusCall(DBusName.bus, DBusName.busPath, DBusName.bus, member, arguments)))
    }

    mutating func ownerTold(_ result: Result<[DBusValue], DBusFailure>) {
        switch result {
        case .success(let values):
            guard let name = values.first?.text else { return daemonGone() }
            daemonCame(name)
        case .failure(let failure) where failure.isTimeout: askAgainSoon()
        // The bus may start it.
        case .failure: callBus("StartServiceByName", [.string(BlueZName.service), .uint32(0)], then: .activation)
        }
    }

    mutating func activated(_ result: Result<[DBusValue], DBusFailure>) {
        switch result {
        case .success: askOwner()
        case .failure(let failure):
            bus = .failed(failure)
            daemonGone()
            if failure.isTimeout { askAgainSoon() }
        }
    }

    /// What wasn't answered in time says nothing about who is there.
    private mutating func askAgainSoon() { timers.set(.askAgain, at: now + .seconds(2)) }

    /// Asks for what BlueZ has once more, or for who it is.
    mutating func askAgain() {
        guard adapter == nil else { return }
        if owner == nil { askOwner() } else { askObjects() }
    }

    private mutating func daemonCame(_ name: String) {
        guard name != owner else { return }
        owner = name
        bus = .open
        objects.removeAll()
        askObjects()
    }

    private mutating func askObjects() {
        call("/", DBusName.objectManager, "GetManagedObjects", then: .objects)
    }

    private mutating func daemonGone() {
        owner = nil
        adapter = nil
        objects.removeAll()
        // Whatever was asked of it isn't answered any more.
        pending = [:]
        pairing.daemonGone()
        updateState()
        shareDevices()
    }

    /// The connection is gone, or couldn't be had: tried again in a while.
    mutating func busLost(_ failure: DBusFailure) {
        bus = .failed(failure)
        daemonGone()
        timers.set(.openBus, at: now + .seconds(2))
    }

    mutating func objectsTold(_ result: Result<[DBusValue], DBusFailure>) {
        switch result {
        case .success(let values):
            guard let tree = values.first.flatMap(ObjectTree.init(managedObjects:)) else {
                bus = .failed(DBusFailure.local("BlueZ's objects can't be read"))
                return updateState()
            }
            objects = tree
            chooseAdapter()
            shareDevices()
            registerAgent()
        case .failure(let failure):
            bus = .failed(failure)
            updateState()
            if failure.isTimeout { askAgainSoon() }
        }
    }

    // MARK: - Signals

    mutating func received(_ signal: DBusSignal) {
        if signal.interface == DBusName.bus {
            // Whoever else sends this lies.
            guard signal.sender == DBusName.bus, signal.member == "NameOwnerChanged", signal.arguments.count == 3,
                signal.arguments[0].text == BlueZName.service
            else { return }
            let new = signal.arguments[2].text ?? ""
            if owner != nil { daemonGone() }
            if !new.isEmpty { daemonCame(new) }
            return
        }
        guard let owner, signal.sender == owner else { return }
        switch (signal.interface, signal.member) {
        case (DBusName.objectManager, "InterfacesAdded"): interfacesAdded(signal.arguments)
        case (DBusName.objectManager, "InterfacesRemoved"): interfacesRemoved(signal.arguments)
        case (DBusName.properties, "PropertiesChanged"): propertiesChanged(signal.path, signal.arguments)
        case (BlueZName.device, "Disconnected"): disconnectionExplained(signal.path, signal.arguments)
        default: break
        }
    }

    private mutating func interfacesAdded(_ arguments: [DBusValue]) {
        guard arguments.count == 2, let path = arguments[0].text,
            let interfaces = ObjectTree.interfaces(arguments[1])
        else { return }
        objects.add(path, interfaces)
        if interfaces[BlueZName.adapter] != nil { chooseAdapter() }
        if interfaces[BlueZName.gattService] != nil { serviceChanged(path) }
        guard interfaces[BlueZName.device] != nil, isOfAdapter(path) else { return }
        deviceCame(path)
        shareDevices()
    }

    private mutating func interfacesRemoved(_ arguments: [DBusValue]) {
        guard arguments.count == 2, let path = arguments[0].text, let names = arguments[1].texts else { return }
        if names.contains(BlueZName.gattService), objects[path, BlueZName.gattService] != nil { serviceChanged(path) }
        objects.remove(path, names)
        if names.contains(BlueZName.device) {
            deviceWent(path)
            shareDevices()
        }
        if names.contains(BlueZName.adapter) { chooseAdapter() }
    }

    private mutating func propertiesChanged(_ path: String, _ arguments: [DBusValue]) {
        guard arguments.count >= 2, let interface = arguments[0].text, let changed = arguments[1].properties else {
            return
        }
        let invalid = arguments.count > 2 ? arguments[2].texts ?? [] : []
        objects.change(path, interface, changed, invalid: invalid)
        switch interface {
        case BlueZName.adapter:
            if changed["Powered"] != nil { chooseAdapter() }
            if path == adapter, changed["Discovering"]?.flag == false { discoveryEndedByItself() }
        case BlueZName.device where isOfAdapter(path): deviceChanged(path, changed)
        case BlueZName.gattCharacteristic:
            if let value = changed["Value"]?.octets { valueChanged(path, value) }
        default: break
        }
    }

    // MARK: - Devices

    func isOfAdapter(_ path: String) -> Bool { adapter.map { path.hasPrefix($0 + "/") } ?? false }

    /// The identifier of a device by its path.
    func peer(at path: String) -> PeerID? {
        objects[path, BlueZName.device].flatMap(DeviceAddress.init(device:)).map(store.peer(at:))
    }

    /// The path that BlueZ has for a peer; nil where it has forgotten it.
    func path(of peer: PeerID) -> String? {
        guard let adapter, let address = store.address(of: peer) else { return nil }
        // BlueZ names a device after its address, which saves looking at all of them.
        let digits = address.description.prefix(17).split(separator: ":").joined(separator: "_")
        let likely = "\(adapter)/dev_\(digits)"
        if objects[likely, BlueZName.device] != nil { return likely }
        return objects.paths(with: BlueZName.device, below: adapter).first { path in
            objects[path, BlueZName.device].flatMap(DeviceAddress.init(device:)) == address
        }
    }

    private mutating func deviceChanged(_ path: String, _ changed: DBusProperties) {
        deviceHeard(path, changed)
        if let isConnected = changed["Connected"]?.flag, !isConnected { linkEnded(path) }
        if let isPaired = changed["Paired"]?.flag { bondChanged(path, isPaired) }
        if let isResolved = changed["ServicesResolved"]?.flag { servicesResolved(path, isResolved) }
        if let name = changed["Name"]?.text { nameChanged(path, name) }
        if !Self.sharedProperties.isDisjoint(with: changed.keys) { shareDevices() }
    }

    /// What callers on other threads may ask of devices.
    private static let sharedProperties: Set<String> = ["Connected", "Paired", "Bonded", "UUIDs"]

    /// Tells callers on other threads who is connected, and with whom there are bonds.
    mutating func shareDevices() {
        guard let adapter else {
            change(.connected([]))
            return change(.bonded([]))
        }
        var connected: [ConnectedPeer] = []
        var bonded: [PeerID] = []
        for path in objects.paths(with: BlueZName.device, below: adapter) {
            guard let properties = objects[path, BlueZName.device], let peer = peer(at: path) else { continue }
            if properties["Connected"]?.flag == true {
                let services = properties["UUIDs"]?.texts ?? []
                connected.append(
                    ConnectedPeer(peer: peer, services: services.compactMap(BluetoothUUID.init(bluez:))))
            }
            if properties["Bonded"]?.flag ?? properties["Paired"]?.flag ?? false { bonded.append(peer) }
        }
        change(.connected(connected))
        change(.bonded(bonded))
    }

    /// Something is worth keeping; it is written a little later, together with what else comes.
    mutating func saveSoon() {
        guard store.needsSaving, !timers.contains(.saveStore) else { return }
        timers.set(.saveStore, at: now + .seconds(2))
    }
}
