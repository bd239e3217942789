import BLEBackend
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

// Code as it is written for Swift 6: async wrappers, actors, delegates on the main actor.

/// Identifiers as every program keeps them: shared constants of a class type.
private enum Identifiers {
    static let service = CBUUID(string: "FFF0")
    static let all = [service, CBUUID(string: "FFF1")]
}

/// Callbacks turned into async calls.
private final class AsyncCentral: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    let found: AsyncStream<CBPeripheral>
    private let foundContinuation: AsyncStream<CBPeripheral>.Continuation
    private let waiting = Locked<[String: CheckedContinuation<Void, any Error>]>([:])

    override init() {
        (found, foundContinuation) = AsyncStream.makeStream()
        super.init()
    }

    func connect(_ peripheral: CBPeripheral, with central: CBCentralManager) async throws {
        peripheral.delegate = self
        try await wait("connect") { central.connect(peripheral) }
    }

    func services(of peripheral: CBPeripheral) async throws -> [CBService] {
        try await wait("services") { peripheral.discoverServices([Identifiers.service]) }
        return peripheral.services ?? []
    }

    private func wait(_ name: String, _ begin: () -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            waiting.withLock { $0[name] = continuation }
            begin()
        }
    }

    private func resume(_ name: String, _ error: (any Error)?) {
        let continuation = waiting.withLock { $0.removeValue(forKey: name) }
        if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: Identifiers.all) }
    }
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { foundContinuation.yield(peripheral) }
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { resume("connect", nil) }
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { resume("connect", error) }
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        resume("services", error)
    }
}

/// An actor that keeps peripherals.
private actor Store {
    private var peripherals: [UUID: CBPeripheral] = [:]
    func insert(_ peripheral: CBPeripheral) { peripherals[peripheral.identifier] = peripheral }
    var count: Int { peripherals.count }
}

/// A delegate that belongs to the main actor, with a manager on the main queue.
@MainActor
private final class MainActorDelegate: NSObject, @preconcurrency CBCentralManagerDelegate {
    var state: CBManagerState?
    var whenUpdated: CheckedContinuation<Void, Never>?
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        state = central.state
        whenUpdated?.resume()
        whenUpdated = nil
    }
}

/// The same by hand.
@MainActor
private final class HoppingDelegate: NSObject, CBCentralManagerDelegate {
    var found: [CBPeripheral] = []
    nonisolated func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    nonisolated func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { Task { @MainActor in found.append(peripheral) } }
}

struct SwiftSixStyleTests {
    @Test func `async wrappers connect and discover`() async throws {
        let bench = CentralBench(poweredOn: false)
        let program = AsyncCentral()
        bench.manager.delegate = program
        bench.play(.stateChanged(.poweredOn), .discovered(bench.peer, name: nil, Advertisement(), rssi: 0))
        var found = program.found.makeAsyncIterator()
        let peripheral = try #require(await found.next())
        bench.backend.answer { command in
            switch command {
            case .connect(let peer, _): [.connected(peer)]
            case .discoverServices(let peer, _): [.servicesDiscovered(peer, .success([Remote.service]))]
            default: []
            }
        }
        try await program.connect(peripheral, with: bench.manager)
        #expect(try await program.services(of: peripheral).map(\.uuid) == [Identifiers.service])
    }

    @Test func `an async wrapper throws what the callback brought`() async throws {
        let bench = CentralBench()
        let program = AsyncCentral()
        let peripheral = bench.discover()
        bench.manager.delegate = program
        bench.backend.answer { command in
            if case .connect(let peer, _) = command { return [.connectFailed(peer, BackendError(.connectionFailed))] }
            return []
        }
        await #expect(throws: CBError(.connectionFailed, userInfo: [NSLocalizedDescriptionKey: Self.text])) {
            try await program.connect(peripheral, with: bench.manager)
        }
    }
    private static let text = "The connection has failed unexpectedly."

    @Test func `actors keep peripherals`() async {
        let bench = CentralBench()
        let store = Store()
        await store.insert(bench.discover())
        #expect(await store.count == 1)
    }

    @MainActor
    @Test func `a delegate of the main actor is called on the main queue`() async {
        let backend = ScriptedBackend()
        let delegate = MainActorDelegate()
        let manager = backend.attach { CBCentralManager(delegate: delegate, queue: .main) }
        await withCheckedContinuation { continuation in
            delegate.whenUpdated = continuation
            backend.play(.stateChanged(.poweredOn))
        }
        #expect(delegate.state == .poweredOn)
        #expect(manager.state == .poweredOn)
    }

    @MainActor
    @Test func `a delegate hops to the main actor by itself`() async {
        let bench = CentralBench()
        let delegate = HoppingDelegate()
        bench.manager.delegate = delegate
        bench.manager.scanForPeripherals(withServices: nil)
        bench.play(.discovered(bench.peer, name: nil, Advertisement(), rssi: 0))
        while delegate.found.isEmpty { await Task.yield() }
        #expect(delegate.found.count == 1)
    }
}
