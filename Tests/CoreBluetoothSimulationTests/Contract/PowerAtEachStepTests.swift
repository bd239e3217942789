import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// What takes Bluetooth away from a phone.
enum Failure: String, CaseIterable, Sendable {
    case poweredOff, unauthorized, unsupported, resetting

    func happen(to phone: Phone) {
        switch self {
        case .poweredOff: phone.powerOff()
        case .unauthorized: phone.setRadio(.unauthorized)
        case .unsupported: phone.setRadio(.unsupported)
        case .resetting: phone.resetController(downFor: .seconds(1))
        }
    }

    /// What a manager hears of it within three seconds.
    var states: [String] { self == .resetting ? ["state resetting", "state poweredOn"] : ["state \(rawValue)"] }

    /// Objects and databases outlast only this one. [contract 10, 13]
    var keepsObjects: Bool { self == .poweredOff }
}

/// Power off, lost rights, lost adapter and reset at every moment of a central's flow: the state is told, and nothing
/// else; then everything works again. [contract 7-11]
@Suite struct CentralPowerAtEachStepTests {
    enum Step: CaseIterable, Sendable {
        case idle, scanning, pending, linking, connected, discovering, reading, writingLong, subscribing, subscribed
        case disconnecting, cancelled
    }

    private let world = World(seed: 5)
    private let sensor: PeripheralDevice
    private let central: CentralProgram

    init() {
        sensor = world.addPeripheral(
            VirtualPeripheral("sensor").advertising().service(
                CBUUID(string: "AA00"),
                VirtualCharacteristic(CBUUID(string: "AA01"), [.read, .write, .notify], value: Data([7]))))
        central = CentralProgram(world, on: world.addPhone("phone"))
    }

    @Test(arguments: Step.allCases, Failure.allCases)
    func `7, 8 and 11 at each step of a central, each failure is told as a state and nothing else`(
        step: Step, failure: Failure
    ) throws {
        let peripheral = try #require(central.find("sensor"))
        try go(to: step, peripheral)
        let before = central.lines.count
        failure.happen(to: central.phone)
        world.advance(by: .seconds(3))
        #expect(Array(central.lines.dropFirst(before)) == ends(step, failure) + failure.states)
        #expect(peripheral.state == .disconnected)
        #expect(peripheral.services == nil)
        #expect(!central.manager.isScanning)

        if failure != .resetting { central.phone.powerOn() }
        world.run(until: { central.manager.state == .poweredOn }, timeout: .seconds(5))
        sensorIsBack()
        // The object of before is good only where it outlasts the state. [contract 10]
        let connected = central.count("connected")
        central.manager.connect(peripheral)
        world.advance(by: .seconds(2))
        #expect(central.has("failed sensor CBError.12") == !failure.keepsObjects)
        #expect((central.count("connected") > connected) == failure.keepsObjects)
        if failure.keepsObjects { central.manager.cancelPeripheralConnection(peripheral) }
        world.advance(by: .seconds(2))
        let again = try #require(central.reachAnew("sensor"))
        again.readValue(for: try #require(central.characteristic("AA01", of: again)))
        #expect(central.wait(for: "value AA01 07 ok"))
    }

    /// What is told of the connection before the state: what was under way already, and that the links of a controller
    /// that is lost are lost with it.
    private func ends(_ step: Step, _ failure: Failure) -> [String] {
        switch (step, failure) {
        case (.cancelled, .poweredOff), (.cancelled, .unauthorized), (.cancelled, .unsupported),
            (.disconnecting, .resetting):
            ["disconnected sensor ok"]
        case (.idle, _), (.scanning, _), (.pending, _), (.linking, _), (.cancelled, _): []
        case (_, .resetting): ["disconnected sensor CBError.10"]
        default: []
        }
    }

    /// The device is in range, and advertises once it has seen that its link is lost.
    private func sensorIsBack() {
        central.phone.setOutOfRange(false, of: sensor)
        world.run(until: { sensor.linkState == .advertising }, timeout: .seconds(10))
    }

    private func go(to step: Step, _ peripheral: CBPeripheral) throws {
        switch step {
        case .idle: return
        case .scanning: return central.manager.scanForPeripherals(withServices: nil)
        case .pending, .cancelled:
            central.phone.setOutOfRange(of: sensor)
            central.manager.connect(peripheral)
            world.advance(by: .seconds(1))
            #expect(peripheral.state == .connecting)
            if step == .cancelled { central.manager.cancelPeripheralConnection(peripheral) }
            return
        case .linking:
            central.manager.connect(peripheral)
            world.run(until: { sensor.linkState.contains(.connectedAsPeripheral) }, timeout: .seconds(5))
            return
        case .connected, .discovering:
            #expect(central.connect(peripheral))
            if step == .discovering { peripheral.discoverServices(nil) }
            return
        default: break
        }
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        let characteristic = try #require(central.characteristic("AA01", of: peripheral))
        switch step {
        case .reading: peripheral.readValue(for: characteristic)
        case .writingLong:
            peripheral.writeValue(Data(repeating: 7, count: 500), for: characteristic, type: .withResponse)
        case .subscribing: peripheral.setNotifyValue(true, for: characteristic)
        case .subscribed: #expect(central.subscribe(to: characteristic))
        case .disconnecting: central.manager.cancelPeripheralConnection(peripheral)
        default: break
        }
    }
}

/// The same of the peripheral role. [contract 11-13]
@Suite struct PeripheralPowerAtEachStepTests {
    enum Step: CaseIterable, Sendable {
        case idle, adding, added, startingToAdvertise, advertising, connected, subscribed, asked
    }

