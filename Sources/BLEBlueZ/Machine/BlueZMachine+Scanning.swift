import BLEBackend
import BLEWire

/// The discovery that we ask BlueZ for, on behalf of all sessions and attempts.
struct Discovery: Equatable {
    enum Phase: Equatable { case off, setting, starting, on, stopping }
    var phase = Phase.off
    /// Whether BlueZ was told to signal what doesn't change.
    var reportsDuplicates: Bool?
    var failures = 0
    /// How long silence is borne before discovery is started anew.
    var silence = Discovery.shortestSilence
    var restarts = 0

    static let shortestSilence = Delay.seconds(60)
    static let longestSilence = Delay.seconds(960)
}

// One discovery for all sessions. [contract 18-31]
extension BlueZMachine {
    mutating func startScan(_ request: ScanRequest, in session: SessionID) {
        guard isReady(session, .central, "scan") else { return }
        sessions.update(session) { $0.scan = SessionScan(request) }
        if request.allowDuplicates {
            traceOnce(
                .info,
                "the kernel filters advertisements before BlueZ sees them: with AllowDuplicates every report that BlueZ "
                    + "passes on is told, which may be fewer than there are on the air")
        }
        updateDiscovery()
        // What BlueZ hears now, for this program or another one, won't be told again as new.
        guard let adapter else { return }
        for path in objects.paths(with: BlueZName.device, below: adapter) {
            if objects[path, BlueZName.device]?["RSSI"] != nil { report(path, to: [session]) }
        }
    }

    mutating func stopScan(in session: SessionID) {
        sessions.update(session) { $0.scan = nil }
        updateDiscovery()
    }

    private var scanningSessions: [SessionID] { sessions.filter { $0.value.scan != nil }.map(\.key) }

    private var wantsDuplicates: Bool {
        sessions.contains { $0.value.scan?.request.allowDuplicates == true }
    }

    /// Discovery rests while a connection is made that has failed beside it: some controllers can't do both.
    private var wantsDiscovery: Bool {
        if attempts.contains(where: { $0.value.phase == .finding }) { return true }
        return sessions.contains { $0.value.scan != nil } && !attempts.contains { $0.value.failures > 0 }
    }

    /// Brings BlueZ's discovery to what is wanted, one call at a time.
    mutating func updateDiscovery() {
        guard let adapter, state == .poweredOn, !timers.contains(.discover) else { return }
        switch (discovery.phase, wantsDiscovery) {
        case (.off, true): setFilter()
        case (.on, true) where discovery.reportsDuplicates != wantsDuplicates: setFilter()
        case (.on, false):
            discovery.phase = .stopping
            timers.cancel(.watchDiscovery)
            call(adapter, BlueZName.adapter, "StopDiscovery", then: .stopDiscovery)
        case (.off, false), (.on, true), (.setting, _), (.starting, _), (.stopping, _): break
        }
    }

    /// No services are asked of BlueZ: each session filters for itself, and attempts look for devices whatever they offer.
    private mutating func setFilter() {
        guard let adapter else { return }
        discovery.phase = .setting
        discovery.reportsDuplicates = wantsDuplicates
        let filter = DBusValue.properties(["Transport": .string("le"), "DuplicateData": .bool(wantsDuplicates)])
        call(adapter, BlueZName.adapter, "SetDiscoveryFilter", [filter], then: .filter)
    }

    mutating func filterSet(_ result: Result<[DBusValue], DBusFailure>) {
        guard let adapter, discovery.phase == .setting else { return }
        if case .failure(let failure) = result {
            trace(.debug, "SetDiscoveryFilter failed, discovering without: \(failure)")
        }
        discovery.phase = .starting
        call(adapter, BlueZName.adapter, "StartDiscovery", then: .startDiscovery)
    }

    /// A discovery that can't be started now is tried again: the program was told that it scans.
    mutating func discoveryStarted(_ result: Result<[DBusValue], DBusFailure>) {
        guard discovery.phase == .starting else { return }
        switch result {
        case .success: discoveryIsOn()
        // Ours already: a filter that changes doesn't end it.
        case .failure(let failure) where failure.isInProgress && isDiscovering:
            trace(.debug, "discovery is under way already: \(failure)")
            discoveryIsOn()
        case .failure(let failure):
            discovery.phase = .off
            discovery.failures += 1
            traceOnce(.warning, "discovery doesn't start, it is tried again: \(failure)")
            let pause = min(Delay.milliseconds(250) * Int64(1 << min(discovery.failures, 6)), .seconds(10))
            timers.set(.discover, at: now + pause)
        }
    }

