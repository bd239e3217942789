import BLEBackend
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// The way of periodic advertising between a manager and its backend, which the module Ravning uses.
struct FollowingTests {
    private final class Told: Sendable {
        private let events = Locked<[FollowEvent]>([])
        let queue: DispatchQueue
        init(on queue: DispatchQueue) { self.queue = queue }
        func add(_ event: FollowEvent) {
            dispatchPrecondition(condition: .onQueue(queue))
            events.withLock { $0.append(event) }
        }
        func take() -> [FollowEvent] {
            events.withLock { events in
                defer { events = [] }
                return events
            }
        }
    }

    private func follow(
        _ peripheral: CBPeripheral, _ bench: CentralBench, _ told: Told
    ) -> @Sendable () -> Void {
        bench.manager.followPeriodic(peripheral, setIdentifier: 5, skip: 1, timeout: .seconds(2)) { told.add($0) }
    }

    private func follows(_ commands: [BackendCommand]) -> [(FollowID, FollowRequest)] {
        commands.compactMap { if case .followPeriodic(let id, let request) = $0 { (id, request) } else { nil } }
    }

    @Test func `what is told of a train comes on the manager's queue, until it has ended`() throws {
        let bench = CentralBench()
        let peripheral = bench.discover()
        let told = Told(on: bench.queue)
        bench.backend.answer { _ in [] }
        let end = follow(peripheral, bench, told)
        let (id, request) = try #require(follows(bench.backend.takeCommands()).first)
        #expect(request == FollowRequest(peer: bench.peer, setIdentifier: 5, skip: 1, timeout: .seconds(2)))
        let train = PeriodicTrainDescription(setIdentifier: 5, interval: .milliseconds(100), phy: .le1M)
        let events: [FollowEvent] = [
            .began(train), .report(data: [1], isCut: false, rssi: -40, transmitPower: nil),
            .ended(BackendError(.connectionTimeout, underlying: "gone")),
        ]
        for event in events { bench.play(.periodic(id, event)) }
        // Not of another one, nor after the end.
        bench.play(.periodic(FollowID(rawValue: .max), .began(train)), .periodic(id, .began(train)))
        #expect(told.take() == events)
        end()
        #expect(bench.backend.takeCommands().isEmpty)
    }

    @Test func `who stops is told nothing more`() throws {
        let bench = CentralBench()
        let peripheral = bench.discover()
        let told = Told(on: bench.queue)
        bench.backend.answer { _ in [] }
        let end = follow(peripheral, bench, told)
        let id = try #require(follows(bench.backend.takeCommands()).first?.0)
        end()
        #expect(bench.backend.takeCommands() == [.stopFollowing(id)])
        bench.play(.periodic(id, .ended(BackendError(.connectionTimeout))))
        end()
        #expect(told.take().isEmpty && bench.backend.takeCommands().isEmpty)
    }

    @Test func `a backend that can't says so`() async {
        let bench = CentralBench()
        let peripheral = bench.discover()
        let ending = await withCheckedContinuation { continuation in
            _ = bench.manager.followPeriodic(peripheral, setIdentifier: nil, skip: 0, timeout: nil) { event in
                continuation.resume(returning: event)
            }
        }
        #expect(
            ending
                == .ended(
                    BackendError(.operationNotSupported, underlying: "scripted backend: no periodic advertising")))
    }

    @Test func `another manager's peripheral and a manager that isn't on are refused without a command`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        let other = CentralBench(on: bench)
        let told = Told(on: other.queue)
        _ = follow(peripheral, other, told)
        other.settle()
        #expect(
            told.take()
                == [.ended(BackendError(.unknownDevice, underlying: "the peripheral isn't one of this manager"))])
        #expect(other.logged("is not a valid peripheral").count == 1)
        bench.play(.stateChanged(.poweredOff))
        let own = Told(on: bench.queue)
        _ = follow(peripheral, bench, own)
        bench.settle()
        #expect(own.take() == [.ended(BackendError(.notConnected, underlying: "the manager isn't powered on"))])
        #expect(follows(bench.backend.takeCommands()).isEmpty)
    }
}
