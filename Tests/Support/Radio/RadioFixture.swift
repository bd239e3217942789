package import BLEBackend
package import BLEController
package import BLERuntime
package import BLEWire

/// Devices with their hosts on one radio, in virtual time: the whole stack below the API, without queues and threads.
///
/// The test calls the backends like a manager would, and lets time pass with `run`. Everything that is due at an
/// instant happens in the order in which the devices were added.
package final class RadioFixture {
    package private(set) var now = Instant.start
    package var radio: Radio
    package private(set) var devices: [RadioDevice] = []
    private var outputs: [RadioOutput] = []
    private var packets: [[UInt8]] = []

    package init(seed: UInt64 = 1, settings: RadioSettings = RadioSettings()) {
        radio = Radio(seed: seed, settings: settings)
    }

    /// Adds a device and switches it on.
    package func add(
        _ name: String, _ profile: (inout PhoneProfile) -> Void = { _ in },
        controller: (inout ControllerProfile) -> Void = { _ in }
    ) -> RadioDevice {
        var phone = PhoneProfile()
        phone.deviceName = name
        profile(&phone)
        let number = UInt64(devices.count + 1)
        let address = DeviceAddress(0x00A0_5000_0000 | number)
        var chip = ControllerProfile(address: address, name: name)
        controller(&chip)
        let id = radio.addController(chip, at: now)
        let device = RadioDevice(
            id: id, address: address, name: name,
            backend: HostBackend(
                profile: phone, store: MemoryDeviceStore(key: (number, 0)), random: StepGenerator(state: number)))
        devices.append(device)
        device.backend.start(driver: device)
        return device
    }

    /// Lets time pass.
    package func run(for delay: Delay) { run(until: now + delay) }

    /// Lets time pass until the condition is met, at most as long as said; whether it was met.
    @discardableResult
    package func run(atMost limit: Delay = .seconds(30), until isDone: () -> Bool) -> Bool {
        let end = now + limit
        work()
        while !isDone() {
            guard let next = nextDeadline, next <= end else { return false }
            step(to: next)
        }
        return true
    }

    /// Lets time pass until then.
    package func run(until end: Instant) {
        work()
        while let next = nextDeadline, next <= end { step(to: next) }
        now = max(now, end)
    }

    private var nextDeadline: Instant? {
        devices.compactMap(\.backend.nextDeadline).reduce(radio.nextDeadline) { min($0 ?? $1, $1) }
    }

    private func step(to time: Instant) {
        now = max(now, time)
        radio.advance(to: now, into: &outputs)
        for device in devices where device.backend.nextDeadline.map({ $0 <= now }) == true { device.wake() }
        work()
    }

    /// Everything that is to be done at this instant.
    private func work() {
        var isBusy = true
        while isBusy {
            isBusy = false
            for device in devices where device.takeWakeUp() {
                isBusy = true
                device.backend.drain(at: now, into: &packets)
                send(from: device.id)
            }
            let received = outputs
            outputs = []
            for case .packet(let id, let packet) in received {
                isBusy = true
                guard let device = devices.first(where: { $0.id == id }), device.transport == .open else { continue }
                device.backend.receive(packet, at: now, into: &packets)
                send(from: id)
            }
        }
    }

    private func send(from id: ControllerID) {
        if devices.first(where: { $0.id == id })?.transport == .open {
            for packet in packets { radio.receive(packet, from: id, at: now, into: &outputs) }
        }
        packets.removeAll(keepingCapacity: true)
    }
}

// MARK: - Faults

extension RadioFixture {
    /// Has a device's host hear of an event that its controller doesn't know of.
    package func inject(_ event: [UInt8], into device: RadioDevice) { outputs.append(.packet(device.id, event)) }

    /// Closes a device's transport, lets it lose all packets, or opens it again.
    package func setTransport(_ transport: RadioDevice.Transport, of device: RadioDevice) {
        let before = device.transport
        device.transport = transport
        switch (before, transport) {
        case (.open, .closed), (.silent, .closed):
            device.backend.transportClosed(reason: "unplugged", at: now, into: &packets)
        case (.closed, .open), (.closed, .silent):
            device.backend.transportOpened(at: now, into: &packets)
        default: break
        }
        send(from: device.id)
    }
}

/// One device of a `RadioFixture`.
package final class RadioDevice: HostDriver, @unchecked Sendable {
    package let id: ControllerID
    package let address: DeviceAddress
    package let name: String
    package let backend: HostBackend
    /// Only touched by the one thread of the test.
    private var isAwake = false
    fileprivate(set) var transport = Transport.open

    /// How it is between host and controller.
    package enum Transport: Sendable {
        case open
        /// Nothing passes, and nobody is told.
        case silent
        case closed
    }

    init(id: ControllerID, address: DeviceAddress, name: String, backend: HostBackend) {
        self.id = id
        self.address = address
        self.name = name
        self.backend = backend
    }

    package func wake() { isAwake = true }

    func takeWakeUp() -> Bool {
        defer { isAwake = false }
        return isAwake
    }

    /// The identifier under which this device knows another one.
    package func peer(_ other: RadioDevice) -> PeerID { backend.store.peer(at: other.address) }

    /// Opens a session.
    package func open(_ role: SessionRole) -> RadioSession {
        let sink = CollectingSink()
        return RadioSession(device: self, id: backend.openSession(role, sink: sink), sink: sink)
    }
}

/// A session of a device, with what it was told.
package struct RadioSession {
    package let device: RadioDevice
    package let id: SessionID
    package let sink: CollectingSink

    package func perform(_ command: BackendCommand) { device.backend.perform(command, in: id) }

    /// Writes without response as a program does that looks first; false where it has to wait.
    package func write(_ value: [UInt8], to handle: AttributeHandle, of peer: PeerID) -> Bool {
        guard device.backend.reserveWriteWithoutResponse(to: peer) else { return false }
        perform(.writeWithoutResponse(peer, handle, value))
        return true
    }

    package func update(_ value: [UInt8], of characteristic: LocalAttributeID, centrals: [PeerID]? = nil) -> Bool {
        device.backend.updateValue(value, of: characteristic, centrals: centrals, in: id)
    }
}

/// A generator that counts in a scrambled way (Knuth's MMIX multiplier).
private struct StepGenerator: RandomNumberGenerator, Sendable {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
