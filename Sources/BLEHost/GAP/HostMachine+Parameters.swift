import BLEWire

// Connection parameters: asked for by the user, and by peers.
extension HostMachine {
    mutating func updateConnection(
        _ handle: ConnectionHandle, _ parameters: ConnectionParameters, at now: Instant,
        into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else {
            let error = HostError.disconnected(.unknownConnectionIdentifier)
            return out.append(.event(.connectionUpdated(handle, error)))
        }
        guard parameters.isValid else {
            let error = HostError.invalidParameters("connection parameters out of their limits")
            return out.append(.event(.connectionUpdated(handle, error)))
        }
        links.all[index].owedUpdates += 1
        if links.all[index].info.isCentral {
            sendUpdate(parameters, on: handle)
        } else if controller.features.contains(.connectionParametersRequest),
            controller.supports(LEConnectionUpdate.self)
        {
            // The controllers settle it; if the central's can't, by L2CAP. [Vol 3, Part A, 4.20]
            links.all[index].wish = parameters
            sendUpdate(parameters, on: handle)
        } else {
            links.all[index].signalling.append(parameters)
            sendSignalling(linkAt: index, at: now, into: &out)
        }
    }

    private mutating func sendUpdate(_ parameters: ConnectionParameters, on handle: ConnectionHandle) {
        let command = LEConnectionUpdate(
            handle: handle, intervalMinimum: parameters.intervalMinimum, intervalMaximum: parameters.intervalMaximum,
            latency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout)
        send(command, for: .updateConnection(handle))
    }

    /// The controller didn't begin with an update, or it failed.
    mutating func updateRefused(
        _ handle: ConnectionHandle, status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle) else { return }
        if let wish = links.all[index].wish {
            links.all[index].wish = nil
            let lacks: [HCIStatus] = [
                .unknownCommand, .commandDisallowed, .unsupportedFeature, .unsupportedRemoteFeature,
                .unsupportedLLParameter,
            ]
            if lacks.contains(status) {
                trace(.info, "gap", "\(handle) asks for its parameters by L2CAP", into: &out)
                links.all[index].signalling.append(wish)
                return sendSignalling(linkAt: index, at: now, into: &out)
            }
        }
        answerUpdate(linkAt: index, .hci(status), into: &out)
    }

    mutating func answerUpdate(linkAt index: Int, _ error: HostError?, into out: inout [HostOutput]) {
        guard links.all[index].owedUpdates > 0 else { return }
        links.all[index].owedUpdates -= 1
        out.append(.event(.connectionUpdated(links.all[index].handle, error)))
    }

    /// HCI_LE_Connection_Update_Complete. [Vol 4, Part E, 7.7.65.3]
    mutating func connectionUpdateCompleted(
        _ event: LEConnectionUpdateComplete, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: event.handle) else { return }
        guard event.status == .success else {
            return updateRefused(event.handle, status: event.status, at: now, into: &out)
        }
        links.all[index].wish = nil
        links.all[index].info.interval = event.interval
        links.all[index].info.latency = event.latency
        links.all[index].info.supervisionTimeout = event.supervisionTimeout
        if links.all[index].owedUpdates > 0 {
            answerUpdate(linkAt: index, nil, into: &out)
        } else {
            out.append(.event(.connectionUpdated(event.handle, nil)))
        }
    }

    /// HCI_LE_Remote_Connection_Parameter_Request: granted or not, answered always. [Vol 4, Part E, 7.7.65.6]
    mutating func answerParameterRequest(
        _ event: LERemoteConnectionParameterRequest, into out: inout [HostOutput]
    ) {
        var asked = ConnectionParameters()
        asked.intervalMinimum = event.intervalMinimum
        asked.intervalMaximum = event.intervalMaximum
        asked.latency = event.latency
        asked.supervisionTimeout = event.supervisionTimeout
        let isCentral = links.index(of: event.handle).map { links.all[$0].info.isCentral } ?? false
        // A peripheral takes what its central wants. [Vol 6, Part B, 5.1.7]
        let policy = isCentral ? configuration.acceptedParameters : .any
        guard policy.accepts(asked) else {
            trace(.info, "gap", "\(event.handle) asks for parameters that aren't granted", into: &out)
            let command = LERemoteConnectionParameterRequestNegativeReply(
                handle: event.handle, reason: .unacceptableParameters)
            return send(command, for: .reply)
        }
        let granted = policy.granted(asked)
        let command = LERemoteConnectionParameterRequestReply(
            handle: event.handle, intervalMinimum: granted.intervalMinimum, intervalMaximum: granted.intervalMaximum,
            latency: granted.latency, supervisionTimeout: granted.supervisionTimeout)
        send(command, for: .reply)
    }

    /// A peripheral asks by L2CAP: whether it is granted; then the update is begun. [Vol 3, Part A, 4.20]
    mutating func grant(_ asked: ConnectionParameters, linkAt index: Int) -> Bool {
        guard configuration.acceptedParameters.accepts(asked) else { return false }
        sendUpdate(configuration.acceptedParameters.granted(asked), on: links.all[index].handle)
        return true
    }
}
