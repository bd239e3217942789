import BLEWire

// Answers to commands. [Vol 4, Part E, 4.4]
extension HostMachine {
    /// HCI_Command_Complete. [Vol 4, Part E, 7.7.14]
    mutating func commandCompleted(_ event: HCICommandComplete, at now: Instant, into out: inout [HostOutput]) {
        guard let command = commands.answered(event.opcode, credits: event.allowedCommands) else {
            return unasked(event.opcode, into: &out)
        }
        answered(command, event: event, status: event.status, at: now, into: &out)
    }

    /// HCI_Command_Status: either the command is refused, or its result comes by an event. [Vol 4, Part E, 7.7.15]
    mutating func commandStatus(_ event: HCICommandStatus, at now: Instant, into out: inout [HostOutput]) {
        guard let command = commands.answered(event.opcode, credits: event.allowedCommands) else {
            return unasked(event.opcode, into: &out)
        }
        answered(command, event: nil, status: event.status, at: now, into: &out)
    }

    private mutating func unasked(_ opcode: HCIOpcode, into out: inout [HostOutput]) {
        // That of no command only brings credits.
        if opcode != .nop {
            trace(.warning, "hci", "an answer to \(Hex.prefixed(opcode.rawValue)), which wasn't asked", into: &out)
        }
    }

    private mutating func answered(
        _ command: CommandQueue.Command, event: HCICommandComplete?, status: HCIStatus, at now: Instant,
        into out: inout [HostOutput]
    ) {
        switch command.purpose {
        case .powerOn(let step):
            guard power.phase == .starting(step) else { return }
            powerOnAnswered(step, event, status: status, at: now, into: &out)
        case .powerOffReset: stopped(at: now, into: &out)
        case .setScanParameters, .enableScan, .disableScan:
            scanAnswered(command.purpose, status: status, at: now, into: &out)
        case .setAdvertisingParameters, .setAdvertisingAddress, .setAdvertisingData, .setScanResponseData,
            .enableAdvertising, .disableAdvertising:
            advertisingAnswered(command.purpose, status: status, into: &out)
        case .removeFromAcceptList, .addToAcceptList, .createConnection, .cancelConnection:
            connectingAnswered(command.purpose, status: status, at: now, into: &out)
        case .createSync, .cancelSync: periodicAnswered(command.purpose, status: status, at: now, into: &out)
        case .privacy: privacyAnswered(status: status, at: now, into: &out)
        case .readRSSI(let handle): rssiAnswered(handle, event, status: status, into: &out)
        case .readRemoteFeatures, .disconnect, .updateConnection, .setPHY, .setDataLength, .encrypt,
            .reply:
            if status != .success { linkCommandRefused(command, status: status, at: now, into: &out) }
        }
    }

    /// A command about a link was refused, so that no event will follow it.
    private mutating func linkCommandRefused(
        _ command: CommandQueue.Command, status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        let opcode = Hex.prefixed(command.opcode.rawValue)
        trace(.notice, "hci", "the controller refuses \(opcode): \(status.text)", into: &out)
        switch command.purpose {
        case .readRemoteFeatures(let handle):
            guard let index = links.index(of: handle) else { break }
            linkEstablished(at: index, at: now, into: &out)
        case .disconnect(let handle):
            guard let index = links.index(of: handle) else { break }
            if status == .unknownConnectionIdentifier {
                // The controller has forgotten it already.
                disconnected(handle, reason: .unspecifiedError, at: now, into: &out)
            } else {
                links.all[index].isEnding = false
            }
        case .updateConnection(let handle):
            updateRefused(handle, status: status, at: now, into: &out)
        case .encrypt(let handle): encryptionEnded(handle, status: status, isOn: false, at: now, into: &out)
        case .setPHY(let handle, asked: true): tellPHYs(handle, into: &out)
        default: break
        }
    }
}
