package import BLEBlueZ

/// A bluetoothd that does what a script says, and else what the real one does (5.66, on a radio where all goes well).
///
/// *Role*: the other side of the bus, for tests that need no kernel. It takes the calls of one client and answers with
/// effects: answers, signals, and calls on the client's objects.
///
/// *Limits*: one adapter, one client. It knows no time: whoever drives it decides when.
package struct FakeBlueZ {
    package static let name = ":1.1"
    package static let adapter = "/org/bluez/hci0"

    /// What the fake does on the bus.
    package enum Effect: Equatable {
        case answer(CallNumber, Result<[DBusValue], DBusFailure>)
        case signal(DBusSignal)
        /// A call on an object of the client; its answer is given to `answered`.
        case call(path: String, interface: String, member: String, [DBusValue])
    }

    /// What a script has the fake do with a call.
    package enum Answer: Equatable {
        case failure(DBusFailure)
        case success([DBusValue])
        /// It never answers.
        case silence
        /// As it would without the script: the calls before it count, this one is let through.
        case usual
    }

    package private(set) var objects: [String: [String: DBusProperties]] = [:]
    /// Devices that are heard while discovery is on.
    package var air: [FakeDevice] = []
    /// Answers to the next calls of a method, in order.
    package var script: [String: [Answer]] = [:]
    /// Calls that came, in order.
    package private(set) var calls: [DBusCall] = []
    package private(set) var isDiscovering = false
    /// What of the client's objects is registered: applications and advertisements, by their paths.
    package private(set) var registered: [String] = []
    package var effects: [Effect] = []
    /// Registrations whose client is being asked.
    private var registering: [(call: CallNumber, path: String)] = []
    private var known: [String: FakeDevice] = [:]

    package init(isPowered: Bool = true) {
        objects["/org/bluez"] = [BlueZName.agentManager: [:]]
        objects[Self.adapter] = [
            BlueZName.adapter: [
                "Address": .string("00:AA:01:00:00:00"), "Powered": .bool(isPowered), "Discovering": .bool(false),
            ],
            BlueZName.gattManager: [:], BlueZName.advertisingManager: [:],
        ]
    }

    package func calls(of member: String) -> [DBusCall] { calls.filter { $0.member == member } }

    // MARK: - The objects

    /// `a{oa{sa{sv}}}`
    package var managedObjects: DBusValue {
        .dictionary(
            key: "o", value: "a{sa{sv}}",
            objects.sorted { $0.key < $1.key }.map { .init(.path($0.key), Self.value(of: $0.value)) })
    }

    private static func value(of interfaces: [String: DBusProperties]) -> DBusValue {
        .dictionary(
            key: "s", value: "a{sv}",
            interfaces.sorted { $0.key < $1.key }.map { .init(.string($0.key), value(of: $0.value)) })
    }

    private static func value(of properties: DBusProperties) -> DBusValue {
        .dictionary(
            key: "s", value: "v",
            properties.sorted { $0.key < $1.key }.map { .init(.string($0.key), .variant($0.value)) })
    }

    package mutating func add(_ path: String, _ interfaces: [String: DBusProperties]) {
        objects[path, default: [:]].merge(interfaces) { $1 }
        signal("/", DBusName.objectManager, "InterfacesAdded", [.path(path), Self.value(of: interfaces)])
    }

    package mutating func remove(_ path: String) {
        guard let interfaces = objects.removeValue(forKey: path) else { return }
        signal("/", DBusName.objectManager, "InterfacesRemoved", [.path(path), .strings(interfaces.keys.sorted())])
    }

    package mutating func change(
        _ path: String, _ interface: String, _ changed: DBusProperties, invalid: [String] = []
    ) {
        guard objects[path]?[interface] != nil else { return }
        objects[path]?[interface]?.merge(changed) { $1 }
        for name in invalid { objects[path]?[interface]?[name] = nil }
        signal(
            path, DBusName.properties, "PropertiesChanged",
            [.string(interface), Self.value(of: changed), .strings(invalid)])
    }

    package mutating func signal(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
        effects.append(.signal(DBusSignal(sender: Self.name, path, interface, member, arguments)))
    }

    // MARK: - Devices

    /// A device is heard: it has an object from now on, or a report more.
    package mutating func hear(_ device: FakeDevice) {
        known[device.path] = device
        if objects[device.path] == nil {
            add(device.path, [BlueZName.device: device.properties])
        } else {
            change(device.path, BlueZName.device, device.advertised)
        }
    }

    /// BlueZ forgets a device, as it does soon after a discovery.
    package mutating func forget(_ device: FakeDevice) {
        for path in objects.keys.sorted().reversed() where path.hasPrefix(device.path) { remove(path) }
    }

    package mutating func setConnected(_ device: FakeDevice, resolvesServices: Bool = true) {
        known[device.path] = device
        if objects[device.path] == nil { add(device.path, [BlueZName.device: device.properties]) }
        change(device.path, BlueZName.device, ["Connected": .bool(true)])
        if resolvesServices { resolve(device) }
    }

    /// The services were found.
    package mutating func resolve(_ device: FakeDevice) {
        for (path, interface, properties) in device.attributes { add(path, [interface: properties]) }
        change(device.path, BlueZName.device, ["ServicesResolved": .bool(true)])
    }

    package mutating func setDisconnected(_ device: FakeDevice, reason: String? = nil) {
        if let reason { signal(device.path, BlueZName.device, "Disconnected", [.string(reason), .string("")]) }
        change(device.path, BlueZName.device, ["ServicesResolved": .bool(false), "Connected": .bool(false)])
        for (path, _, _) in device.attributes.reversed() { remove(path) }
    }

    // MARK: - Calls

    package mutating func receive(_ number: CallNumber, _ call: DBusCall) {
        calls.append(call)
        if script[call.member]?.isEmpty == false, let answer = script[call.member]?.removeFirst() {
            switch answer {
            case .failure(let failure): return effects.append(.answer(number, .failure(failure)))
            case .success(let values): return effects.append(.answer(number, .success(values)))
            case .silence: return
            case .usual: break
            }
        }
        switch call.member {
        case "GetNameOwner": succeed(number, [.string(Self.name)])
        case "GetManagedObjects": succeed(number, [managedObjects])
        case "StartDiscovery":
            setDiscovering(true)
            succeed(number)
            for device in air { hear(device) }
        case "StopDiscovery":
            setDiscovering(false)
            succeed(number)
        case "Connect": connect(number, call)
        case "Disconnect":
            if let device = known[call.path] { setDisconnected(device) }
            succeed(number)
        case "GetAll":
            succeed(number, [Self.value(of: objects[call.path]?[call.arguments.first?.text ?? ""] ?? [:])])
        case "Get": get(number, call)
        case "ReadValue": read(number, call)
        case "WriteValue":
            if let value = call.arguments.first?.octets { written[call.path, default: []].append(value) }
            succeed(number)
        case "RegisterApplication": register(number, call, DBusName.objectManager, "GetManagedObjects", [])
        case "RegisterAdvertisement":
            register(number, call, DBusName.properties, "GetAll", [.string(BlueZName.advertisement)])
        case "UnregisterApplication", "UnregisterAdvertisement":
            registered.removeAll { $0 == call.arguments.first?.text }
            succeed(number)
        case "RemoveDevice":
            if let path = call.arguments.first?.text, let device = known[path] { forget(device) }
            succeed(number)
        default: succeed(number)
        }
    }

    /// What was written to each attribute, by its path.
    package private(set) var written: [String: [[UInt8]]] = [:]

    private mutating func succeed(_ number: CallNumber, _ values: [DBusValue] = []) {
        effects.append(.answer(number, .success(values)))
    }

    private mutating func setDiscovering(_ isOn: Bool) {
        isDiscovering = isOn
        change(Self.adapter, BlueZName.adapter, ["Discovering": .bool(isOn)])
    }

    private mutating func connect(_ number: CallNumber, _ call: DBusCall) {
        guard objects[call.path] != nil, let device = known[call.path] else {
            return effects.append(
                .answer(number, .failure(DBusFailure(DBusName.bus + ".Error.UnknownObject", "no such object"))))
        }
        change(call.path, BlueZName.device, ["Connected": .bool(true)])
        succeed(number)
        if device.resolvesServices { resolve(device) }
    }

    private mutating func get(_ number: CallNumber, _ call: DBusCall) {
        let name = call.arguments.last?.text ?? ""
        guard let value = objects[call.path]?[call.arguments.first?.text ?? ""]?[name] else {
            return effects.append(
                .answer(number, .failure(DBusFailure(DBusName.bus + ".Error.UnknownProperty", "no property \(name)"))))
        }
        succeed(number, [.variant(value)])
    }

    /// BlueZ tells a value that was read as a change as well, before it answers.
    private mutating func read(_ number: CallNumber, _ call: DBusCall) {
        let device = known.values.first { call.path.hasPrefix($0.path + "/") }
        let value = device?.value(at: call.path) ?? []
        if call.interface == BlueZName.gattCharacteristic {
            change(call.path, call.interface, ["Value": .bytes(value)])
        }
        succeed(number, [.bytes(value)])
    }

    // MARK: - The client's objects

    private mutating func register(
        _ number: CallNumber, _ call: DBusCall, _ interface: String, _ member: String, _ arguments: [DBusValue]
    ) {
        let path = call.arguments.first?.text ?? ""
        registering.append((number, path))
        effects.append(.call(path: path, interface: interface, member: member, arguments))
    }

    /// The client has answered a call on one of its objects: what was to be registered is, if it could be read.
    package mutating func answered(_ path: String, _ result: Result<[DBusValue], DBusFailure>) {
        guard let index = registering.firstIndex(where: { $0.path == path }) else { return }
        let registration = registering.remove(at: index)
        switch result {
        case .success:
            registered.append(path)
            succeed(registration.call)
        case .failure(let failure): effects.append(.answer(registration.call, .failure(failure)))
        }
    }
}
