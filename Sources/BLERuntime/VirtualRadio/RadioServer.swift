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
    private var wishes = RadioWishes()
    /// Orders for later, by their times on the radio.
    private var schedule: [(time: Instant, order: RadioOrder)] = []
    private var joined = 0
    private(set) var droppedReports = 0

    private var outputs: [RadioOutput] = []
    private var received: [[UInt8]] = []
    private var airPackets: [(time: Int64, packet: AirPacket)] = []

    private struct Listener {
        var descriptor: Int32
        var isUnix: Bool
        /// Who joins here is this device; nil: who it says it is, or the next number.
        var device: RadioName?
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

    var nextDeadline: Instant? { due.map { pace.wallTime(of: $0) } }

    private var due: Instant? {
        guard let order = schedule.first?.time else { return radio.nextDeadline }
        return min(order, radio.nextDeadline ?? order)
    }

    func start(_ descriptors: WatchedDescriptors) { self.descriptors = descriptors }

    func woken() {}

    func timeReached() {
        let now = advance()
        while let first = schedule.first, first.time <= now { perform(schedule.removeFirst().order) }
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

    func listen(_ descriptor: Int32, isUnix: Bool, as device: RadioName?) {
        listeners.append(
            Listener(descriptor: descriptor, isUnix: isUnix, device: device, token: descriptors?.add(descriptor)))
    }

    private func acceptAll(_ index: Int) {
        let listener = listeners[index]
        while true {
            switch acceptConnection(listener.descriptor) {
            case .connection(let descriptor):
                if !listener.isUnix {
                    disableDelay(descriptor)
                    join(descriptor, as: listener.device)
                } else if isOurs(descriptor) {
                    join(descriptor, as: listener.device)
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

    func join(_ descriptor: Int32, as device: RadioName? = nil) {
        let transport = StreamTransport(descriptor: descriptor, side: .controller, outputLimit: settings.unreadLimit)
        guard let descriptors, let watched = WatchedTransport(transport, descriptors) else { return transport.close() }
        joined += 1
        var profile = settings.controller
        profile.name = freeName(device)
        profile.address = DeviceIdentity.address(radio: settings.name, device: RadioName(nearest: profile.name))
        let id = radio.addController(profile, at: advance())
        connections[id] = RadioConnection(id, watched, transport, reportLimit: settings.reportLimit)
        controllers[watched.token] = id
        rename(id)
        Diagnostics.log(.debug, "radio", "\(profile.name) has joined")
        settle()
    }

    /// The name of the door where a host came in, with a number where the device is there already.
    private func freeName(_ device: RadioName?) -> String {
        guard let device else { return "host-\(joined)" }
        var number = 1
        while self.device(number == 1 ? device.text : device.numbered(number).text) != nil { number += 1 }
        return number == 1 ? device.text : device.numbered(number).text
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
            rename(id)
            received.removeAll(keepingCapacity: true)
        }
        if case .closed(let reason) = status { leave(id, reason) } else { settle() }
    }

    /// Lets everything happen that is due by now; answers what time it is on the radio.
    private func advance() -> Instant {
        let now = pace.radioTime(at: clock.now, due: due)
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

    // MARK: Places and losses

    /// Does what is due at once, and the rest when its time on the radio has come.
    func follow(_ setup: RadioSetup) {
        let now = advance()
        for (after, order) in setup.orders {
            if after == .zero { perform(order) } else { schedule.append((now + after, order)) }
        }
        schedule.sort { $0.time < $1.time }
        settle()
    }

    func perform(_ order: RadioOrder) {
        wishes.note(order)
        switch order {
        case .place(let name, _), .rssi(let name, _, _): apply(name.text)
        case .loss(let pair?, _), .corruption(let pair?, _): apply(pair.first.text)
        case .loss(nil, let probability): radio.setLoss(probability)
        case .corruption(nil, let probability): radio.setCorruption(probability)
        case .loseNext(let count, let from, let to):
            guard let sender = device(from.text), let receiver = device(to.text) else {
                return Diagnostics.log(
                    .warning, "radio", "\(from.text) and \(to.text) aren't both here: nothing is lost")
            }
            radio.loseNext(count, from: sender, to: receiver)
        case .pathLoss(let level, let exponent):
            var model = settings.radio.pathLoss
            model.atOneMetre = level
            model.exponent = exponent
            radio.setPathLoss(model)
        }
    }

    /// The device of this name, if it is there.
    private func device(_ name: String) -> ControllerID? {
        connections.first { $0.value.name == name }?.key
    }

    /// A host may say who it is at any time: what was told about the name holds from then on.
    private func rename(_ id: ControllerID) {
        guard let connection = connections[id], let name = radio.profile(of: id)?.name, name != connection.name else {
            return
        }
        connection.name = name
        apply(name)
    }

    /// What was told about a device, if it is there.
    private func apply(_ name: String) {
        if let id = device(name) { wishes.apply(to: name, id, on: &radio) { device($0) } }
    }
}
