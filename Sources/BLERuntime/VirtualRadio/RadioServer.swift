import BLEBackend
import BLEController
import BLETransport
import BLEWire
import Glibc

/// The part of a `HostedRadio` that lives on its loop.
///
/// *Role*: paces a `Radio` by the wall clock and carries packets between its controllers and their hosts' sockets.
/// *Inputs and outputs*: readable sockets and a time in; all packets for one host that an input brings about leave in
/// one write.
final class RadioServer: LoopClient {
    private let settings: HostedRadioSettings
    private let tap: (any AirTap)?
    private var descriptors: WatchedDescriptors?

    private var radio: Radio
    private let clock: MonotonicClock
    private(set) var pace: PacedClock

    private var connections: SortedTable<ControllerID, RadioConnection> = .init()
    private var controllers: [WatchToken: ControllerID] = [:]
    private var listeners: [Listener] = []
    private var joined = 0
    private(set) var droppedReports = 0

    private var outputs: [RadioOutput] = []
    private var received: [[UInt8]] = []
    private var airPackets: [(time: Int64, packet: AirPacket)] = []

    private struct Listener {
        var descriptor: Int32
        var isUnix: Bool
        /// nil while it isn't watched, for want of descriptors.
        var token: WatchToken?
    }

    init(settings: HostedRadioSettings, clock: MonotonicClock, tap: (any AirTap)?) {
        self.settings = settings
        self.clock = clock
        self.tap = tap
        radio = Radio(seed: settings.seed, settings: settings.radio)
        pace = PacedClock(factor: settings.speed)
    }

    var hostCount: Int { connections.count }

    // MARK: What the loop calls

    var nextDeadline: Instant? { radio.nextDeadline.map { pace.wallTime(of: $0) } }

    func start(_ descriptors: WatchedDescriptors) { self.descriptors = descriptors }

    func woken() {}

    func timeReached() {
        _ = advance()
        settle()
    }

    func ready(_ token: WatchToken, readable: Bool, writable: Bool) {
        if let index = listeners.firstIndex(where: { $0.token == token }) { return acceptAll(index) }
        if writable, let id = controllers[token], let reason = connections[id]?.flush() { leave(id, reason) }
        // Writing may have lost it.
        if readable, let id = controllers[token] { read(id) }
    }

    func stop() {
        for listener in listeners { close(listener.descriptor) }
        for connection in connections.values { connection.close() }
        listeners.removeAll()
        connections.removeAll()
        controllers.removeAll()
    }

    // MARK: Joining and leaving

    func listen(_ descriptor: Int32, isUnix: Bool) {
        listeners.append(Listener(descriptor: descriptor, isUnix: isUnix, token: descriptors?.add(descriptor)))
    }

    private func acceptAll(_ index: Int) {
        let listener = listeners[index]
        while true {
            switch acceptConnection(listener.descriptor) {
            case .connection(let descriptor):
                if !listener.isUnix {
                    disableDelay(descriptor)
                    join(descriptor)
                } else if isOurs(descriptor) {
                    join(descriptor)
                } else {
                    close(descriptor)
                }
            case .none: return
            case .failed(let code):
                // Out of descriptors: what waits stays waiting until a host leaves. Asking again would burn time.
                Diagnostics.log(.error, "radio", "no further host can join: \(systemMessage(code))")
                descriptors?.remove(listener.descriptor)
                listeners[index].token = nil
                return
            }
        }
    }

    private func isOurs(_ descriptor: Int32) -> Bool {
        let (isOurs, user) = isOurUsers(descriptor)
        if !isOurs { Diagnostics.log(.warning, "radio", "user \(user) was turned away") }
        return isOurs
    }

    func join(_ descriptor: Int32) {
        let transport = StreamTransport(descriptor: descriptor, side: .controller, outputLimit: settings.unreadLimit)
        guard let descriptors, let watched = WatchedTransport(transport, descriptors) else { return transport.close() }
        joined += 1
        var profile = settings.controller
        profile.name = "host-\(joined)"
        profile.address = DeviceIdentity.address(radio: settings.name, device: RadioName(nearest: profile.name))
        let id = radio.addController(profile, at: advance())
        connections[id] = RadioConnection(id, watched, transport, reportLimit: settings.reportLimit)
        controllers[watched.token] = id
        Diagnostics.log(.debug, "radio", "\(profile.name) has joined")
        settle()
    }

    private func leave(_ id: ControllerID, _ reason: String) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        controllers[connection.token] = nil
        connection.close()
        Diagnostics.log(.debug, "radio", "\(radio.profile(of: id)?.name ?? "a host") has left: \(reason)")
        radio.removeController(id, at: advance(), into: &outputs)
        for index in listeners.indices where listeners[index].token == nil {
            listeners[index].token = descriptors?.add(listeners[index].descriptor)
        }
        settle()
    }

    // MARK: Packets and time

    private func read(_ id: ControllerID) {
        guard let connection = connections[id] else { return }
        let status = connection.transport.receive(into: &received)
        if !received.isEmpty {
            let now = advance()
            for packet in received { radio.receive(packet, from: id, at: now, into: &outputs) }
            received.removeAll(keepingCapacity: true)
        }
        if case .closed(let reason) = status { leave(id, reason) } else { settle() }
    }

    /// Lets everything happen that is due by now; answers what time it is on the radio.
    private func advance() -> Instant {
        let now = pace.radioTime(at: clock.now, due: radio.nextDeadline)
        radio.advance(to: now, into: &outputs)
        return now
    }

    /// Hands out what the radio has put out.
    private func settle() {
        for output in outputs {
            switch output {
            case .packet(let id, let packet):
                if connections[id]?.append(packet) == false { droppedReports += 1 }
            case .trace(let id, let event): trace(id, event)
            case .state(let id, let state):
                Diagnostics.log(.debug, "ll", "\(radio.profile(of: id)?.name ?? "a device") is \(state)")
            case .air(let packet):
                airPackets.append((clock.unixTime(of: pace.wallTime(of: packet.time)), packet))
            case .keys(let keys): tap?.record(keys)
            }
        }
        outputs.removeAll(keepingCapacity: true)
        if !airPackets.isEmpty {
            tap?.record(airPackets)
            airPackets.removeAll(keepingCapacity: true)
        }
        var lost: [(ControllerID, String)] = []
        for entry in connections {
            if let reason = entry.value.send() { lost.append((entry.key, reason)) }
        }
        for (id, reason) in lost { leave(id, reason) }
    }

    private func trace(_ id: ControllerID, _ event: TraceEvent) {
        guard Diagnostics.isEnabled(event.level, event.layer) else { return }
        var event = event
        event.message = "\(radio.profile(of: id)?.name ?? "a device"): \(event.message)"
        Diagnostics.emit(event)
    }
}
