import BLEController
import BLEHost
import BLESimulator
import BLEWire

/// A simulation with hosts inside, and a program for the centrals: they connect to their devices, subscribe, and then
/// read and write in a rhythm.
struct Scene {
    var simulation = Simulation(seed: 1)
    /// What hosts have told.
    private(set) var events = 0
    /// Whether centrals read and write.
    var traffic = false
    private var outputs: [SimulationOutput] = []
    private var links: [(central: DeviceID, link: ConnectionHandle)] = []
    private var expectedLinks = 0
    private var turn = 0

    static let beacon: LightPeripheralProfile = {
        var profile = LightPeripheralProfile()
        var advertising = AdvertisingSettings()
        advertising.data = [2, 1, 6, 3, 3, 0x0F, 0x18] + [20, 9] + Array("a beacon of twenty.".utf8)
        profile.advertising = advertising
        return profile
    }()

    /// Advertises often, so that it is soon connected; sends nothing.
    static let silent: LightPeripheralProfile = {
        var profile = beacon
        profile.advertising?.intervalMinimum = 32
        profile.advertising?.intervalMaximum = 32
        return profile
    }()

    static let sensor: LightPeripheralProfile = {
        var profile = silent
        var value = LightPeripheralProfile.Characteristic(
            uuid: BluetoothUUID(0xAA01), properties: 0x1A, permissions: [.read, .write],
            value: [UInt8](repeating: 7, count: 20))
        value.period = .seconds(1)
        profile.services = [.init(uuid: BluetoothUUID(0xAA00), characteristics: [value])]
        return profile
    }()

    private func profile(_ name: String, links: Int) -> ControllerProfile {
        var profile = ControllerProfile(address: simulation.freshAddress(for: name), name: name)
        profile.maximumLinks = links
        profile.maximumLinksAsCentral = links
        return profile
    }

    mutating func addCentral(links: Int) -> DeviceID {
        let device = simulation.addHost(profile("central", links: links))
        simulation.command(.powerOn, to: device, into: &outputs)
        return device
    }

    @discardableResult
    mutating func addPeripheral(_ peripheral: LightPeripheralProfile) -> DeviceID {
        var configuration = HostConfiguration()
        configuration.advertising.continuesAfterConnection = false
        return simulation.addPeripheral(
            profile("device", links: 1), peripheral, configuration: configuration, into: &outputs)
    }

    /// A central that connects to as many devices of its own.
    mutating func addGroup(links: Int, intervalUnits: UInt16, profile: LightPeripheralProfile) {
        let central = addCentral(links: links)
        run(.milliseconds(10))
        var settings = ConnectionSettings()
        settings.parameters.intervalMinimum = intervalUnits
        settings.parameters.intervalMaximum = intervalUnits
        settings.parameters.supervisionTimeout = 600
        for _ in 0..<links {
            let device = addPeripheral(profile)
            simulation.command(.connect(simulation.address(of: device), settings), to: central, into: &outputs)
            run(.milliseconds(100))
        }
        expectedLinks += links
    }

    mutating func scan(_ device: DeviceID) {
        run(.milliseconds(10))
        simulation.command(.startScanning(ScanSettings()), to: device, into: &outputs)
    }

    /// Waits until every link is there and every device's value is subscribed to.
    mutating func settle() {
        while links.count < expectedLinks { run(.milliseconds(100)) }
        run(.seconds(3))
        for (central, link) in links {
            start(.write(Self.configuration, [1, 0]), central, link)
        }
        run(.seconds(3))
    }

    /// The sensor's value and its CCCD: they lie behind the GAP and GATT services of the host.
    private static let value = AttributeHandle(rawValue: 0x0010)
    private static let configuration = AttributeHandle(rawValue: 0x0011)

    private mutating func start(_ procedure: GATTProcedure, _ central: DeviceID, _ link: ConnectionHandle) {
        simulation.command(.gatt(link, OperationToken(rawValue: 1), procedure), to: central, into: &outputs)
    }

    mutating func run(_ delay: Delay) {
        let end = simulation.now + delay
        // A tenth of the links has its turn every 200 ms.
        while simulation.now < end {
            let limit = min(end, simulation.now + .milliseconds(200))
            while simulation.run(to: limit, into: &outputs) { take() }
            if traffic { work() }
        }
    }

    private mutating func take() {
        for output in outputs {
            guard case .event(let device, let event) = output else { continue }
            events += 1
            if case .connected(let info) = event, info.isCentral { links.append((device, info.handle)) }
        }
        outputs.removeAll(keepingCapacity: true)
    }

    private mutating func work() {
        turn += 1
        for (position, (central, link)) in links.enumerated() {
            if position % 10 == turn % 10 { start(.read(Self.value), central, link) }
            if position % 25 == turn % 25 {
                start(.write(Self.value, [UInt8](repeating: UInt8(turn % 256), count: 20)), central, link)
            }
        }
    }
}
