import BLEWire

/// Controller & Baseband commands, and who the controller is. [Vol 4, Part E, 7.3]
extension Radio {
    mutating func executeBaseband(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .reset(let command):
            // Links end without a word on the air, and without events. [Vol 4, Part E, 7.3.2]
            standby(controller, at: now)
            tellState(of: controller, into: &out)
            complete(command, controller, into: &out)
        case .setEventMask(let command):
            controllers[controller].host.eventMask = command.mask
            complete(command, controller, into: &out)
        case .setEventMaskPage2(let command):
            controllers[controller].host.eventMaskPage2 = command.mask
            complete(command, controller, into: &out)
        case .leSetEventMask(let command):
            controllers[controller].host.leEventMask = command.mask
            complete(command, controller, into: &out)
        case .readTransmitPowerLevel(let command):
            let known = controllers[controller].links[command.handle.rawValue] != nil
            complete(
                command,
                .init(
                    status: known ? .success : .unknownConnectionIdentifier, handle: command.handle,
                    transmitPower: known ? controllers[controller].profile.transmitPower : 0),
                controller, into: &out)
        case .setControllerToHostFlowControl(let command): setFlowControl(command, controller, into: &out)
        case .hostBufferSize(let command): setHostBuffers(command, controller, into: &out)
        case .hostNumberOfCompletedPackets(let command): hostCompleted(command, controller, into: &out)
        case .ravningJoin(let command): join(command, controller, into: &out)
        default: return false
        }
        return true
    }

    /// Only without links, since packets that are on their way would be counted wrongly. [Vol 4, Part E, 7.3.38]
    private mutating func setFlowControl(
        _ command: HCISetControllerToHostFlowControl, _ controller: Int, into out: inout [RadioOutput]
    ) {
        guard controllers[controller].links.isEmpty else {
            return complete(command, .commandDisallowed, controller, into: &out)
        }
        controllers[controller].host.isFlowControlled = command.flowControl & 1 == 1
        complete(command, controller, into: &out)
    }

    private mutating func setHostBuffers(
        _ command: HCIHostBufferSize, _ controller: Int, into out: inout [RadioOutput]
    ) {
        guard command.aclDataPacketLength > 0, command.totalACLDataPackets > 0 else {
            return complete(command, .invalidParameters, controller, into: &out)
        }
        controllers[controller].host.bufferSize = command
        controllers[controller].host.credits = Int(command.totalACLDataPackets)
        complete(command, controller, into: &out)
    }

    /// Not answered, unless it is wrong. [Vol 4, Part E, 7.3.40]
    private mutating func hostCompleted(
        _ command: HCIHostNumberOfCompletedPackets, _ controller: Int, into out: inout [RadioOutput]
    ) {
        var isWrong = false
        for completed in command.completed {
            guard let end = controllers[controller].links[completed.handle.rawValue] else { continue }
            let count = min(Int(completed.count), ends[end].packetsAtHost)
            isWrong = isWrong || count < Int(completed.count)
            ends[end].packetsAtHost -= count
            controllers[controller].host.credits += count
        }
        if isWrong {
            let parameters = [HCIStatus.invalidParameters.rawValue]
            answer(
                HCICommandComplete(opcode: .hostNumberOfCompletedPackets, returnParameters: parameters), controller,
                into: &out)
        }
        tellRoom(controller)
    }

    /// Takes the identity that a host brings along; it holds from now on, also over HCI_Reset.
    private mutating func join(_ command: HCIRavningJoin, _ controller: Int, into out: inout [RadioOutput]) {
        guard controllers[controller].state == .standby else {
            return complete(command, .commandDisallowed, controller, into: &out)
        }
        let address = command.address
        guard !address.isRandom || address.isRandomStatic else {
            return complete(command, .invalidParameters, controller, into: &out)
        }
        controllers[controller].profile.address = address
        controllers[controller].randomAddress = address.isRandom ? address.bits : nil
        if !command.deviceName.isEmpty {
            controllers[controller].profile.name = String(decoding: command.deviceName, as: UTF8.self)
        }
        complete(command, controller, into: &out)
    }
}
