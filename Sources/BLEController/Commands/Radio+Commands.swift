package import BLEWire

/// The controllers' side of the HCI: packets of hosts. [Vol 4, Part E, 4]
///
/// Each command is answered at once; a host may have one outstanding.
extension Radio {
    /// A packet from the host of a controller: H4 indicator first. Any octets have a defined result.
    package mutating func receive(
        _ packet: [UInt8], from id: ControllerID, at now: Instant, into out: inout [RadioOutput]
    ) {
        let controller = id.rawValue
        guard isPresent(controller) else { return }
        defer { nextDeadline = schedule.nextTime }
        do throws(WireError) {
            switch try HCIPacket(decoding: packet) {
            case .aclData(let data): receiveData(data, from: controller, into: &out)
            case .command(let command): execute(command, of: controller, at: now, into: &out)
            case .malformedCommand(let opcode, let error):
                trace(.warning, controller, "command \(opcode): \(error)", into: &out)
                let isKnown = controllers[controller].profile.supports(opcode)
                refuse(opcode, isKnown ? .invalidParameters : .unknownCommand, controller, into: &out)
            case .event, .other:
                trace(.warning, controller, "a packet that isn't for a controller", into: &out)
            }
        } catch {
            // Where a UART has lost its place, a controller says so. [Vol 4, Part A, 4]
            trace(.warning, controller, "no packet: \(error)", into: &out)
            send(.hardwareError(HCIHardwareError()), .hardwareError, to: controller, into: &out)
        }
    }

    private mutating func execute(
        _ command: HCICommand, of controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard controllers[controller].profile.supports(command.opcode) else {
            return refuse(command.opcode, .unknownCommand, controller, into: &out)
        }
        guard controllers[controller].mayUse(command.opcode) else {
            return refuse(command.opcode, .commandDisallowed, controller, into: &out)
        }
        let handled =
            executeBaseband(command, controller, at: now, into: &out)
            || executeInformational(command, controller, into: &out)
            || executeLEBasic(command, controller, into: &out)
            || executeAdvertising(command, controller, at: now, into: &out)
            || executeScanning(command, controller, at: now, into: &out)
            || executeAdvertisingSets(command, controller, at: now, into: &out)
            || executePeriodic(command, controller, at: now, into: &out)
            || executeExtendedScanning(command, controller, at: now, into: &out)
            || executeExtendedConnecting(command, controller, at: now, into: &out)
            || executeConnecting(command, controller, at: now, into: &out)
            || executeLink(command, controller, at: now, into: &out)
            || executeEncryption(command, controller, at: now, into: &out)
            || executeAuthenticatedPayload(command, controller, into: &out)
            || executeKeys(command, controller, into: &out)
            || executePrivacy(command, controller, at: now, into: &out)
            || executeCapacity(command, controller, at: now, into: &out)
        if !handled { refuse(command.opcode, .unknownCommand, controller, into: &out) }
    }

    // MARK: Answers

    /// Refuses a command in the form of its answer. [Vol 4, Part E, 4.4]
    private mutating func refuse(
        _ opcode: HCIOpcode, _ status: HCIStatus, _ controller: Int, into out: inout [RadioOutput]
    ) {
        if status == .unknownCommand || ControllerProfile.isAnsweredByStatus(opcode) {
            answer(HCICommandStatus(status: status, opcode: opcode), controller, into: &out)
        } else {
            answer(HCICommandComplete(opcode: opcode, returnParameters: [status.rawValue]), controller, into: &out)
        }
    }

    func answer(_ status: HCICommandStatus, _ controller: Int, into out: inout [RadioOutput]) {
        out.append(.packet(ControllerID(rawValue: controller), HCIEvent.commandStatus(status).packet()))
    }

    func answer(_ complete: HCICommandComplete, _ controller: Int, into out: inout [RadioOutput]) {
        out.append(.packet(ControllerID(rawValue: controller), HCIEvent.commandComplete(complete).packet()))
    }

    /// Command Status for a command that goes on, or doesn't.
    func accept<Command: HCICommandPDU>(
        _ command: Command, _ status: HCIStatus, _ controller: Int, into out: inout [RadioOutput]
    ) {
        out.append(.packet(ControllerID(rawValue: controller), Command.accepted(status)))
    }

    /// Command Complete with what the command returns.
    func complete<Command: HCICommandPDU>(
        _ command: Command, _ values: Command.ReturnParameters, _ controller: Int, into out: inout [RadioOutput]
    ) {
        out.append(.packet(ControllerID(rawValue: controller), Command.completed(values)))
    }

    /// Command Complete for a command that returns a status only.
    func complete<Command: HCICommandPDU>(
        _ command: Command, _ status: HCIStatus, _ controller: Int, into out: inout [RadioOutput]
    ) where Command.ReturnParameters == HCIStatusReturn {
        complete(command, HCIStatusReturn(status: status), controller, into: &out)
    }

    /// Command Complete with success.
    func complete<Command: HCICommandPDU>(
        _ command: Command, _ controller: Int, into out: inout [RadioOutput]
    ) where Command.ReturnParameters == HCIStatusReturn {
        complete(command, HCIStatusReturn(status: .success), controller, into: &out)
    }

    /// Command Complete for a command that returns a status and the handle that it was asked about.
    func complete<Command: HCICommandPDU>(
        _ command: Command, _ handle: ConnectionHandle, _ status: HCIStatus, _ controller: Int,
        into out: inout [RadioOutput]
    ) where Command.ReturnParameters == HCIHandleReturn {
        complete(command, HCIHandleReturn(status: status, handle: handle), controller, into: &out)
    }
}
