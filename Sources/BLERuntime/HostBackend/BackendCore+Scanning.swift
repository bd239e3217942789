import BLEBackend
import BLEHost
import BLEWire

// One scan for all sessions. [contract 18-31]
extension BackendCore {
    mutating func startScan(_ request: ScanRequest, in session: SessionID) {
        guard isReady(session, .central, "scan") else { return }
        sessions.update(session) { $0.scan = SessionScan(request) }
        guard !isScanning else { return }
        isScanning = true
        var settings = profile.scan
        // The controller's filter would hide data that changes; each session filters for itself.
        settings.filterDuplicates = false
        ask(.startScanning(settings))
    }

    mutating func stopScan(in session: SessionID) {
        sessions.update(session) { $0.scan = nil }
        guard isScanning, !sessions.contains(where: { $0.value.scan != nil }) else { return }
        isScanning = false
        timers.cancel(.scanAgain)
        ask(.stopScanning)
    }

    /// A scan that can't be started now is tried again: the program was told that it scans.
    mutating func scanStarted(_ error: HostError?) {
        guard let error, error != .cancelled else { return }
        trace(.warning, "gap", "scanning didn't start, trying again in a second: \(error)")
        if isScanning, !timers.contains(.scanAgain) { timers.set(.scanAgain, at: now + .seconds(1)) }
    }

    mutating func scanAgain() {
        if isScanning { ask(.startScanning(profile.scan)) }
    }

    mutating func received(_ report: AdvertisingReport) {
        guard isScanning else { return }
        var advertiser = advertisers[report.address] ?? Advertiser(peer: store.peer(at: report.address))
        let hasOtherTrain = advertiser.noteTrain(of: report)
        let isChanged = advertiser.receive(
            report.data, isScanResponse: report.isScanResponse, isConnectable: report.isConnectable)
        if isChanged || hasOtherTrain {
            advertisers[report.address] = advertiser
            if let name = advertiser.merged.localName { store.setAdvertisedName(name, of: advertiser.peer) }
            saveSoon()
        }
        for index in sessions.entries.indices {
            guard
                let advertisement = sessions.entries[index].value.scan?.admits(
                    advertiser.peer, revision: advertiser.revision, advertiser.merged,
                    isInBackground: isInBackground)
            else { continue }
            let name = store.name(of: advertiser.peer)
            emit(
                .discovered(advertiser.peer, name: name, advertisement, rssi: report.rssi),
                to: sessions.entries[index].key)
        }
    }

    /// How many devices that were heard are remembered, with what they say.
    package var heardCount: Int { advertisers.count }

    /// Whether a session of the role may ask for something now. Managers look before they ask, so that it's only a race
    /// that gets here: nothing is answered. [contract 5]
    mutating func isReady(_ session: SessionID, _ role: SessionRole, _ what: StaticString) -> Bool {
        guard let known = sessions[session], known.role == role else { return false }
        if state != .poweredOn { trace(.debug, "api", "\(what) ignored: the state is \(state)") }
        return state == .poweredOn
    }
}
