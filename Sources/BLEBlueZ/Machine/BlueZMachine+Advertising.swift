import BLEBackend
import BLEWire

/// What a session has on the air through BlueZ.
struct BlueZAdvertising {
    var request: AdvertisingRequest
    var path: String
    /// The answer is still to come and goes to the session.
    var isStarting = true
    /// BlueZ or the kernel has refused it with the name.
    var isNameless = false
}

// LE advertisements. [contract 110-116]
extension BlueZMachine {
    mutating func startAdvertising(_ request: AdvertisingRequest, in session: SessionID) {
        guard isReady(session, .peripheral, "advertising") else { return }
        guard sessions[session]?.advertising == nil else {
            return emit(.advertisingStarted(BackendError(.alreadyAdvertising)), to: session)
        }
        let path = "\(PublishedServices.root)/advertisement\(number())"
        let advertising = BlueZAdvertising(request: fitted(request), path: path)
        sessions.update(session) { $0.advertising = advertising }
        register(path, session)
    }

    private mutating func register(_ path: String, _ session: SessionID) {
        guard let adapter else { return }
        call(
            adapter, BlueZName.advertisingManager, "RegisterAdvertisement", [.path(path), .properties([:])],
            then: .advertisement(session, path: path))
    }

    mutating func advertisementAnswered(
        _ session: SessionID, _ path: String, _ result: Result<[DBusValue], DBusFailure>
    ) {
        guard let advertising = sessions[session]?.advertising, advertising.path == path else { return }
        switch result {
        case .success:
            sessions.update(session) { $0.advertising?.isStarting = false }
            if advertising.isStarting { emit(.advertisingStarted(nil), to: session) }
        case .failure(let failure)
        where failure.bluez == "Failed" && !advertising.isNameless && advertising.request.localName != nil:
            // Some kernels have no room for it, or take no scan response.
            trace(.notice, "BlueZ doesn't advertise with the name, it is tried without: \(failure)")
            sessions.update(session) { $0.advertising?.isNameless = true }
            register(path, session)
        case .failure(let failure):
            sessions.update(session) { $0.advertising = nil }
            var error = BackendError(local: failure)
            error.underlying = failure.text + Self.advice(failure)
            trace(.warning, "advertising didn't start: \(error.underlying ?? "")")
            if advertising.isStarting { emit(.advertisingStarted(error), to: session) }
        }
    }

    private static func advice(_ failure: DBusFailure) -> String {
        switch failure.bluez {
        case "NotPermitted": "; the adapter has no place for another advertisement: end another program's"
        case "Failed":
            "; the kernel or the controller has refused it: `btmon` shows the command, and an adapter of its own for the "
                + "program (RAVNING_ADAPTER=hci:N) does without BlueZ"
        default: ""
        }
    }

    mutating func stopAdvertising(in session: SessionID) {
        guard let advertising = sessions[session]?.advertising else { return }
        sessions.update(session) { $0.advertising = nil }
        guard let adapter else { return }
        call(
            adapter, BlueZName.advertisingManager, "UnregisterAdvertisement", [.path(advertising.path)],
            then: .ignored)
    }

    /// BlueZ lets go of an advertisement by itself: what still should be advertised is registered anew.
    mutating func advertisementCalled(_ call: IncomingCall) {
        guard call.member == "Release" else { return answer(call, .unknownMethod(call)) }
        answer(call, .success([]))
        guard state == .poweredOn,
            let session = sessions.first(where: { $0.value.advertising?.path == call.path })?.key
        else { return }
        trace(.notice, "BlueZ has let go of the advertisement; it is registered anew")
        register(call.path, session)
    }

