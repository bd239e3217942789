package import BLEHost
package import BLEWire

// What the one who plays a light peripheral can do with it.
extension Simulation {
    /// Answers a read with the value from its start; the part that was asked for is cut out here.
    package mutating func answerRead(
        _ device: DeviceID, _ link: ConnectionHandle, _ request: GATTRequestID, offset: Int,
        _ result: Result<[UInt8], ATTErrorCode.Failure>, into out: inout [SimulationOutput]
    ) {
        switch result {
        case .success(let value):
            command(LightPeripheral.answer(link, request, value, offset: offset), to: device, into: &out)
        case .failure(let failure):
            command(.respond(link, request, failure.code, value: []), to: device, into: &out)
        }
    }

    /// Answers writes, and takes their values if they're granted.
    package mutating func answerWrite(
        _ device: DeviceID, _ link: ConnectionHandle, _ request: GATTRequestID, _ writes: [LightPeripheralEvent.Write],
        needsResponse: Bool, _ result: ATTErrorCode, into out: inout [SimulationOutput]
    ) {
        var answer = result
        withPeripheral(of: device, into: &out) { peripheral, _, outputs in
            if result == .success { answer = peripheral.store(writes) }
            if needsResponse { outputs.commands.append(.respond(link, request, answer, value: [])) }
            if answer == .success { outputs.events.append(.written(link, writes)) }
        }
    }

    package mutating func setValue(_ value: [UInt8], of characteristic: Int, on device: DeviceID) {
        guard let place = place(ofPeripheral: device) else { return }
        peripherals[place].setValue(value, of: characteristic)
    }

    /// Keeps the value and sends it to everyone who subscribed.
    package mutating func notify(
        _ value: [UInt8], of characteristic: Int, on device: DeviceID, into out: inout [SimulationOutput]
    ) {
        withPeripheral(of: device, into: &out) { $0.notify(value, of: characteristic, into: &$2) }
    }

    /// Advertises from now on when it can; nil settings are those it had.
    package mutating func startAdvertising(
        _ settings: AdvertisingSettings?, on device: DeviceID, into out: inout [SimulationOutput]
    ) {
        withPeripheral(of: device, into: &out) { $0.startAdvertising(settings, into: &$2) }
    }

    package mutating func stopAdvertising(on device: DeviceID, into out: inout [SimulationOutput]) {
        withPeripheral(of: device, into: &out) { $0.stopAdvertising(into: &$2) }
    }

    /// Bonds of a light peripheral.
    package func bonds(of device: DeviceID) -> [Bond] {
        guard devices.indices.contains(device.rawValue), let host = devices[device.rawValue].host else { return [] }
        return hosts[host].bonds
    }

    /// Forgets all bonds of a light peripheral; links to those peers end.
    package mutating func removeBonds(of device: DeviceID, into out: inout [SimulationOutput]) {
        for bond in bonds(of: device) { command(.removeBond(bond.peer), to: device, into: &out) }
    }

    /// How a light peripheral pairs from now on.
    package mutating func setPairing(
        _ policy: PairingPolicy, of device: DeviceID, into out: inout [SimulationOutput]
    ) {
        command(.setPairingPolicy(policy), to: device, into: &out)
    }

    /// Ends every link of a light peripheral.
    package mutating func disconnectAll(
        _ device: DeviceID, reason: HCIStatus = .remoteUserTerminated, into out: inout [SimulationOutput]
    ) {
        guard let place = place(ofPeripheral: device) else { return }
        for link in peripherals[place].connectedLinks {
            command(.disconnect(link, reason: reason), to: device, into: &out)
        }
    }
}

extension ATTErrorCode {
    /// The code as an error, for results.
    package struct Failure: Error, Equatable, Sendable {
        package var code: ATTErrorCode
        package init(_ code: ATTErrorCode) { self.code = code }
    }
}
