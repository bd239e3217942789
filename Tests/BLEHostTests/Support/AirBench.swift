import BLEController
import BLEHost
import BLEWire

/// Host machines on virtual controllers of one air, in virtual time.
struct AirBench {
    struct Device {
        var host: HostMachine
        var controller: ControllerID
        var events: [HostEvent] = []
    }
    var radio: Radio
    var devices: [Device] = []
    var now = Instant.start

    init(seed: UInt64 = 1) { radio = Radio(seed: seed) }

    /// Puts a device on the air, powered on, and says where it is in `devices`.
    mutating func add(
        _ configuration: HostConfiguration = HostConfiguration(), _ change: (inout ControllerProfile) -> Void = { _ in }
    ) -> Int {
        let index = devices.count
        var profile = ControllerProfile(address: AirBench.address(index), name: "device \(index)")
        change(&profile)
        let host = HostMachine(configuration: configuration, random: SeededGenerator(state: UInt64(index)))
        devices.append(Device(host: host, controller: radio.addController(profile, at: now)))
        command(index, .powerOn)
        devices[index].events = []
        return index
    }

    static func address(_ index: Int) -> DeviceAddress { DeviceAddress(0x0011_2200_0000 + UInt64(index)) }

    mutating func command(_ index: Int, _ command: HostCommand) { feed(index, .command(command)) }

    /// A command of somebody who drives a controller without a host.
    mutating func send<Command: HCICommandPDU>(_ command: Command, to controller: ControllerID) {
        var out: [RadioOutput] = []
        radio.receive(command.packet(), from: controller, at: now, into: &out)
        route(out)
    }

    mutating func feed(_ index: Int, _ input: HostInput) {
        var out: [HostOutput] = []
        devices[index].host.handle(input, at: now, into: &out)
        route(out, of: index)
    }

    private mutating func route(_ outputs: [HostOutput], of index: Int) {
        for output in outputs {
            switch output {
            case .event(let event): devices[index].events.append(event)
            case .trace: break
            case .send(let packet):
                var out: [RadioOutput] = []
                radio.receive(packet, from: devices[index].controller, at: now, into: &out)
                route(out)
            }
        }
    }

    private mutating func route(_ outputs: [RadioOutput]) {
        for case .packet(let controller, let packet) in outputs {
            if let index = devices.firstIndex(where: { $0.controller == controller }) { feed(index, .packet(packet)) }
        }
    }

    /// Lets time pass up to `end`, or until a condition holds; says whether it does.
    @discardableResult
    mutating func run(_ limit: Delay, until condition: (AirBench) -> Bool = { _ in false }) -> Bool {
        let end = now + limit
        while !condition(self) {
            var next = radio.nextDeadline ?? .never
            for device in devices { next = min(next, device.host.nextDeadline ?? .never) }
            guard next <= end else {
                now = end
                return condition(self)
            }
            now = max(now, next)
            var out: [RadioOutput] = []
            radio.advance(to: now, into: &out)
            route(out)
            for index in devices.indices where (devices[index].host.nextDeadline ?? .never) <= now {
                feed(index, .timerFired)
            }
        }
        return true
    }

    /// The first event of a device that `pick` takes, waiting for it.
    mutating func wait<Value>(
        _ index: Int, _ limit: Delay = .seconds(60), for pick: @escaping (HostEvent) -> Value?
    ) -> Value? {
        _ = run(limit) { bench in bench.devices[index].events.contains { pick($0) != nil } }
        guard let position = devices[index].events.firstIndex(where: { pick($0) != nil }) else { return nil }
        return pick(devices[index].events.remove(at: position))
    }

    /// Lets a device advertise and another connect to it; the link's handles at the central and at the peripheral.
    mutating func link(
        _ central: Int, to peripheral: Int, _ settings: ConnectionSettings = ConnectionSettings()
    ) -> (central: ConnectionHandle, peripheral: ConnectionHandle)? {
        command(peripheral, .startAdvertising(AdvertisingSettings()))
        command(central, .connect(AirBench.address(peripheral), settings))
        let theirs = AirBench.address(central)
        guard let first = wait(central, for: { $0.link(to: AirBench.address(peripheral)) }),
            let second = wait(peripheral, for: { $0.link(to: theirs) })
        else { return nil }
        return (first, second)
    }

    /// Performs a GATT procedure and gives its result.
    mutating func perform(
        _ index: Int, _ handle: ConnectionHandle, _ procedure: GATTProcedure
    ) -> Result<GATTOutcome, HostError>? {
        let token = OperationToken(rawValue: UInt64(now.nanoseconds))
        command(index, .gatt(handle, token, procedure))
        return wait(index) { event in
            if case .gattCompleted(handle, token, let result) = event { result } else { nil }
        }
    }
}

extension HostEvent {
    /// The handle of a link to a peer that came to be.
    func link(to peer: DeviceAddress) -> ConnectionHandle? {
        if case .connected(let info) = self, info.peer == peer { info.handle } else { nil }
    }
    /// The reason of a link's end.
    func end(of handle: ConnectionHandle) -> HCIStatus? {
        if case .disconnected(handle, _, let reason) = self { reason } else { nil }
    }
}
