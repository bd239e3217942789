import BLEBackend
package import BLEController
package import BLEHost
package import BLESimulator
package import BLETransport
package import BLEWire
package import Dispatch
import BLELocking

/// Runs a simulation and the backends on it, on the thread that asks for time to go by.
///
/// *Role*: the driver of every `HostBackend` of a world, and the one place where callbacks of programs run.
///
/// *Inputs and outputs*: devices, timers, faults; time moves in `advance` and `run`. Before it moves, everything has
/// come to rest: commands made in callbacks have been carried out, and what callbacks put on the main queue and on the
/// managers' queues has run.
///
/// *Threading*: any thread may call anything, but time is moved by one at a time, never from within a callback. No
/// lock is held while a callback runs.
///
/// *Limits*: work that a program hands to other queues or tasks isn't waited for.
package final class WorldDriver: Sendable {
    package let callbacks = WorldCallbacks()
    package let watchdog: Watchdog
    private let state: LockedState<WorldState>
    private let wakeUps = WakeUps()
    private let traces = TraceInbox()
    private let isRunning = Locked(false)

    /// - Parameters:
    ///   - seed: what all that is random comes from.
    ///   - watchdogLimit: nanoseconds by the wall clock that one callback may take before it is named.
    package init(
        seed: UInt64, settings: RadioSettings = RadioSettings(), watchdogLimit: UInt64,
        onBlocked: @escaping @Sendable (Watchdog.Report) -> Void
    ) {
        watchdog = Watchdog(limit: watchdogLimit, report: onBlocked)
        state = LockedState(
            WorldState(
                simulation: Simulation(seed: seed, settings: settings), callbacks: callbacks, traces: traces))
    }

    /// The virtual time.
    package var now: Instant { state.withLock { $0.simulation.now } }

    /// Looks at the simulation.
    package func read<Result: Sendable>(_ body: (Simulation) -> Result) -> Result {
        state.withLock { body($0.simulation) }
    }

    /// Changes the simulation, and carries out what follows at this instant.
    @discardableResult
    package func edit<Result: Sendable>(_ body: (inout Simulation, inout [SimulationOutput]) -> Result) -> Result {
        state.withLock { $0.edit(body) }
    }

    // MARK: Devices

    /// Adds a device that programs attach to, switched on.
    package func addHost(
        name: String, profile: PhoneProfile, controller: (DeviceAddress) -> ControllerProfile
    )
        -> WorldHost
    {
        let host = state.withLock { state in
            let number = UInt64(state.simulation.deviceCount)
            let random = EntityGenerator(seed: state.simulation.seed, entity: number)
            // Apart from the host's, which draws what it always drew.
            var keys = EntityGenerator(seed: ~state.simulation.seed, entity: number)
            let id = state.simulation.addDevice(controller(state.simulation.freshAddress(for: name)))
            let traces = traces
            let backend = HostBackend(
                profile: profile, store: MemoryDeviceStore(key: (state.simulation.seed, number)),
                bonds: MemoryBondStore(identityResolvingKey: Key128(using: &keys)), random: random
            ) { trace in
                traces.add(trace, of: id)
                Diagnostics.emit(trace)
            }
            let delivery = WorldDelivery(callbacks: callbacks, watchdog: watchdog, owner: name)
            let device = Device(backend: backend, delivery: delivery)
            delivery.attach(device)
            let host = WorldHost(id: id, device: device, delivery: delivery, backend: backend, wakeUps: wakeUps)
            state.setHost(host)
            return host
        }
        host.backend.start(driver: host)
        return host
    }

    /// Adds a peripheral that needs no program; the handler is called like a callback.
    package func addPeripheral(
        name: String, _ profile: LightPeripheralProfile, configuration: HostConfiguration,
        controller: (DeviceAddress) -> ControllerProfile,
        handler: @escaping @Sendable (LightPeripheralEvent) -> Void
    ) -> DeviceID {
        state.withLock { state in
            let address = state.simulation.freshAddress(for: name)
            let id = state.edit { simulation, outputs in
                simulation.addPeripheral(
                    controller(address), profile, configuration: configuration, into: &outputs)
            }
            state.setHandler(handler, of: id)
            return id
        }
    }

    package func setCondition(_ condition: AdapterCondition, of host: WorldHost) {
        host.backend.setCondition(condition)
    }

    package func setInBackground(_ isInBackground: Bool, of host: WorldHost) {
        host.backend.setInBackground(isInBackground)
    }

    // MARK: Captures

    /// Writes the packets between the device's host and its controller to a btsnoop file; nil ends that.
    package func captureHCI(of device: DeviceID, to path: String?) throws(TransportError) {
        try state.withLock { state in
            Result { () throws(TransportError) in
                state.captures.stopHCI(of: device)
                state.simulation.setCaptured(path != nil, device)
                let traces = traces
                guard let path else { return }
                try state.captures.captureHCI(of: device, to: path) { message in
                    traces.add(TraceEvent(.error, "capture", message), of: device)
                }
            }
        }.get()
    }

    /// Writes every packet on the air to a pcap file of link type 256, and the keys of its links to another where one
    /// is named; nil ends that.
    package func captureAir(to path: String?, keys: String? = nil) throws(TransportError) {
        try state.withLock { state in
            Result { () throws(TransportError) in
                state.captures.stopAir()
                state.simulation.setCapturesAir(path != nil, exportsKeys: path != nil && keys != nil)
                if let path { try state.captures.captureAir(to: path, keys: keys) }
            }
        }.get()
    }

    // MARK: Timers

    /// Runs the work when the time has come: on a queue like a callback, or where the world runs.
    package func schedule(
        at time: Instant, on queue: DispatchQueue?, owner: String, _ work: @escaping @Sendable () -> Void
    ) -> ActionID {
        // What a program makes in its timer belongs to the device that it was started on.
        let device = Device.attached
        let callback = WorldCallbacks.Callback(queue: queue, owner: owner) {
            Device.$attached.withValue(device, operation: work)
        }
        return state.withLock { $0.schedule(callback, at: time) }
    }

    package func cancel(_ action: ActionID) { state.withLock { $0.cancel(action) } }

    // MARK: Time

    /// Lets everything happen that is due until the instant.
    package func advance(to limit: Instant) {
        enter()
        defer { leave() }
        settle()
        while state.withLock({ $0.run(to: limit) }) { settle() }
    }

    /// Lets things happen until the condition holds; false where the limit came first.
    package func run(to limit: Instant, until condition: () -> Bool) -> Bool {
        enter()
        defer { leave() }
        settle()
        while !condition() {
            guard state.withLock({ $0.step(to: limit) }) else {
                state.withLock { $0.simulation.moveClock(to: limit) }
                return condition()
            }
            settle()
        }
        return true
    }

    private func enter() {
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return isRunning
        }
        precondition(!wasRunning, "Time of a world was to be moved from within a callback, or by two threads at once.")
    }

    private func leave() { isRunning.withLock { $0 = false } }

    /// Carries out everything that is to happen at this instant.
    private func settle() {
        var isDirty = callbacks.hasDelivered
        repeat {
            while true {
                for device in wakeUps.take() { state.withLock { $0.drain(device) } }
                guard let callback = callbacks.next() else { break }
                run(callback)
                isDirty = true
            }
            guard isDirty else { return }
            // Twice, for what one queue hands to another.
            drainQueues()
            drainQueues()
            isDirty = false
        } while !wakeUps.isEmpty || !callbacks.isEmpty
    }

    private func run(_ callback: WorldCallbacks.Callback) {
        watchdog.begin(owner: callback.owner, queue: callback.queue)
        callbacks.run(callback)
        watchdog.end()
        // With one queue in play, its order is enough; with more, what the callback put elsewhere comes first.
        if callbacks.usesOwnQueues { drainQueues() }
    }

    private func drainQueues() {
        guard callbacks.hasDelivered else { return }
        watchdog.begin(owner: "work on the main queue or on a manager's queue", queue: nil)
        callbacks.drainQueues()
        watchdog.end()
    }
}
