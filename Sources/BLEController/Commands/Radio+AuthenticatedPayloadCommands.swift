import BLEWire

/// Commands for the authenticated payload time-out of a link. [Vol 4, Part E, 7.3.93]
extension Radio {
    mutating func executeAuthenticatedPayload(
        _ command: HCICommand, _ controller: Int, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .readAuthenticatedPayloadTimeout(let command):
            let end = controllers[controller].links[command.handle.rawValue]
            complete(
                command,
                .init(
                    status: end == nil ? .unknownConnectionIdentifier : .success, handle: command.handle,
                    timeout: end.map { ends[$0].authenticatedPayload.timeoutUnits } ?? 0),
                controller, into: &out)
        case .writeAuthenticatedPayloadTimeout(let command):
            let status = write(command, controller)
            complete(command, command.handle, status, controller, into: &out)
        default: return false
        }
        return true
    }

    /// Not shorter than the time in which the peer must be heard. [Vol 4, Part E, 7.3.94]
    private mutating func write(_ command: HCIWriteAuthenticatedPayloadTimeout, _ controller: Int) -> HCIStatus {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return .unknownConnectionIdentifier
        }
        let silence = ends[end].timing.interval * (Int64(ends[end].timing.latency) + 1)
        guard silence <= .milliseconds(Int64(command.timeout) * 10) else { return .invalidParameters }
        ends[end].authenticatedPayload.timeoutUnits = command.timeout
        armTimer(end)
        return .success
    }
}
