import BLEBackend
import BLEDeviceFiles
import BLEDevices
import BLERuntime
import BLETransport
import BLEWire
import Dispatch
import Glibc

/// A described device on a radio that this process hosts: a host of its own on a controller of its own, as if it were another
/// process.
///
/// *Threading*: everything happens on its queue.
final class HostedDevice: BackendSink, @unchecked Sendable {
    let name: RadioName
    private let device: DeviceDescription
    private let queue: DispatchQueue
    private let backend: HostBackend
    private let engine: EngineDriver
    /// Seconds on the radio for each second.
    private let speed: Double
    private let say: @Sendable (String) -> Void

    private var session = SessionID(rawValue: 0)
    private var machine: DeviceMachine
    private var isOn = false
    private var servicesToAdd = 0
    /// The first identifier of the attributes that are published now; they're new each time.
    private var firstID: UInt64 = 1
    private var updates = UpdateQueue()
    private var isFull = false
    private var requests: [Int: RequestID] = [:]
    private var lastRequest = 0
    private var centrals: [PeerID] = []
    private var subscribers: [AttributeIndex: [PeerID]] = [:]
    /// Which wait for the machine's next deadline is the present one.
    private var wait = 0

    /// - Parameter say: takes lines for the person who watches.
    init(
        _ device: DeviceDescription, as identity: DeviceIdentity, on radio: RadioName, in directory: RuntimeDirectory,
        speed: Double, say: @escaping @Sendable (String) -> Void
    ) {
        name = identity.name
        self.device = device
        self.speed = speed
        self.say = say
        machine = DeviceMachine(device)
        queue = DispatchQueue(label: "ravning.device.\(identity.name.text)")
        var profile = PhoneProfile()
        profile.deviceName = device.advertisement.name ?? identity.name.text
        // Nobody is in front of it.
        profile.pairing = PhoneProfile.unattendedPairing
        backend = HostBackend(
            profile: profile, store: MemoryDeviceStore(key: (.random(in: 0 ... .max), .random(in: 0 ... .max))),
            bonds: FileBondStore(folder: identity.folder, random: SystemRandomNumberGenerator()),
            random: SystemRandomNumberGenerator())
        engine = EngineDriver(
            host: backend, opener: VirtualRadioOpener(radio, in: directory, as: identity, hosting: nil))
    }

    func start() {
        queue.async { [self] in
            session = backend.openSession(.peripheral, sink: self)
            backend.start(driver: engine)
            engine.start()
        }
    }

    func stop() { engine.stop() }

    func receive(_ events: [BackendEvent]) {
        queue.async { [self] in
            for event in events { take(event) }
            follow()
        }
    }

    // MARK: What happens

    private func take(_ event: BackendEvent) {
        var outputs: [DeviceMachine.Output] = []
        switch event {
        case .stateChanged(let state): take(state)
        case .serviceAdded(_, let error):
            if let error { return say("a service can't be published: \(error.underlying ?? "\(error.cause)")") }
            servicesToAdd -= 1
            if servicesToAdd == 0 { advertise() }
        case .advertisingStarted(let error):
            say(error.map { "advertising failed: \($0.underlying ?? "\($0.cause)")" } ?? "advertises")
        case .readRequest(let request, let central, let attribute, let offset):
            guard let index = index(of: attribute) else { return }
            machine.handle(
                .read(keep(request), index, offset: offset, number(of: central.id)), at: now, time, into: &outputs)
        case .writeRequests(let request, let central, let writes):
            let pieces = writes.compactMap { write in
                index(of: write.characteristic).map { DeviceMachine.Write($0, offset: write.offset, write.value) }
            }
            machine.handle(.write(keep(request), pieces, number(of: central.id)), at: now, time, into: &outputs)
        case .subscribed(let central, let attribute):
            guard let index = index(of: attribute) else { return }
            subscribers[index, default: []].append(central.id)
            machine.handle(.subscribed(index, number(of: central.id)), at: now, time, into: &outputs)
        case .unsubscribed(let central, let attribute):
            guard let index = index(of: attribute) else { return }
            subscribers[index]?.removeAll { $0 == central.id }
            machine.handle(.unsubscribed(index, number(of: central.id)), at: now, time, into: &outputs)
            if subscribers[index]?.isEmpty ?? true { updates.forget(index) }
        case .readyToUpdateSubscribers: isFull = false
        default: break
        }
        carryOut(outputs)
    }

    private func take(_ state: AdapterState) {
        updates.removeAll()
        isFull = false
        requests = [:]
        centrals = []
        subscribers = [:]
        isOn = state == .poweredOn
        guard isOn else { return machine.stop() }
        machine.start(at: now, time)
        publish()
    }

    private func publish() {
        backend.perform(.removeAllServices, in: session)
        firstID += UInt64(device.characteristics.count + 2 * device.services.count)
        servicesToAdd = device.services.count
        for service in localServices { backend.perform(.addService(service), in: session) }
        if device.services.isEmpty { advertise() }
    }

