import BLEWire

/// Commands that encrypt links. [Vol 4, Part E, 7.8.24]
extension Radio {
    mutating func executeEncryption(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leEnableEncryption(let command): enableEncryption(command, controller, at: now, into: &out)
        case .leLongTermKeyRequestReply(let command):
            let end = controllers[controller].links[command.handle.rawValue]
            let status = replyStatus(end)
            complete(command, command.handle, status, controller, into: &out)
            guard status == .success, let end else { return true }
            ends[end].startEncryption(with: command.longTermKey, at: now)
            armTimer(end)
        case .leLongTermKeyRequestNegativeReply(let command):
            let end = controllers[controller].links[command.handle.rawValue]
            let status = replyStatus(end)
            complete(command, command.handle, status, controller, into: &out)
            guard status == .success, let end else { return true }
            ends[end].refuseEncryption(at: now, into: &linkEvents)
            handleEvents(of: end, at: now, into: &out)
            armTimer(end)
        default: return false
        }
        return true
    }

    /// Only a link whose host was asked has an answer to give.
    private func replyStatus(_ end: Int?) -> HCIStatus {
        guard let end else { return .unknownConnectionIdentifier }
        return ends[end].role == .peripheral && ends[end].encryption.step == .longTermKey
            ? .success : .commandDisallowed
    }

    /// Only the central encrypts, and does so once at a time. [Vol 4, Part E, 7.8.24]
    private mutating func enableEncryption(
        _ command: LEEnableEncryption, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return accept(command, .unknownConnectionIdentifier, controller, into: &out)
        }
        guard ends[end].role == .central, !ends[end].procedures.encrypts else {
            return accept(command, .commandDisallowed, controller, into: &out)
        }
        accept(command, .success, controller, into: &out)
        let request = LLEncReq(
            random: command.random, diversifier: command.encryptedDiversifier,
            sessionKeyDiversifier: controllers[controller].keys.next(),
            initializationVector: UInt32(truncatingIfNeeded: controllers[controller].keys.next()))
        let wish = EncryptionWish(request: request, longTermKey: command.longTermKey)
        start(.encryption(wish), end, at: now, into: &out)
    }
}

extension Procedures {
    /// Whether encryption was asked for and isn't done.
    fileprivate var encrypts: Bool {
        if case .encryption = active { return true }
        return waiting.contains { if case .encryption = $0 { true } else { false } }
    }
}
