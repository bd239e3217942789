import BLEHost
package import BLEWire

/// A peripheral without a program: it publishes services, advertises, keeps values, and sends them.
///
/// *Role*: what stands in a simulation for a sensor or a lock; thousands of them fit.
/// *Inputs and outputs*: the events of its host and time in; commands for its host, and events for whoever plays the
/// device, out.
/// *Limits*: values are kept whole, 512 octets at most [Vol 3, Part F, 3.2.9]; what is longer is refused.
package struct LightPeripheral: Sendable {
    package private(set) var profile: LightPeripheralProfile
    /// The value of each characteristic, in the order of the profile.
    package private(set) var values: [[UInt8]]
    /// Value handles, in the order of the profile; filled as services are added.
    private var handles: [AttributeHandle] = []
    private var servicesAdded = 0
    private var subscriptions: [Subscription] = []
    private var ticks: [Tick]
    private var links: [ConnectionHandle] = []
    private var nextToken: UInt64 = 0
    /// Whether it advertises when it can.
    package private(set) var wantsAdvertising: Bool

    private struct Subscription: Sendable {
        var link: ConnectionHandle
        var characteristic: Int
        var configuration: ClientConfiguration
    }
    private struct Tick: Sendable {
        var characteristic: Int
        var period: Delay
        var next: Instant?
        var count: UInt32 = 0
    }

    package init(_ profile: LightPeripheralProfile) {
        self.profile = profile
        values = profile.characteristics.map(\.value)
        wantsAdvertising = profile.advertising != nil
        ticks = profile.characteristics.enumerated().compactMap { index, characteristic in
            characteristic.period.map { Tick(characteristic: index, period: $0) }
        }
    }

    package var nextDeadline: Instant? { ticks.lazy.compactMap(\.next).min() }
    /// Links as peripheral, oldest first.
    package var connectedLinks: [ConnectionHandle] { links }

    // MARK: What the host says

    mutating func handle(_ event: HostEvent, at now: Instant, into out: inout Outputs) {
        switch event {
        case .stateChanged(let state): stateChanged(state, into: &out)
        case .serviceAdded(_, let result): serviceAdded(result, into: &out)
        case .connected(let info) where !info.isCentral:
            links.append(info.handle)
            out.events.append(.connected(info.handle, info.peer))
        case .disconnected(let link, _, let reason) where links.contains(link):
            disconnected(link, reason: reason, into: &out)
        case .readRequested(let link, let request, let handle, let offset):
            read(link, request, handle, offset: offset, into: &out)
        case .writeRequested(let link, let request, let writes, let needsResponse):
            write(link, request, writes, needsResponse: needsResponse, into: &out)
        case .subscriptionChanged(let link, let handle, let configuration):
            subscribe(link, handle, configuration, at: now, into: &out)
        case .valueSent(let link, let token, let error):
            out.events.append(.valueSent(link, token, error))
        default: break
        }
    }

    private mutating func stateChanged(_ state: HostState, into out: inout Outputs) {
        guard state == .poweredOn else {
            links.removeAll()
            subscriptions.removeAll()
            for index in ticks.indices { ticks[index].next = nil }
            return
        }
        // Services outlive a power cycle of the host. The next one is added when the last one has come to lie.
        if servicesAdded < profile.services.count { addService(into: &out) } else { advertise(into: &out) }
    }

    private mutating func addService(into out: inout Outputs) {
        out.commands.append(.addService(token(), profile.services[servicesAdded].definition))
    }

    private mutating func serviceAdded(_ result: Result<GATTServiceLayout, HostError>, into out: inout Outputs) {
        guard servicesAdded < profile.services.count else { return }
        switch result {
        case .success(let layout):
            handles += layout.characteristics
        case .failure(let error):
            handles += profile.services[servicesAdded].characteristics.map { _ in .none }
            out.events.append(.serviceRefused(servicesAdded, error))
        }
        servicesAdded += 1
        if servicesAdded < profile.services.count { addService(into: &out) } else { advertise(into: &out) }
    }

    private mutating func disconnected(_ link: ConnectionHandle, reason: HCIStatus, into out: inout Outputs) {
        links.removeAll { $0 == link }
        for subscription in subscriptions where subscription.link == link {
            out.events.append(.subscriptionChanged(link, characteristic: subscription.characteristic, []))
        }
        subscriptions.removeAll { $0.link == link }
        stopIdleTicks()
        out.events.append(.disconnected(link, reason))
        advertise(into: &out)
    }

    // MARK: Advertising

    private mutating func advertise(into out: inout Outputs) {
        guard wantsAdvertising, let settings = profile.advertising else { return }
        out.commands.append(.startAdvertising(settings))
    }

    mutating func startAdvertising(_ settings: AdvertisingSettings?, into out: inout Outputs) {
        if let settings { profile.advertising = settings }
        wantsAdvertising = true
        guard servicesAdded == profile.services.count else { return }
        advertise(into: &out)
    }

    mutating func stopAdvertising(into out: inout Outputs) {
        wantsAdvertising = false
        out.commands.append(.stopAdvertising)
    }

    // MARK: Requests

    private mutating func read(
        _ link: ConnectionHandle, _ request: GATTRequestID, _ handle: AttributeHandle, offset: Int,
        into out: inout Outputs
    ) {
        guard let index = handles.firstIndex(of: handle) else {
            out.commands.append(.respond(link, request, .attributeNotFound, value: []))
            return
        }
        if profile.characteristics[index].asksReads {
            out.events.append(.readRequested(link, request, characteristic: index, offset: offset))
        } else {
            out.commands.append(Self.answer(link, request, values[index], offset: offset))
        }
    }

    /// The rest of a value from an offset, or Invalid Offset past its end. [Vol 3, Part F, 3.4.4.5]
    static func answer(
        _ link: ConnectionHandle, _ request: GATTRequestID, _ value: [UInt8], offset: Int
    ) -> HostCommand {
        guard offset <= value.count else { return .respond(link, request, .invalidOffset, value: []) }
        return .respond(link, request, .success, value: Array(value[offset...]))
    }

    private mutating func write(
        _ link: ConnectionHandle, _ request: GATTRequestID, _ writes: [GATTWrite], needsResponse: Bool,
        into out: inout Outputs
    ) {
        var parts: [LightPeripheralEvent.Write] = []
        for write in writes {
            guard let index = handles.firstIndex(of: write.handle) else {
                if needsResponse { out.commands.append(.respond(link, request, .attributeNotFound, value: [])) }
                return
            }
            parts.append(.init(characteristic: index, offset: write.offset, value: write.value))
        }
        if parts.contains(where: { profile.characteristics[$0.characteristic].asksWrites }) {
            out.events.append(.writeRequested(link, request, parts, needsResponse: needsResponse))
            return
        }
        let result = store(parts)
        if needsResponse { out.commands.append(.respond(link, request, result, value: [])) }
        if result == .success { out.events.append(.written(link, parts)) }
    }

    /// Takes writes that belong together: all of them or none. [Vol 3, Part F, 3.4.6.3]
    mutating func store(_ writes: [LightPeripheralEvent.Write]) -> ATTErrorCode {
        var changed = values
        for write in writes {
            guard write.offset <= (write.offset == 0 ? 0 : changed[write.characteristic].count) else {
                return .invalidOffset
            }
            guard write.offset + write.value.count <= 512 else { return .invalidAttributeValueLength }
            changed[write.characteristic].replaceSubrange(write.offset..., with: write.value)
        }
        values = changed
        return .success
    }

    // MARK: Values and subscriptions

    mutating func setValue(_ value: [UInt8], of characteristic: Int) {
        guard values.indices.contains(characteristic) else { return }
        values[characteristic] = value
    }

    /// Sends a value to everyone who subscribed, and keeps it.
    mutating func notify(_ value: [UInt8], of characteristic: Int, into out: inout Outputs) {
        guard values.indices.contains(characteristic), characteristic < handles.count else { return }
        values[characteristic] = value
        for subscription in subscriptions where subscription.characteristic == characteristic {
            // Where both were asked for, a notification is what costs less. [Vol 3, Part G, 3.3.3.3]
            let indicate = !subscription.configuration.contains(.notifications)
            out.commands.append(
                .sendValue(subscription.link, token(), handles[characteristic], value, indicate: indicate))
        }
    }

    package func subscribers(of characteristic: Int) -> [ConnectionHandle] {
        subscriptions.filter { $0.characteristic == characteristic }.map(\.link)
    }

    private mutating func subscribe(
        _ link: ConnectionHandle, _ handle: AttributeHandle, _ configuration: ClientConfiguration, at now: Instant,
        into out: inout Outputs
    ) {
        guard let index = handles.firstIndex(of: handle) else { return }
        subscriptions.removeAll { $0.link == link && $0.characteristic == index }
        if !configuration.isEmpty {
            subscriptions.append(.init(link: link, characteristic: index, configuration: configuration))
            for tick in ticks.indices where ticks[tick].characteristic == index && ticks[tick].next == nil {
                ticks[tick].next = now + ticks[tick].period
            }
        }
        stopIdleTicks()
        out.events.append(.subscriptionChanged(link, characteristic: index, configuration))
    }

    private mutating func stopIdleTicks() {
        for tick in ticks.indices {
            let characteristic = ticks[tick].characteristic
            if !subscriptions.contains(where: { $0.characteristic == characteristic }) { ticks[tick].next = nil }
        }
    }

    mutating func timerFired(at now: Instant, into out: inout Outputs) {
        for tick in ticks.indices {
            guard let next = ticks[tick].next, next <= now else { continue }
            ticks[tick].next = next + ticks[tick].period
            ticks[tick].count += 1
            var value = values[ticks[tick].characteristic]
            // A counter in the first octets shows which value it is.
            for octet in 0..<min(4, value.count) {
                value[octet] = UInt8(truncatingIfNeeded: ticks[tick].count >> (8 * UInt32(octet)))
            }
            notify(value, of: ticks[tick].characteristic, into: &out)
        }
    }

    private mutating func token() -> OperationToken {
        nextToken += 1
        return OperationToken(rawValue: nextToken)
    }

    /// What it wants of its host, and what it tells.
    struct Outputs {
        var commands: [HostCommand] = []
        var events: [LightPeripheralEvent] = []
    }
}
