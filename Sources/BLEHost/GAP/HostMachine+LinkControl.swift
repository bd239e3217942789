import BLEWire

// RSSI, PHY, data length and features of a link.
extension HostMachine {
    mutating func readRSSI(_ handle: ConnectionHandle, into out: inout [HostOutput]) {
        guard let index = links.index(of: handle) else {
            return out.append(.event(.rssi(handle, .failure(.disconnected(.unknownConnectionIdentifier)))))
        }
        guard controller.supports(HCIReadRSSI.self) else {
            return out.append(.event(.rssi(handle, .failure(.hci(.unknownCommand)))))
        }
        links.all[index].owedRSSI += 1
        send(HCIReadRSSI(handle: handle), for: .readRSSI(handle))
    }

    mutating func rssiAnswered(
        _ handle: ConnectionHandle, _ event: HCICommandComplete?, status: HCIStatus, into out: inout [HostOutput]
    ) {
        // A link that is gone has told so already.
        guard let index = links.index(of: handle), links.all[index].owedRSSI > 0 else { return }
        links.all[index].owedRSSI -= 1
        let result: Result<Int8, HostError>
        if status != .success {
            result = .failure(.hci(status))
        } else if let values = try? event?.returned(by: HCIReadRSSI.self) {
            result = .success(values.rssi)
        } else {
            result = .failure(.invalidResponse("HCI_Read_RSSI returned nothing"))
        }
        out.append(.event(.rssi(handle, result)))
    }

    /// What the user asks for. [Vol 4, Part E, 7.8.33]
    mutating func setDataLength(
        _ handle: ConnectionHandle, _ octets: UInt16, _ time: UInt16, into out: inout [HostOutput]
    ) {
        guard links.index(of: handle) != nil else {
            return trace(.debug, "gap", "data length: no link \(handle)", into: &out)
        }
        guard controller.supports(LESetDataLength.self) else {
            return trace(.notice, "gap", "the controller has no LE_Set_Data_Length", into: &out)
        }
        let command = LESetDataLength(
            handle: handle, transmitOctets: min(max(octets, 27), 251), transmitTime: min(max(time, 328), 17040))
        send(command, for: .setDataLength(handle))
    }

    /// What the host asks for by itself: all that the controller can.
    mutating func requestDataLength(_ handle: ConnectionHandle) {
        guard controller.features.contains(.dataPacketLengthExtension), controller.supports(LESetDataLength.self),
            controller.maximumTransmitOctets > 27
        else { return }
        let command = LESetDataLength(
            handle: handle, transmitOctets: controller.maximumTransmitOctets,
            transmitTime: controller.maximumTransmitTime)
        send(command, for: .setDataLength(handle))
    }

    /// What the user asks for. [Vol 4, Part E, 7.8.49]
    mutating func setPHY(
        _ handle: ConnectionHandle, _ transmit: PHYSet, _ receive: PHYSet, into out: inout [HostOutput]
    ) {
        guard links.index(of: handle) != nil else {
            return trace(.debug, "gap", "PHY: no link \(handle)", into: &out)
        }
        guard controller.supports(LESetPHY.self) else { return tellPHYs(handle, into: &out) }
        // An empty set is no preference. [Vol 4, Part E, 7.8.49]
        let none: UInt8 = (transmit.isEmpty ? 1 : 0) | (receive.isEmpty ? 2 : 0)
        let command = LESetPHY(
            handle: handle, allPHYs: none, transmitPHYs: transmit.rawValue & 7, receivePHYs: receive.rawValue & 7)
        send(command, for: .setPHY(handle, asked: true))
    }

    /// What the host asks for by itself, as far as the controller can.
    mutating func requestPHYs(_ phys: PHYSet, on handle: ConnectionHandle) {
        var possible = phys
        if !controller.features.contains(.le2M) { possible.remove(.le2M) }
        if !controller.features.contains(.leCoded) { possible.remove(.leCoded) }
        guard !possible.isEmpty, possible != .le1M, controller.supports(LESetPHY.self) else { return }
        let command = LESetPHY(
            handle: handle, allPHYs: 0, transmitPHYs: possible.rawValue & 7, receivePHYs: possible.rawValue & 7)
        send(command, for: .setPHY(handle, asked: false))
    }

    mutating func phyUpdateCompleted(_ event: LEPHYUpdateComplete, into out: inout [HostOutput]) {
        guard let index = links.index(of: event.handle) else { return }
        if event.status == .success {
            links.all[index].transmitPHY = event.transmitPHY.rawValue
            links.all[index].receivePHY = event.receivePHY.rawValue
        } else {
            trace(.notice, "gap", "PHY of \(event.handle): \(event.status.text)", into: &out)
        }
        tellPHYs(event.handle, into: &out)
    }

    /// Tells which PHYs a link uses: those it had, where a change was refused.
    mutating func tellPHYs(_ handle: ConnectionHandle, into out: inout [HostOutput]) {
        guard let index = links.index(of: handle) else { return }
        let link = links.all[index]
        out.append(.event(.phyUpdated(handle, transmit: link.transmitPHY, receive: link.receivePHY)))
    }

    /// The first sign of the peer, or that it can't be had. [Vol 4, Part E, 7.7.65.4]
    mutating func remoteFeaturesRead(
        _ handle: ConnectionHandle, status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else { return }
        if status == .failedToBeEstablished || status == .connectionTimeout {
            // The end of the link follows.
            return
        }
        linkEstablished(at: index, at: now, into: &out)
    }
}
