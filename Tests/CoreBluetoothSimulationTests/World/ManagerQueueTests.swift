import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Where a world calls delegates. [contract 1]
@Suite struct ManagerQueueTests {
    private let world = World(seed: 1)

    /// Tells on which queue it is called.
    private final class Listener: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
        let body: (CBCentralManager) -> Void
        init(_ body: @escaping (CBCentralManager) -> Void) { self.body = body }
        func centralManagerDidUpdateState(_ central: CBCentralManager) { body(central) }
    }

    @Test func `without a queue, on the main queue`() {
        let diary = Diary()
        let listener = Listener { _ in
            dispatchPrecondition(condition: .onQueue(.main))
            diary.write("called")
        }
        let manager = world.addPhone("phone").run { CBCentralManager(delegate: listener, queue: nil) }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["called"])
        withExtendedLifetime(manager) {}
    }

    @Test func `with the main queue, on it`() {
        let diary = Diary()
        let listener = Listener { _ in
            dispatchPrecondition(condition: .onQueue(.main))
            diary.write("called")
        }
        let manager = world.addPhone("phone").run { CBCentralManager(delegate: listener, queue: .main) }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["called"])
        withExtendedLifetime(manager) {}
    }

    @Test func `with a queue of its own, on that`() {
        let diary = Diary()
        let queue = DispatchQueue(label: "own")
        let listener = Listener { _ in
            dispatchPrecondition(condition: .onQueue(queue))
            diary.write("called")
        }
        let manager = world.addPhone("phone").run { CBCentralManager(delegate: listener, queue: queue) }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["called"])
        withExtendedLifetime(manager) {}
    }

    @Test @MainActor func `from the main actor, delegates without a queue are called at once`() {
        let diary = Diary()
        let listener = Listener { _ in diary.write("called") }
        let manager = world.addPhone("phone").run { CBCentralManager(delegate: listener, queue: nil) }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["called"])
        withExtendedLifetime(manager) {}
    }

    @Test func `a manager that a callback makes belongs to the phone of that callback`() {
        let phone = world.addPhone("phone")
        let sensor = world.addPeripheral(VirtualPeripheral("sensor").advertising())
        var second: CBCentralManager?
        let scanning = Listener { $0.scanForPeripherals(withServices: nil) }
        let listener = Listener { _ in second = CBCentralManager(delegate: scanning, queue: nil) }
        let first = phone.run { CBCentralManager(delegate: listener, queue: nil) }
        world.advance(by: .seconds(2))
        #expect(phone.hasSeen(sensor))
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a command made in a callback is carried out at that instant`() {
        let phone = world.addPhone("phone")
        let listener = Listener { if $0.state == .poweredOn { $0.scanForPeripherals(withServices: nil) } }
        let manager = phone.run { CBCentralManager(delegate: listener, queue: DispatchQueue(label: "own")) }
        world.run { manager.state == .poweredOn }
        #expect(phone.linkState == .scanning)
    }

    @Test func `a delegate method that doesn't return is named`() {
        let world = World(seed: 1, watchdog: .milliseconds(50))
        let diary = Diary()
        let semaphore = DispatchSemaphore(value: 0)
        world.onBlockedCallback { blocked in
            diary.write("\(blocked.device): \(blocked.callback ?? "none") on \(blocked.queue ?? "none")")
            semaphore.signal()
        }
        let listener = Listener { _ in semaphore.wait() }
        let queue = DispatchQueue(label: "own")
        let manager = world.addPhone("phone").run { CBCentralManager(delegate: listener, queue: queue) }
        world.advance(by: .seconds(1))
        #expect(diary.entries == ["phone: centralManagerDidUpdateState(_:) on own"])
        withExtendedLifetime(manager) {}
    }
}
