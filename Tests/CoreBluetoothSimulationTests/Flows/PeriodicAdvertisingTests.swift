import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Ravning
import Testing

/// Programs that follow periodic advertising.
@Suite struct PeriodicAdvertisingTests {
    private let world = World(seed: 1)

    /// Writes down what it is told of a train.
    private final class Listener: PeriodicAdvertisingDelegate, @unchecked Sendable {
        let queue: DispatchQueue
        private let lock = NSLock()
        private var content: (lines: [String], reports: [PeriodicAdvertisingReport]) = ([], [])
        init(on queue: DispatchQueue) { self.queue = queue }

        var lines: [String] { lock.withLock { content.lines } }
        var reports: [PeriodicAdvertisingReport] { lock.withLock { content.reports } }
        func clear() { lock.withLock { content = ([], []) } }
        private func note(_ line: String) {
            dispatchPrecondition(condition: .onQueue(queue))
            lock.withLock { content.lines.append(line) }
        }

        func periodicAdvertisingDidStart(_ advertising: PeriodicAdvertising) {
            note("start \(advertising.set ?? -1) \(advertising.interval ?? 0) \(advertising.phy?.rawValue ?? "")")
        }
        func periodicAdvertising(_ advertising: PeriodicAdvertising, didReceive report: PeriodicAdvertisingReport) {
            note("data")
            lock.withLock { content.reports.append(report) }
        }
        func periodicAdvertising(_ advertising: PeriodicAdvertising, didEndWith error: PeriodicAdvertisingError) {
            note("end \(error.code): \(error.description)")
        }
    }

    /// A phone with a program that has found a beacon.
    private struct Scene {
        let queue = DispatchQueue(label: "central")
        let program: CentralProgram
        let beacon: PeriodicBeacon
        let peripheral: CBPeripheral
        let listener: Listener

        init(_ world: World, data: Data, interval: Duration = .milliseconds(100), _ phone: Phone? = nil) throws {
            beacon = world.addPeriodicBeacon("tag", data: data, interval: interval, set: 3)
            program = CentralProgram(world, on: phone ?? world.addPhone("phone"), queue: queue)
            peripheral = try #require(program.find("tag"))
            listener = Listener(on: queue)
        }

        func follow(skip: Int = 0, timeout: TimeInterval? = nil) -> PeriodicAdvertising {
            program.manager.followPeriodicAdvertising(
                of: peripheral, skip: skip, timeout: timeout, delegate: listener)
        }
    }

    private static let temperature = Data([0x05, 0x16, 0x6E, 0x2A, 0x29, 0x09])

