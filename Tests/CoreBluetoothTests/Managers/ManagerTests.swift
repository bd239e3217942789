import BLEBackend
import BLERuntime
import BLEWire
import CoreBluetooth
import Synchronization
import Testing

/// Contract A: managers, queues, state.
struct ManagerTests {
    @Test func `1 calls come on the given queue, in order`() {
        let bench = CentralBench(poweredOn: false)
        let key = DispatchSpecificKey<Bool>()
        bench.queue.setSpecific(key: key, value: true)
        let onQueue = Mutex<[Bool]>([])
        bench.delegate.inside.withLock { inside in
            inside = { _ in onQueue.withLock { $0.append(DispatchQueue.getSpecific(key: key) ?? false) } }
        }
        bench.play(.stateChanged(.resetting), .stateChanged(.poweredOff), .stateChanged(.poweredOn))
        #expect(bench.delegate.take() == ["state 1", "state 4", "state 5"])
        #expect(onQueue.withLock { $0 } == [true, true, true])
    }

    @Test func `2 the state is unknown after init, and its update comes later`() {
        let bench = CentralBench(poweredOn: false)
        #expect(bench.manager.state == .unknown)
        #expect(bench.delegate.take() == [])
        bench.play(.stateChanged(.poweredOn))
        #expect(bench.manager.state == .poweredOn)
        #expect(bench.delegate.take() == ["state 5"])
    }
}
