import BLEWire

extension HostMachine {
    /// Carries a command of the user out, or says why not.
    mutating func perform(_ command: HostCommand, at now: Instant, into out: inout [HostOutput]) {
        switch command {
        case .powerOn: powerOn(at: now, into: &out)
        case .powerOff: powerOff(at: now, into: &out)
        case .startScanning(let settings): startScanning(settings, at: now, into: &out)
        case .stopScanning: stopScanning(at: now, into: &out)
        case .startAdvertising(let settings): startAdvertising(settings, into: &out)
        case .stopAdvertising: stopAdvertising(into: &out)
        case .connect(let address, let settings): connect(address, settings, at: now, into: &out)
        case .cancelConnect(let address): cancelConnect(address, at: now, into: &out)
        case .followPeriodic(let token, let settings): followPeriodic(token, settings, at: now, into: &out)
        case .stopFollowing(let token): stopFollowing(token, at: now, into: &out)
        case .addService(let token, let definition):
            let result = server.addService(definition)
            out.append(.event(.serviceAdded(token, result)))
            if case .success = result { databaseChanged(at: now, into: &out) }
        case .removeService(let handle):
            if server.removeService(handle) { databaseChanged(at: now, into: &out) }
        case .setPairingPolicy(let policy): security.policy = policy
        case .setOutOfBandData(let peer, let data): security.setOutOfBandData(data, of: peer)
        case .loadBonds(let bonds): loadBonds(bonds)
        case .removeBond(let peer): removeBond(peer, into: &out)
        default:
            performOnLink(command, at: now, into: &out)
        }
    }

    /// The commands that concern one link.
    private mutating func performOnLink(_ command: HostCommand, at now: Instant, into out: inout [HostOutput]) {
        switch command {
        case .disconnect(let handle, let reason):
            guard let index = links.index(of: handle) else {
                return trace(.debug, "gap", "disconnect: no link \(handle)", into: &out)
            }
            endLink(at: index, reason: reason)
        case .readRSSI(let handle): readRSSI(handle, into: &out)
        case .updateConnection(let handle, let parameters):
            updateConnection(handle, parameters, at: now, into: &out)
        case .setPHY(let handle, let transmit, let receive): setPHY(handle, transmit, receive, into: &out)
        case .setDataLength(let handle, let octets, let time): setDataLength(handle, octets, time, into: &out)
        case .gatt(let handle, let token, let procedure):
            startProcedure(procedure, on: handle, token: token, at: now, into: &out)
        case .sendValue(let handle, let token, let attribute, let value, let indicate):
            sendValue(value, of: attribute, on: handle, indicate: indicate, token: token, at: now, into: &out)
        case .listen(let spsm, let listener):
            if (1...0xFF).contains(spsm) { listeners[spsm] = listener }
        case .stopListening(let spsm): listeners[spsm] = nil
        case .channel(let handle, let command): perform(command, on: handle, at: now, into: &out)
        case .respond(let handle, let request, let error, let value):
            respond(to: request, on: handle, error: error, value: value, at: now, into: &out)
        default: performSecurity(command, at: now, into: &out)
        }
    }
}
