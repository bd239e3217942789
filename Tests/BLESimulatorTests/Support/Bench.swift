import BLEController
import BLEHost
import BLESimulator
import BLEWire

/// A simulation with a list of what it has put out.
struct Bench {
    var simulation: Simulation
    private(set) var outputs: [SimulationOutput] = []

    init(seed: UInt64 = 1, capturesAir: Bool = false) {
        var settings = RadioSettings()
        settings.capturesAir = capturesAir
        simulation = Simulation(seed: seed, settings: settings)
    }

    private func profile(_ name: String) -> ControllerProfile {
        ControllerProfile(address: simulation.freshAddress(for: name), name: name)
    }

    mutating func addHost(_ name: String, _ configuration: HostConfiguration = HostConfiguration()) -> DeviceID {
        let device = simulation.addHost(profile(name), configuration: configuration)
        command(.powerOn, device)
        return device
    }

    mutating func addDevice(_ name: String) -> DeviceID { simulation.addDevice(profile(name)) }

    mutating func addPeripheral(_ name: String, _ peripheral: LightPeripheralProfile) -> DeviceID {
        simulation.addPeripheral(profile(name), peripheral, into: &outputs)
    }

    mutating func command(_ command: HostCommand, _ device: DeviceID) {
        simulation.command(command, to: device, into: &outputs)
    }

    /// A packet of a device whose host is the test.
    mutating func receive(_ packet: [UInt8], from device: DeviceID) {
        simulation.receive(packet, from: device, into: &outputs)
    }

    mutating func apply(_ fault: Fault) { simulation.apply(fault, into: &outputs) }

    mutating func run(_ delay: Delay) { simulation.advance(to: simulation.now + delay, into: &outputs) }

    /// Lets time go by until the event has come; nil where it doesn't within a minute.
    mutating func wait<Found>(for device: DeviceID, _ match: (HostEvent) -> Found?) -> Found? {
        let limit = simulation.now + .seconds(60)
        var looked = outputs.count
        while simulation.step(to: limit, into: &outputs) {
            for output in outputs[looked...] {
                if case .event(device, let event) = output, let found = match(event) { return found }
            }
            looked = outputs.count
        }
        return nil
    }

    /// Powers two hosts on and connects them; the link as the central knows it.
    mutating func connect(
        _ central: DeviceID, to peripheral: DeviceID, _ settings: ConnectionSettings = ConnectionSettings()
    ) -> LinkInfo? {
        command(.connect(simulation.address(of: peripheral), settings), central)
        return wait(for: central) { if case .connected(let info) = $0 { info } else { nil } }
    }

    func events(of device: DeviceID) -> [HostEvent] {
        outputs.compactMap { if case .event(device, let event) = $0 { event } else { nil } }
    }

    /// What was on the air, without the rest.
    var air: [AirPacket] { outputs.compactMap { if case .air(let packet) = $0 { packet } else { nil } } }
}