    func advertisementProperties(at path: String) -> DBusValue? {
        guard let advertising = sessions.first(where: { $0.value.advertising?.path == path })?.value.advertising else {
            return nil
        }
        let request = advertising.request
        func entry(_ name: String, _ value: DBusValue) -> DBusValue.Entry { .init(.string(name), .variant(value)) }
        var entries = [
            entry("Type", .string(request.isConnectable ? "peripheral" : "broadcast")),
            entry("ServiceUUIDs", .strings(request.services.map(\.bluez))),
        ]
        if let name = request.localName, !advertising.isNameless { entries.append(entry("LocalName", .string(name))) }
        // Whoever pairs or looks for it sees it as a phone's: generally discoverable. A beacon may not say so.
        if request.isConnectable { entries.append(entry("Discoverable", .bool(true))) }
        if let data = request.manufacturerData, data.count >= 2 {
            let company = UInt16(data[0]) | UInt16(data[1]) << 8
            let item = DBusValue.Entry(.uint16(company), .variant(.bytes(Array(data.dropFirst(2)))))
            entries.append(entry("ManufacturerData", .dictionary(key: "q", value: "v", [item])))
        }
        if !request.serviceData.isEmpty {
            let items = request.serviceData.map { DBusValue.Entry(.string($0.uuid.bluez), .variant(.bytes($0.data))) }
            entries.append(entry("ServiceData", .dictionary(key: "s", value: "v", items)))
        }
        return .dictionary(key: "s", value: "v", entries)
    }

    /// What has room: BlueZ refuses all of what is too long. Flags take 3 octets of 31; the name is in the scan response.
    private mutating func fitted(_ request: AdvertisingRequest) -> AdvertisingRequest {
        var fitted = request
        fitted.services = []
        var room = 28
        if let data = request.manufacturerData { room -= 2 + data.count }
        for data in request.serviceData { room -= 2 + data.uuid.littleEndian.count + data.data.count }
        var widths: Set<BluetoothUUID.Width> = []
        for service in request.services {
            // BlueZ makes the shortest form of each, in a list for each width.
            let width: BluetoothUUID.Width =
                service.short16 != nil ? .bits16 : service.short32 != nil ? .bits32 : .bits128
            let length = width.rawValue / 8 + (widths.contains(width) ? 0 : 2)
            guard length <= room else { continue }
            room -= length
            widths.insert(width)
            fitted.services.append(service)
        }
        let omitted = request.services.filter { !fitted.services.contains($0) }
        if !omitted.isEmpty {
            let list = omitted.map(\.description).joined(separator: ", ")
            trace(.warning, "services left out of the advertisement, which has no room for them: \(list)")
        }
        if let name = request.localName, name.utf8.count > 29 {
            var short = name
            while short.utf8.count > 29 { short.removeLast() }
            fitted.localName = short
            trace(.notice, "the name is cut to \"\(short)\" in the advertisement")
        }
        return fitted
    }

    // MARK: - What BlueZ can't do

    mutating func setLatency(_ latency: ConnectionLatency, of peer: PeerID) {
        traceOnce(.notice, "BlueZ sets no connection parameters for programs: setDesiredConnectionLatency does nothing")
    }

    mutating func refuseToFollow(_ id: FollowID, in session: SessionID) {
        let error = BackendError(
            .operationNotSupported, underlying: "BlueZ: periodic advertising can't be followed over BlueZ")
        emit(.periodic(id, .ended(error)), to: session)
    }

    private static let noChannels = BackendError(
        .operationNotSupported, underlying: "BlueZ: L2CAP channels aren't opened over BlueZ")

    mutating func openChannel(_ psm: UInt16, to peer: PeerID, in session: SessionID) {
        emit(.channelOpened(peer, psm: psm, .failure(Self.noChannels)), to: session)
    }

    mutating func publishChannel(encrypted isEncrypted: Bool, in session: SessionID) {
        emit(.channelPublished(.failure(Self.noChannels)), to: session)
    }

    mutating func unpublishChannel(_ psm: UInt16, in session: SessionID) {
        emit(.channelUnpublished(psm: psm, Self.noChannels), to: session)
    }
}