    private mutating func discoveryIsOn() {
        discovery.phase = .on
        discovery.failures = 0
        watchDiscovery()
        updateDiscovery()
    }

    /// BlueZ refuses to stop what has ended already; either way it's over.
    mutating func discoveryStopped(_ result: Result<[DBusValue], DBusFailure>) {
        guard discovery.phase == .stopping else { return }
        if case .failure(let failure) = result { trace(.debug, "StopDiscovery: \(failure)") }
        discovery.phase = .off
        updateDiscovery()
    }

    private var isDiscovering: Bool {
        adapter.flatMap { objects[$0, BlueZName.adapter]?["Discovering"]?.flag } ?? false
    }

    // MARK: - Discovery that dies

    /// BlueZ says that nothing is discovered any more, and we have asked for it.
    mutating func discoveryEndedByItself() {
        guard discovery.phase == .on, state == .poweredOn else { return }
        restartDiscovery("BlueZ has ended it")
    }

    private mutating func watchDiscovery() {
        timers.cancel(.watchDiscovery)
        timers.set(.watchDiscovery, at: now + discovery.silence)
    }

    /// Nothing was heard for so long that discovery may have died: it is started anew, ever less often.
    mutating func discoveryIsSilent() {
        guard discovery.phase == .on, let adapter else { return }
        discovery.restarts += 1
        trace(
            .notice,
            "nothing was heard for \(Int(discovery.silence.seconds)) s, discovery is started anew (\(discovery.restarts) so far)"
        )
        discovery.silence = min(discovery.silence * 2, Discovery.longestSilence)
        discovery.phase = .stopping
        call(adapter, BlueZName.adapter, "StopDiscovery", then: .stopDiscovery)
    }

    private mutating func restartDiscovery(_ why: String) {
        discovery.restarts += 1
        trace(.notice, "\(why), discovery is started anew (\(discovery.restarts) so far)")
        discovery.phase = .off
        timers.cancel(.watchDiscovery)
        timers.set(.discover, at: now + .milliseconds(500))
    }

    // MARK: - What is heard

    /// BlueZ has a device that it didn't have.
    mutating func deviceCame(_ path: String) {
        guard let properties = objects[path, BlueZName.device] else { return }
        deviceHeard(path, properties)
        guard let peer = peer(at: path), attempts[peer]?.phase == .finding else { return }
        callConnect(peer, path)
    }

    /// A device's properties have changed; those of advertisements make it a report.
    mutating func deviceHeard(_ path: String, _ changed: DBusProperties) {
        let isReport = Self.advertised.contains { changed[$0] != nil }
        guard isReport, objects[path, BlueZName.device]?["RSSI"] != nil else { return }
        if discovery.phase == .on {
            discovery.silence = Discovery.shortestSilence
            watchDiscovery()
        }
        report(path, to: scanningSessions)
    }

    private static let advertised = ["RSSI", "ManufacturerData", "ServiceData", "UUIDs", "TxPower", "Name"]

    private mutating func report(_ path: String, to sessions: [SessionID]) {
        guard !sessions.isEmpty, let properties = objects[path, BlueZName.device], let peer = peer(at: path) else {
            return
        }
        let advertisement = Advertisement(device: properties)
        var device = heard[peer] ?? HeardDevice(advertisement: advertisement)
        device.receive(advertisement)
        heard[peer] = device
        if let name = advertisement.localName, links[peer] == nil {
            store.setAdvertisedName(name, of: peer)
            saveSoon()
        }
        // 127: not available. [contract 30]
        let rssi = properties["RSSI"]?.number.flatMap(Int8.init(exactly:)) ?? 127
        for id in sessions {
            let admitted = self.sessions.update(id) { session in
                session.scan?.admits(peer, revision: device.revision, device.advertisement)
            }
            guard case .some(.some(let advertisement)) = admitted else { continue }
            emit(.discovered(peer, name: store.name(of: peer), advertisement, rssi: rssi), to: id)
        }
    }
}