    private func advertise() {
        let advertisement = device.advertisement
        guard !advertisement.isSilent else { return say("is there, and isn't advertised") }
        var request = AdvertisingRequest(localName: advertisement.name, services: advertisement.services)
        request.manufacturerData = advertisement.manufacturerData
        request.serviceData = advertisement.serviceData.map { .init(uuid: $0.service, data: $0.octets) }
        request.isConnectable = advertisement.isConnectable
        backend.perform(.startAdvertising(request), in: session)
    }

    // MARK: Attributes

    /// Identifiers: the characteristics in their order, then the services.
    private var localServices: [LocalService] {
        let still = device.staticCharacteristics
        let firstService = firstID + UInt64(device.characteristics.count)
        var index = 0
        return device.services.enumerated().map { number, service in
            let characteristics = service.characteristics.map { characteristic in
                defer { index += 1 }
                return LocalCharacteristic(
                    characteristic, id: LocalAttributeID(rawValue: firstID + UInt64(index)),
                    isStatic: still.contains(index))
            }
            var local = LocalService(
                id: LocalAttributeID(rawValue: firstService + UInt64(number)), uuid: service.uuid,
                isPrimary: service.isPrimary,
                includes: service.includes.map { LocalAttributeID(rawValue: firstService + UInt64($0)) },
                characteristics: characteristics)
            local.isEmulated = true
            return local
        }
    }

    private func index(of attribute: LocalAttributeID) -> AttributeIndex? {
        guard attribute.rawValue >= firstID else { return nil }
        let index = Int(attribute.rawValue - firstID)
        return device.characteristics.indices.contains(index) ? index : nil
    }

    // MARK: What the machine orders

    private func carryOut(_ outputs: [DeviceMachine.Output]) {
        for output in outputs {
            switch output {
            case .answer(let id, let error, let value):
                guard let request = requests.removeValue(forKey: id) else { continue }
                backend.perform(.respond(request, ATTErrorCode(rawValue: error), value: value), in: session)
            case .update(let index, let octets, let isOfCourse):
                if !updates.push(index, octets, isOfCourse: isOfCourse) { say("a value is dropped: too many wait") }
            case .disconnect(let number):
                let known = centrals.indices.contains(number) ? [centrals[number]] : []
                for central in number < 0 ? subscribers[-1 - number] ?? [] : known {
                    backend.perform(.disconnect(central), in: session)
                }
            case .says(let text): say(text)
            case .wrote, .failed: break
            }
        }
        send()
    }

    private func send() {
        while !isFull, let update = updates.first {
            let id = LocalAttributeID(rawValue: firstID + UInt64(update.characteristic))
            guard backend.updateValue(update.octets, of: id, centrals: nil, in: session) else {
                isFull = true
                return
            }
            updates.removeFirst()
        }
    }

    /// Comes back when something is due.
    private func follow() {
        wait += 1
        let due = machine.nextDeadline
        guard isOn, due != .never else { return }
        let (current, seconds) = (wait, max(0, (due - now).seconds / speed))
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, wait == current, isOn else { return }
            var outputs: [DeviceMachine.Output] = []
            machine.tick(at: now, time, into: &outputs)
            carryOut(outputs)
            follow()
        }
    }

    private func keep(_ request: RequestID) -> Int {
        lastRequest += 1
        requests[lastRequest] = request
        return lastRequest
    }

    private func number(of central: PeerID) -> Int {
        if let known = centrals.firstIndex(of: central) { return known }
        centrals.append(central)
        return centrals.count - 1
    }

    private var now: Instant {
        Instant(nanoseconds: Int64(Double(DispatchTime.now().uptimeNanoseconds) * speed))
    }

    private var time: WallTime { .now }
}

extension LocalCharacteristic {
    fileprivate init(_ described: DeviceCharacteristic, id: LocalAttributeID, isStatic: Bool) {
        var properties = UInt16(described.properties.rawValue)
        if described.encryption.contains(.notify) { properties |= 0x100 }
        if described.encryption.contains(.indicate) { properties |= 0x200 }
        var permissions: LocalPermissions = []
        if described.permissions.contains(.read) {
            permissions.insert(described.encryption.contains(.read) ? .readEncryptionRequired : .readable)
        }
        if described.permissions.contains(.write) {
            permissions.insert(described.encryption.contains(.write) ? .writeEncryptionRequired : .writeable)
        }
        self.init(
            id: id, uuid: described.uuid, properties: properties, permissions: permissions,
            value: isStatic ? described.value.fixedOctets : nil,
            descriptors: described.descriptors.enumerated().map { number, descriptor in
                // Nobody asks for them by their names.
                LocalDescriptor(
                    id: LocalAttributeID(rawValue: UInt64.max - UInt64(number)), uuid: descriptor.uuid,
                    value: descriptor.octets)
            })
    }
}
