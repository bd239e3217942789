import BLEBackend
import BLEController
import BLETransport
import BLEWire
import CLinuxSupport
import Dispatch
import Glibc

/// The part of a `HostedRadio` that lives on its queue.
///
/// *Role*: paces a `Radio` by the wall clock and carries packets between its controllers and their hosts' sockets.
/// *Inputs and outputs*: readable sockets and one timer in; all packets for one host that an input brings about leave in
/// one write.
final class RadioServer {
    private let settings: HostedRadioSettings
    private let queue: DispatchQueue
    private let tap: (any AirTap)?
    private var me: QueueBound<RadioServer>?

    private var radio: Radio
    private let clock = MonotonicClock()
    private(set) var pace: PacedClock
    private var timer: (any DispatchSourceTimer)?
    private var armed: Instant?

    private var connections: SortedTable<ControllerID, RadioConnection> = .init()
    private var listeners: [any DispatchSourceRead] = []
    private var joined = 0
    private(set) var droppedReports = 0
    private var isStopped = false

    private var outputs: [RadioOutput] = []
    private var received: [[UInt8]] = []
    private var airPackets: [(time: Int64, packet: AirPacket)] = []

    init(settings: HostedRadioSettings, queue: DispatchQueue, tap: (any AirTap)?) {
        self.settings = settings
        self.queue = queue
        self.tap = tap
        radio = Radio(seed: settings.seed, settings: settings.radio)
        pace = PacedClock(factor: settings.speed)
    }

    var hostCount: Int { connections.count }

    func start(_ me: QueueBound<RadioServer>) {
        self.me = me
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.setEventHandler { @Sendable [weak me] in me?.value.timerFired() }
        timer.activate()
        self.timer = timer
    }

    func stop() {
        isStopped = true
        timer?.cancel()
        for listener in listeners { listener.cancel() }
        for (_, connection) in connections.map({ ($0.key, $0.value) }) { connection.close() }
        connections.removeAll()
        listeners.removeAll()
        me = nil
    }

    // MARK: Joining and leaving

    func listen(_ listener: Int32, isUnix: Bool) {
        guard let me, !isStopped else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        source.setEventHandler { @Sendable [weak me] in me?.value.acceptAll(listener, isUnix: isUnix) }
        source.setCancelHandler { @Sendable in close(listener) }
        source.activate()
        listeners.append(source)
    }

    private func acceptAll(_ listener: Int32, isUnix: Bool) {
        while true {
            let descriptor = cls_accept(listener)
            switch -descriptor {
            case ...0:
                if isUnix {
                    var user: uid_t = 0
                    guard cls_peer_user(descriptor, &user) == 0, user == geteuid() || user == 0 else {
                        Diagnostics.log(.warning, "radio", "user \(user) was turned away")
                        close(descriptor)
                        continue
                    }
                } else {
                    disableDelay(descriptor)
                }
                join(descriptor)
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return
            case let code:
                Diagnostics.log(.error, "radio", "no further host can join: \(systemMessage(code))")
                return pause(listener)
            }
        }
    }

    /// Out of descriptors: what waits stays waiting, and asking at once again would only burn time.
    private func pause(_ listener: Int32) {
        guard let source = listeners.first(where: { Int32($0.handle) == listener }) else { return }
        source.suspend()
        let suspended = QueueBound(confined: source, on: queue)
        queue.asyncAfter(deadline: .now() + .milliseconds(200)) { suspended.value.resume() }
    }

    func join(_ descriptor: Int32) {
        guard let me, !isStopped else {
            close(descriptor)
            return
        }
        joined += 1
        var profile = settings.controller
        profile.name = "host-\(joined)"
        profile.address = DeviceIdentity.address(radio: settings.name, device: RadioName(nearest: profile.name))
        let now = advance()
        let id = radio.addController(profile, at: now)
        let transport = StreamTransport(
            descriptor: descriptor, side: .controller, outputLimit: settings.unreadLimit)
        connections[id] = RadioConnection(
            TransportSources(transport, on: queue) { [weak me] in
                me?.value.readable(id)
            } writable: { [weak me] in
                me?.value.writable(id)
            }, transport, reportLimit: settings.reportLimit)
        Diagnostics.log(.debug, "radio", "\(profile.name) has joined")
        settle()
    }

    private func leave(_ id: ControllerID, _ reason: String) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        connection.close()
        Diagnostics.log(.debug, "radio", "\(radio.profile(of: id)?.name ?? "a host") has left: \(reason)")
        radio.removeController(id, at: advance(), into: &outputs)
        settle()
    }

    // MARK: Packets and time

    private func readable(_ id: ControllerID) {
        guard let connection = connections[id] else { return }
        let status = connection.transport.receive(into: &received)
        if !received.isEmpty {
            let now = advance()
            for packet in received { radio.receive(packet, from: id, at: now, into: &outputs) }
            received.removeAll(keepingCapacity: true)
        }
        switch status {
        case .open: settle()
        case .more:
            settle()
            queue.async { [weak me] in me?.value.readable(id) }
        case .closed(let reason): leave(id, reason)
        }
    }

    private func writable(_ id: ControllerID) {
        guard let connection = connections[id] else { return }
        if let reason = connection.flush() { leave(id, reason) }
    }

    private func timerFired() {
        armed = nil
        _ = advance()
        settle()
    }

    /// Lets everything happen that is due by now; answers what time it is on the radio.
    private func advance() -> Instant {
        let now = pace.radioTime(at: clock.now, due: radio.nextDeadline)
        radio.advance(to: now, into: &outputs)
        return now
    }

    /// Hands out what the radio has put out, and sees to the timer.
    private func settle() {
        if isStopped { return }
        for output in outputs {
            switch output {
            case .packet(let id, let packet):
                if connections[id]?.append(packet) == false { droppedReports += 1 }
            case .trace(let id, let event): trace(id, event)
            case .state(let id, let state):
                Diagnostics.log(.debug, "ll", "\(radio.profile(of: id)?.name ?? "a device") is \(state)")
            case .air(let packet):
                airPackets.append((clock.unixTime(of: pace.wallTime(of: packet.time)), packet))
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
        arm()
    }

    private func trace(_ id: ControllerID, _ event: TraceEvent) {
        guard Diagnostics.isEnabled(event.level, event.layer) else { return }
        var event = event
        event.message = "\(radio.profile(of: id)?.name ?? "a device"): \(event.message)"
        Diagnostics.emit(event)
    }

    private func arm() {
        let deadline = radio.nextDeadline.map { pace.wallTime(of: $0) }
        guard deadline != armed else { return }
        armed = deadline
        timer?.schedule(deadline: clock.time(of: deadline ?? .never), leeway: .nanoseconds(0))
    }
}
