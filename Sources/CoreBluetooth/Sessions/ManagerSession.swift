internal import BLEBackend
internal import BLERuntime
internal import BLEWire
internal import Dispatch

/// A manager's line to its device.
///
/// *Role*: takes commands from any thread to the backend, and events from the backend's thread to the manager's queue;
/// there a subclass applies each to the `CB*` objects and then calls the delegate. It outlives the manager as long as
/// peripherals refer to it.
///
/// *Threading*: `apply` runs on the manager's queue only, one block for each batch of events, in order. [contract 1]
class ManagerSession: BackendSink, @unchecked Sendable {
    let queue: DispatchQueue
    private let device: Device
    let delivery: any Delivery
    private let storage = Guarded(Storage())

    private struct Storage {
        var id: SessionID?
        var state = CBManagerState.unknown
        var isClosed = false
    }

    init(queue: DispatchQueue?) {
        self.queue = queue ?? .main
        device = CurrentDevice.find()
        delivery = device.delivery
    }

    /// Begins: the first event will be the state, never within this call. [contract 2]
    final func open(_ role: SessionRole) {
        // Events may be on their way before the call returns; commands wait at the lock for the identifier.
        storage.withLock { $0.id = device.openSession(role, sink: self) }
    }

    /// Ends what the manager had running. [contract 16]
    final func close() {
        let id = storage.withLock { storage in
            defer {
                storage.id = nil
                storage.isClosed = true
            }
            return storage.id
        }
        if let id { device.closeSession(id) }
    }

    final var state: CBManagerState { storage.withLock { $0.state } }
    final func setState(_ state: CBManagerState) { storage.withLock { $0.state = state } }
    final var backend: (any Backend)? { device.backend }
    final var id: SessionID? { storage.withLock { $0.id } }

    /// Whether the session belongs to the device.
    final func isOn(_ other: ManagerSession) -> Bool { device === other.device }

    final func perform(_ command: BackendCommand) {
        guard let id, !device.isProgramEnded else { return }
        device.backend.perform(command, in: id)
    }

    /// Keeps what the manager has running for the next run of the program; nil without a restore identifier.
    final func makeRestoration<State: RestorableState>(
        _ role: SessionRole, _ identifier: Any?, of type: State.Type
    ) -> Restoration<State>? {
        Restoration(role, identifier, device)
    }

    /// Runs the work on the manager's queue, after what is already on its way there.
    final func deliver(_ work: @escaping @Sendable () -> Void) { delivery.deliver(on: queue, work) }

    final func receive(_ events: [BackendEvent]) {
        deliver {
            guard !self.device.isProgramEnded else { return }
            for event in events { self.apply(event) }
        }
    }

    /// Said before each call of a delegate, for the watchdog of a world.
    final func willCall(_ callback: StaticString) { delivery.willCall(callback) }

    /// Applies the event to the objects, then tells the delegate.
    func apply(_ event: BackendEvent) {}
}

extension CBManagerState {
    init(_ state: AdapterState) { self = .init(rawValue: state.rawValue) ?? .unknown }
}
