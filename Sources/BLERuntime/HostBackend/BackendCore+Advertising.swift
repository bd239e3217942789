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
        timers.cancel(.advertiseAgain)
        ask(.stopAdvertising)
    }

    /// Puts what all sessions want on the air: their services in the order in which the managers were made, and the first
    /// name.
    mutating func advertise() {
        timers.cancel(.advertiseAgain)
        guard sessions.contains(where: { $0.value.advertising != nil }) else { return }
        var request = AdvertisingRequest()
        for advertising in sessions.values.compactMap(\.advertising) {
            request.localName = request.localName ?? advertising.request.localName
            for uuid in advertising.request.services where !request.services.contains(uuid) {
                request.services.append(uuid)
            }
            request.manufacturerData = request.manufacturerData ?? advertising.request.manufacturerData
            request.serviceData += advertising.request.serviceData
        }
        request.isConnectable = sessions.contains { $0.value.advertising?.request.isConnectable == true }
        let layout = AdvertisementLayout(request, profile, isInBackground: isInBackground)
        if let report = layout.report(of: request) { trace(.notice, "gap", report) }
        var settings = AdvertisingSettings()
        settings.intervalMinimum = profile.advertisingInterval
        settings.intervalMaximum = profile.advertisingInterval
        settings.data = layout.data
        settings.scanResponse = layout.scanResponse
        settings.isConnectable = request.isConnectable
        settings.isScannable = request.isConnectable || !layout.scanResponse.isEmpty
        ask(.startAdvertising(settings))
    }

    mutating func advertisingStarted(_ error: HostError?) {
        // Only we cancel: by stopping, or by another start whose answer follows.
        guard error != .cancelled else { return }
        var error = error
        if let refusal = error, refusal.isForWantOfRoom, !links.isEmpty {
            // Like a phone that is connected: the program advertises, and is heard when there's room for a link.
            trace(.info, "gap", "advertising begins when a link has ended: \(refusal.text)")
            timers.set(.advertiseAgain, at: .never)
            error = nil
        }
        for id in sessions.keys {
            guard let advertising = sessions[id]?.advertising else { continue }
            guard advertising.isStarting || error != nil else { continue }
            sessions.update(id) { session in
                if error == nil { session.advertising?.isStarting = false } else { session.advertising = nil }
            }
            guard advertising.isStarting else { continue }
            emit(.advertisingStarted(error.map { BackendError(local: $0) }), to: id)
        }
    }

    /// The host gave advertising up after it had begun: tried again, since programs believe that they advertise.
    mutating func advertisingEnded() {
        guard sessions.contains(where: { $0.value.advertising != nil }) else { return }
        trace(.notice, "gap", "advertising has ended; it's tried again in a second")
        timers.cancel(.advertiseAgain)
        timers.set(.advertiseAgain, at: now + .seconds(1))
    }

    /// A link has ended: what waited for room may begin.
    mutating func roomForAdvertising() {
        if timers.contains(.advertiseAgain) { advertise() }
    }
}

extension HostError {
    fileprivate var isForWantOfRoom: Bool {
        switch self {
        case .hci(.commandDisallowed), .hci(.connectionLimitExceeded), .hci(.rejectedLimitedResources): true
        default: false
        }
    }
}
