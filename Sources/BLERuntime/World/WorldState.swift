import BLEBackend
import BLEHost
import BLESimulator
import BLEWire
import Dispatch
import BLELocking

/// What a world guards by its lock: the simulation, and what its outputs are for.
///
/// No user code runs in here: what programs are to be told is put into the list of callbacks.
struct WorldState {
    var simulation: Simulation
    var captures = WorldCaptures()
    /// By the device's number; nil for those that need no program.
    private var hosts: [WorldHost?] = []
    private var actions: [ActionID: WorldCallbacks.Callback] = [:]
    private var handlers: [DeviceID: @Sendable (LightPeripheralEvent) -> Void] = [:]
    private let callbacks: WorldCallbacks
    private let traces: TraceInbox
    /// Kept between calls for their capacity.
    private var outputs: [SimulationOutput] = []
    private var packets: [[UInt8]] = []

    init(simulation: Simulation, callbacks: WorldCallbacks, traces: TraceInbox) {
        self.simulation = simulation
        self.callbacks = callbacks
        self.traces = traces
    }

    // MARK: Who is there

    mutating func setHost(_ host: WorldHost) {
        while hosts.count <= host.id.rawValue { hosts.append(nil) }
        hosts[host.id.rawValue] = host
    }

    mutating func setHandler(_ handler: @escaping @Sendable (LightPeripheralEvent) -> Void, of device: DeviceID) {
        handlers[device] = handler
    }

    private func host(_ device: DeviceID) -> WorldHost? {
        hosts.indices.contains(device.rawValue) ? hosts[device.rawValue] : nil
    }

    // MARK: Actions

    mutating func schedule(_ callback: WorldCallbacks.Callback, at time: Instant) -> ActionID {
        let action = simulation.schedule(at: time)
        actions[action] = callback
        return action
    }

    mutating func cancel(_ action: ActionID) { actions[action] = nil }

    // MARK: Running

    /// Changes the simulation from outside, and carries out what follows.
    mutating func edit<Result>(_ body: (inout Simulation, inout [SimulationOutput]) -> Result) -> Result {
        let result = body(&simulation, &outputs)
        absorb()
        return result
    }

    /// Lets the next thing happen; false where nothing is due until the limit.
    mutating func step(to limit: Instant) -> Bool {
        guard simulation.step(to: limit, into: &outputs) else { return false }
        absorb()
        return true
    }

    /// Lets things happen until one concerns somebody outside the simulation; false where the limit came first.
    mutating func run(to limit: Instant) -> Bool {
        guard simulation.run(to: limit, into: &outputs) else { return false }
        absorb()
        return true
    }

    /// Takes what is in a device's inbox.
    mutating func drain(_ device: DeviceID) {
        guard let host = host(device) else { return }
        host.backend.drain(at: simulation.now, into: &packets)
        send(from: host)
        absorb()
    }

    private mutating func absorb() {
        var position = 0
        while position < outputs.count {
            handle(outputs[position])
            position += 1
        }
        outputs.removeAll(keepingCapacity: true)
        for (device, trace) in traces.take() { simulation.note(trace, of: device) }
    }

    private mutating func handle(_ output: SimulationOutput) {
        switch output {
        case .packet(let device, let packet):
            guard let host = host(device) else { return }
            host.backend.receive(packet, at: simulation.now, into: &packets)
            send(from: host)
        case .hostDeadline(let device):
            guard let host = host(device) else { return }
            host.backend.drain(at: simulation.now, into: &packets)
            send(from: host)
        case .transportClosed(let device, let reason):
            guard let host = host(device) else { return }
            host.backend.transportClosed(reason: reason, at: simulation.now, into: &packets)
            send(from: host)
        case .transportOpened(let device):
            guard let host = host(device) else { return }
            host.backend.transportOpened(at: simulation.now, into: &packets)
            send(from: host)
        case .power(let device, let isOn):
            host(device)?.backend.setCondition(isOn ? .on : .off)
        case .action(let action):
            if let callback = actions.removeValue(forKey: action) { callbacks.add(callback) }
        case .peripheral(let device, let event):
            guard let handler = handlers[device] else { return }
            callbacks.add(.init(queue: nil, owner: simulation.name(of: device)) { handler(event) })
        case .captured(let device, let direction, let packet):
            captures.record(packet, direction, of: device, at: simulation.now)
        case .air(let packet): captures.record(packet)
        case .keys(let keys): captures.record(keys)
        case .event, .trace: break
        }
    }

    private mutating func send(from host: WorldHost) {
        var batch: [[UInt8]] = []
        swap(&batch, &packets)
        for packet in batch { simulation.receive(packet, from: host.id, into: &outputs) }
        simulation.setDeadline(host.backend.nextDeadline, of: host.id)
        batch.removeAll(keepingCapacity: true)
        packets = batch
    }
}

/// Traces of backends on their way into the record. They come while the world's lock is held.
final class TraceInbox: Sendable {
    private let waiting = Locked<[(DeviceID, TraceEvent)]>([])

    func add(_ trace: TraceEvent, of device: DeviceID) { waiting.withLock { $0.append((device, trace)) } }

    func take() -> [(DeviceID, TraceEvent)] {
        waiting.withLock { traces in
            guard !traces.isEmpty else { return [] }
            defer { traces = [] }
            return traces
        }
    }
}