    private let world = World(seed: 5)
    private let server: PeripheralProgram
    private let central: CentralProgram
    private let characteristic = CBMutableCharacteristic(
        type: CBUUID(string: "AA01"), properties: [.read, .notify], value: nil, permissions: .readable)

    init() {
        server = PeripheralProgram(world, on: world.addPhone("server"))
        central = CentralProgram(world, on: world.addPhone("phone"))
    }

    @Test(arguments: Step.allCases, Failure.allCases)
    func `11, 12 and 13 at each step of a peripheral, each failure is told as a state, and subscribers go`(
        step: Step, failure: Failure
    ) throws {
        let service = PeripheralProgram.service("AA00", characteristic)
        try go(to: step, service)
        let before = server.lines.count
        failure.happen(to: server.phone)
        world.advance(by: .seconds(3))
        var expected = failure.states
        if step == .subscribed { expected.insert("unsubscribed AA01", at: 0) }
        // What was added is there at once, and the answer is under way; with the controller it is gone.
        if step == .adding, failure != .resetting { expected.insert("added AA00 ok", at: 0) }
        #expect(Array(server.lines.dropFirst(before)) == expected)
        #expect(!server.manager.isAdvertising)
        #expect((characteristic.subscribedCentrals ?? []).isEmpty)

        if failure != .resetting { server.phone.powerOn() }
        world.run(until: { server.manager.state == .poweredOn }, timeout: .seconds(5))
        // Below poweredOff the database is gone; adding what is still there would end the program. [contract 13, 87]
        let isKept = failure.keepsObjects && step != .idle
        let added = server.count("added")
        if !isKept { server.manager.add(service) }
        server.answers = true
        server.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "again"])
        world.advance(by: .seconds(1))
        #expect(server.manager.isAdvertising)
        #expect(server.count("added") == added + (isKept ? 0 : 1))
        world.run(until: { central.peripherals.allSatisfy { $0.state == .disconnected } }, timeout: .seconds(10))
        characteristic.value = Data([9])
        let peripheral = try #require(central.reachAnew("again"))
        peripheral.readValue(for: try #require(central.characteristic("AA01", of: peripheral)))
        #expect(central.wait(for: "value AA01 09 ok"))
    }

    private func go(to step: Step, _ service: CBMutableService) throws {
        world.run(until: { server.manager.state == .poweredOn }, timeout: .seconds(5))
        if step == .idle { return }
        server.manager.add(service)
        if step == .adding { return }
        #expect(server.wait(for: "added AA00 ok"))
        if step == .added { return }
        server.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "server"])
        if step == .startingToAdvertise { return }
        #expect(server.wait(for: "advertising ok"))
        if step == .advertising { return }
        let peripheral = try #require(central.reach("server"))
        if step == .connected { return }
        let remote = try #require(central.characteristic("AA01", of: peripheral))
        if step == .subscribed {
            #expect(central.subscribe(to: remote))
            #expect(server.wait(for: "subscribed AA01"))
            return
        }
        server.answers = false
        peripheral.readValue(for: remote)
        #expect(server.wait(for: "read AA01 at 0"))
    }
}

extension CentralProgram {
    /// Finds the device by what it advertises now, connects and explores.
    fileprivate func reachAnew(_ name: String) -> CBPeripheral? {
        let line = "discovered \(name) "
        let before = count(line)
        manager.scanForPeripherals(withServices: nil)
        world.run(until: { self.count(line) > before }, timeout: .seconds(10))
        manager.stopScan()
        guard let peripheral = peripherals.last, connect(peripheral), explore(peripheral) else { return nil }
        return peripheral
    }
}

extension PeripheralProgram {
    /// Lets time go by until the line is there.
    fileprivate func wait(for line: String) -> Bool {
        world.run(until: { self.has(line) }, timeout: .seconds(10))
    }
}