    @Test func `a program finds a beacon, follows it, and hears its data and what it changes to`() throws {
        let scene = try Scene(world, data: Self.temperature)
        let train = scene.follow()
        #expect(world.run { !scene.listener.reports.isEmpty })
        #expect(scene.listener.lines.first == "start 3 0.1 1M")
        #expect(train.isFollowing && train.peripheral === scene.peripheral)
        let report = try #require(scene.listener.reports.first)
        #expect(report.data == Self.temperature && report.isComplete && report.txPower == nil)
        #expect(report.rssi.map { (-100 ... -20).contains($0) } == true)
        let fields = report.advertisementData[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
        #expect(fields == [CBUUID(string: "2A6E"): Data([0x29, 0x09])])
        scene.beacon.setData(Data([2, 0x0A, 4]))
        world.advance(by: .seconds(1))
        scene.listener.clear()
        world.advance(by: .seconds(10))
        #expect((90...101).contains(scene.listener.reports.count))
        #expect(scene.listener.reports.allSatisfy { $0.data == Data([2, 0x0A, 4]) })
    }

    @Test func `long data comes whole`() throws {
        let data = Data((0..<1650).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let scene = try Scene(world, data: data)
        let train = scene.follow()
        world.advance(by: .seconds(3))
        #expect(scene.listener.reports.contains { $0.data == data && $0.isComplete })
        #expect(scene.listener.reports.allSatisfy { !$0.isComplete || $0.data == data })
        train.stop()
    }

    @Test func `a scan tells of the train, and only where there is one`() throws {
        world.addPeripheral(VirtualPeripheral("plain").advertising())
        let scene = try Scene(world, data: Data(), interval: .milliseconds(7500))
        let found = Seen()
        let manager = scene.program.manager
        manager.delegate = found
        manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        world.advance(by: .seconds(2))
        let told = found.intervals
        #expect(told["tag"] == 7.5 && told["plain"] == .some(nil))
        #expect(found.sets == [3])
    }

    @Test func `who stops, or lets go, isn't called any more`() throws {
        let scene = try Scene(world, data: Data([1]))
        let train = scene.follow()
        world.advance(by: .seconds(1))
        train.stop()
        scene.listener.clear()
        world.advance(by: .seconds(1))
        #expect(scene.listener.lines.isEmpty && !train.isFollowing)
        do {
            let second = scene.follow()
            world.advance(by: .seconds(1))
            #expect(second.isFollowing && scene.listener.lines.count > 5)
        }
        scene.listener.clear()
        world.advance(by: .seconds(1))
        #expect(scene.listener.lines.isEmpty)
    }

    @Test func `a delegate is held weakly`() throws {
        let scene = try Scene(world, data: Data([1]))
        var train: PeriodicAdvertising?
        weak var gone: Listener?
        do {
            let listener = Listener(on: scene.queue)
            gone = listener
            train = scene.program.manager.followPeriodicAdvertising(of: scene.peripheral, delegate: listener)
            world.advance(by: .seconds(1))
            #expect(!listener.reports.isEmpty)
        }
        world.advance(by: .seconds(1))
        #expect(gone == nil)
        #expect(train?.isFollowing == true)
    }

    @Test func `two programs of a phone share a train`() throws {
        let scene = try Scene(world, data: Data([1]))
        let first = scene.follow()
        world.advance(by: .seconds(1))
        let other = Listener(on: scene.queue)
        let second = scene.program.manager.followPeriodicAdvertising(of: scene.peripheral, delegate: other)
        world.advance(by: .seconds(1))
        #expect(other.lines.first == "start 3 0.1 1M" && other.reports.count > 5)
        first.stop()
        other.clear()
        world.advance(by: .seconds(1))
        #expect(other.reports.count > 5 && second.isFollowing)
    }

    @Test func `a train out of range is lost after its time-out, and can be followed again`() throws {
        let scene = try Scene(world, data: Data([1]))
        let train = scene.follow(timeout: 2)
        world.advance(by: .seconds(1))
        scene.listener.clear()
        scene.beacon.setOutOfRange(of: scene.program.phone)
        world.advance(by: .milliseconds(1800))
        #expect(train.isFollowing)
        world.advance(by: .milliseconds(400))
        #expect(scene.listener.lines.last == "end lost: the train wasn't heard for its time-out")
        #expect(!train.isFollowing)
        scene.beacon.setOutOfRange(false, of: scene.program.phone)
        let again = scene.follow()
        world.advance(by: .seconds(1))
        #expect(again.isFollowing)
    }

    @Test func `what can't be followed is refused with its layer and its cause`() throws {
        let scene = try Scene(world, data: Data([1]))
        func refusal(
            _ peripheral: CBPeripheral? = nil, set: Int? = nil, skip: Int = 0, timeout: TimeInterval? = nil
        ) -> String? {
            scene.listener.clear()
            let train = scene.program.manager.followPeriodicAdvertising(
                of: peripheral ?? scene.peripheral, set: set, skip: skip, timeout: timeout, delegate: scene.listener)
            world.run(until: { !scene.listener.lines.isEmpty }, timeout: .seconds(3))
            return withExtendedLifetime(train) { scene.listener.lines.first }
        }
        let invalid = "end invalidParameters: invalid parameters: "
        #expect(refusal(set: 16) == invalid + "an Advertising SID of 16")
        #expect(refusal(set: -1) == invalid + "an Advertising SID of -1")
        #expect(refusal(skip: .max) == invalid + "\(Int.max) events to be left out")
        #expect(refusal(skip: 500) == invalid + "500 events to be left out")
        #expect(refusal(timeout: 0.05) == invalid + "a time-out of 5 times 10 ms")
        #expect(refusal(timeout: .nan) == invalid + "a time-out of 0 times 10 ms")
        #expect(refusal(timeout: .infinity) == invalid + "a time-out of 65535 times 10 ms")
        let other = CentralProgram(world, on: world.addPhone("other"))
        let foreign = try #require(other.find("tag"))
        #expect(refusal(foreign) == "end unknownPeripheral: the peripheral isn't one of this manager")
        scene.program.phone.powerOff()
        world.advance(by: .seconds(1))
        #expect(refusal() == "end notPoweredOn: the manager isn't powered on")
    }

    @Test func `a controller without it is named with what it lacks`() throws {
        let queue = DispatchQueue(label: "old")
        world.addPeripheral(VirtualPeripheral("plain").advertising())
        let program = CentralProgram(world, on: world.addPhone("phone", profile: .bluetooth4), queue: queue)
        let peripheral = try #require(program.find("plain"))
        let listener = Listener(on: queue)
        let train = program.manager.followPeriodicAdvertising(of: peripheral, delegate: listener)
        world.advance(by: .seconds(1))
        #expect(listener.lines == ["end notSupported: the controller lacks periodic advertising"])
        #expect(!train.isFollowing)
    }

    @Test func `power off and a reset end it before the state is told`() throws {
        let scene = try Scene(world, data: Data([1]))
        for change in [{ scene.program.phone.powerOff() }, { scene.program.phone.resetController() }] {
            world.run { scene.program.manager.state == .poweredOn }
            let train = scene.follow()
            world.advance(by: .seconds(1))
            #expect(train.isFollowing)
            scene.listener.clear()
            change()
            world.advance(by: .seconds(2))
            #expect(scene.listener.lines.last?.hasPrefix("end notPoweredOn: the controller was ") == true)
            #expect(!train.isFollowing)
            scene.program.phone.powerOn()
        }
    }
}

/// Notes which devices have periodic advertising.
private final class Seen: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var told: [String: Double?] = [:]
    private var setsTold: Set<Int> = []
    var intervals: [String: Double?] { lock.withLock { told } }
    var sets: Set<Int> { lock.withLock { setsTold } }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        lock.withLock {
            let interval = (advertisementData[PeriodicAdvertising.intervalKey] as? NSNumber)?.doubleValue
            told[peripheral.name ?? ""] = .some(interval)
            if let set = (advertisementData[PeriodicAdvertising.setKey] as? NSNumber)?.intValue { setsTold.insert(set) }
        }
    }
}
