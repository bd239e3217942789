package import BLEController
package import BLEHost
package import BLEWire

// Devices: those with a host inside, and those whose host lives outside.
extension Simulation {
    /// Adds a controller whose host lives outside.
    package mutating func addDevice(_ profile: ControllerProfile) -> DeviceID {
        add(profile, host: nil)
    }

    /// Adds a device with a host inside; it does nothing until it is given `.powerOn`.
    package mutating func addHost(
        _ profile: ControllerProfile, configuration: HostConfiguration = HostConfiguration()
    ) -> DeviceID {
        let generator = EntityGenerator(seed: seed, entity: UInt64(devices.count))
        hosts.append(HostMachine(configuration: configuration, random: generator))
        return add(profile, host: hosts.count - 1)
    }

    /// Adds a peripheral that needs no program. It powers on, publishes and advertises by itself.
    package mutating func addPeripheral(
        _ profile: ControllerProfile, _ peripheral: LightPeripheralProfile,
        configuration: HostConfiguration = HostConfiguration(), into out: inout [SimulationOutput]
    ) -> DeviceID {
        let device = addHost(profile, configuration: configuration)
        peripherals.append(LightPeripheral(peripheral))
        devices[device.rawValue].peripheral = peripherals.count - 1
        devices[device.rawValue].reportsEvents = false
        command(.powerOn, to: device, into: &out)
        return device
    }

    private mutating func add(_ profile: ControllerProfile, host: Int?) -> DeviceID {
        let controller = radio.addController(profile, at: now)
        devices.append(SimulatedDevice(profile: profile, controller: controller, host: host))
        owners[controller.rawValue] = devices.count - 1
        hash.mix(profile.name)
        return DeviceID(rawValue: devices.count - 1)
    }

    /// An address that no other device of this simulation has by itself: it comes from the seed, the name and how
    /// many devices there are.
    package func freshAddress(for name: String) -> DeviceAddress {
        var mixed = TraceHash()
        mixed.mix(seed)
        mixed.mix(name)
        mixed.mix(UInt64(devices.count))
        // The device's number in the low octets keeps two from being the same.
        let bits = (mixed.value & 0xFCFF_FFFF_0000) | UInt64(devices.count & 0xFFFF)
        return DeviceAddress(bits)
    }

    package var deviceCount: Int { devices.count }
    package func name(of device: DeviceID) -> String { devices[device.rawValue].profile.name }
    package func address(of device: DeviceID) -> DeviceAddress { devices[device.rawValue].profile.address }
    package func linkLayerState(of device: DeviceID) -> LinkLayerState { devices[device.rawValue].state }
    package func controller(of device: DeviceID) -> ControllerID { devices[device.rawValue].controller }
    package func peripheral(of device: DeviceID) -> LightPeripheral? {
        place(ofPeripheral: device).map { peripherals[$0] }
    }

    func place(ofPeripheral device: DeviceID) -> Int? {
        devices.indices.contains(device.rawValue) ? devices[device.rawValue].peripheral : nil
    }

    /// Which device has the address.
    package func device(withAddress address: DeviceAddress) -> DeviceID? {
        devices.firstIndex { $0.profile.address == address }.map(DeviceID.init)
    }

    /// Whether packets between host and controller are put out as `.captured`.
    package mutating func setCaptured(_ isCaptured: Bool, _ device: DeviceID) {
        devices[device.rawValue].isCaptured = isCaptured
    }

    /// Whether packets on the air are put out as `.air`.
    package mutating func setCapturesAir(_ captures: Bool, exportsKeys: Bool = false) {
        radio.setCapturesAir(captures, exportsKeys: exportsKeys)
    }

    // MARK: Hosts inside

    package mutating func command(_ command: HostCommand, to device: DeviceID, into out: inout [SimulationOutput]) {
        guard devices.indices.contains(device.rawValue) else { return }
        feed(device.rawValue, .command(command), into: &out)
        runWork(into: &out)
    }

    mutating func hostTimer(_ index: Int, into out: inout [SimulationOutput]) {
        feed(index, .timerFired, into: &out)
    }

    /// Gives a host inside an input, and carries out what it wants.
    mutating func feed(_ index: Int, _ input: HostInput, into out: inout [SimulationOutput]) {
        guard let host = devices[index].host else { return }
        hosts[host].handle(input, at: now, into: &hostOutputs)
        if case .timerFired = input { peripheralDo(index, into: &out) { $0.timerFired(at: $1, into: &$2) } }
        takeHostOutputs(index, host, into: &out)
    }

    private mutating func takeHostOutputs(_ index: Int, _ host: Int, into out: inout [SimulationOutput]) {
        // The list grows while commands of a light peripheral are carried out.
        var position = 0
        while position < hostOutputs.count {
            let output = hostOutputs[position]
            position += 1
            switch output {
            case .send(let packet): work.append(.toController(index, packet))
            case .trace(let trace): tell(index, trace, into: &out)
            case .event(let event):
                if devices[index].reportsEvents { out.append(.event(DeviceID(rawValue: index), event)) }
                peripheralDo(index, into: &out) { $0.handle(event, at: $1, into: &$2) }
            }
        }
        hostOutputs.removeAll(keepingCapacity: true)
        var deadline = hosts[host].nextDeadline
        if let place = devices[index].peripheral, let other = peripherals[place].nextDeadline {
            deadline = deadline.map { min($0, other) } ?? other
        }
        arm(index, deadline)
    }

    /// Lets the light peripheral on a host do something; what the host answers to its commands is read within `feed`.
    private mutating func peripheralDo(
        _ index: Int, into out: inout [SimulationOutput],
        _ body: (inout LightPeripheral, Instant, inout LightPeripheral.Outputs) -> Void
    ) {
        guard let place = devices[index].peripheral, let host = devices[index].host else { return }
        var outputs = LightPeripheral.Outputs()
        body(&peripherals[place], now, &outputs)
        for command in outputs.commands {
            hosts[host].handle(.command(command), at: now, into: &hostOutputs)
        }
        for event in outputs.events { out.append(.peripheral(DeviceID(rawValue: index), event)) }
    }

    /// Lets the light peripheral do something from outside.
    mutating func withPeripheral(
        of device: DeviceID, into out: inout [SimulationOutput],
        _ body: (inout LightPeripheral, Instant, inout LightPeripheral.Outputs) -> Void
    ) {
        guard devices.indices.contains(device.rawValue), let host = devices[device.rawValue].host else { return }
        peripheralDo(device.rawValue, into: &out, body)
        takeHostOutputs(device.rawValue, host, into: &out)
        runWork(into: &out)
    }
}
