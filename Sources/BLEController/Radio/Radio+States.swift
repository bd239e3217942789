package import BLEWire

/// What the link layers are doing, for people and tests.
extension Radio {
    /// What the link layer of a controller is doing.
    package func linkLayerState(of id: ControllerID) -> LinkLayerState {
        isPresent(id.rawValue) ? controllers[id.rawValue].state : .standby
    }

    /// The links of a controller by their handles.
    package func linkHandles(of id: ControllerID) -> [ConnectionHandle] {
        guard isPresent(id.rawValue) else { return [] }
        return controllers[id.rawValue].links.handles.map(ConnectionHandle.init(rawValue:))
    }

    /// Tells the state of a controller where it has changed since it was told last.
    mutating func tellState(of controller: Int, into out: inout [RadioOutput]) {
        let state = controllers[controller].state
        guard state != controllers[controller].toldState else { return }
        controllers[controller].toldState = state
        let id = ControllerID(rawValue: controller)
        out.append(.state(id, state))
        out.append(.trace(id, TraceEvent(.info, "ll", "\(controllers[controller].profile.name): \(state)")))
    }

    func trace(
        _ level: TraceEvent.Level, _ controller: Int, _ message: @autoclosure () -> String,
        into out: inout [RadioOutput]
    ) {
        out.append(.trace(ControllerID(rawValue: controller), TraceEvent(level, "ll", message())))
    }

    /// Puts a packet out for the capture. `octets` ends with its CRC.
    func capture(
        _ octets: [UInt8], from start: Instant, channel: UInt8, phy: PhysicalLayer, accessAddress: UInt32,
        crcInit: UInt32, rssi: Int8, _ direction: AirPacket.Direction, into out: inout [RadioOutput]
    ) {
        guard air.settings.capturesAir, octets.count >= 3 else { return }
        out.append(
            .air(
                AirPacket(
                    time: start, channel: channel, phy: phy, accessAddress: accessAddress,
                    pdu: Array(octets.dropLast(3)), crc: CRC24.received(octets),
                    isCRCValid: CRC24.isValid(octets, initial: crcInit), rssi: rssi, direction: direction)))
    }
}
