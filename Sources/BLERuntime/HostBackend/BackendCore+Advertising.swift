import BLEBackend
import BLEHost
import BLEWire

// One advertisement for all sessions. [contract 110-116]
extension BackendCore {
    mutating func startAdvertising(_ request: AdvertisingRequest, in session: SessionID) {
        guard isReady(session, .peripheral, "advertising") else { return }
        guard sessions[session]?.advertising == nil else {
            return emit(.advertisingStarted(BackendError(.alreadyAdvertising)), to: session)
        }
        sessions.update(session) { $0.advertising = SessionAdvertising(request: request) }
        advertise()
    }

    mutating func stopAdvertising(in session: SessionID) {
        guard sessions[session]?.advertising != nil else { return }
        sessions.update(session) { $0.advertising = nil }
        if sessions.contains(where: { $0.value.advertising != nil }) { return advertise() }
        isAdvertising = false
        ask(.stopAdvertising)
    }

    /// Puts what all sessions want on the air: their services in the order in which the managers were made, and the first
    /// name.
    private mutating func advertise() {
        var request = AdvertisingRequest()
        for advertising in sessions.values.compactMap(\.advertising) {
            request.localName = request.localName ?? advertising.request.localName
            for uuid in advertising.request.services where !request.services.contains(uuid) {
                request.services.append(uuid)
            }
        }
        let layout = AdvertisementLayout(request, profile)
        if let report = layout.report(of: request) { trace(.notice, "gap", report) }
        var settings = AdvertisingSettings()
        settings.intervalMinimum = profile.advertisingInterval
        settings.intervalMaximum = profile.advertisingInterval
        settings.data = layout.data
        settings.scanResponse = layout.scanResponse
        if isAdvertising { ask(.stopAdvertising) }
        isAdvertising = true
        ask(.startAdvertising(settings))
    }

    mutating func advertisingStarted(_ error: HostError?) {
        if error != nil { isAdvertising = false }
        for id in sessions.keys {
            guard let advertising = sessions[id]?.advertising else { continue }
            guard advertising.isStarting else { continue }
            sessions.update(id) { session in
                if error == nil { session.advertising?.isStarting = false } else { session.advertising = nil }
            }
            emit(.advertisingStarted(error.map { BackendError(local: $0) }), to: id)
        }
    }
}
