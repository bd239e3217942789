import BLEWire

/// The keys of a link from now on, for who wants to read a capture of the air.
package struct SessionKeys: Hashable, Sendable {
    package var accessAddress: UInt32
    package var longTermKey: UInt128
    /// SKD: the peripheral's part is the upper half. [Vol 6, Part B, 5.1.3.1]
    package var diversifier: UInt128
    /// IV: the peripheral's part is the upper half. [Vol 6, Part B, 5.1.3.1]
    package var initializationVector: UInt64
}

/// What encryption means for hosts. [Vol 6, Part B, 5.1.3]
extension Radio {
    /// The peer wants to encrypt: LL_ENC_RSP has what this controller draws, and the host is asked for the key.
    mutating func answerEncryption(of end: Int, at now: Instant, into out: inout [RadioOutput]) {
        let controller = ends[end].owner
        ends[end].answerEncryption(
            LLEncRsp(
                sessionKeyDiversifier: controllers[controller].keys.next(),
                initializationVector: UInt32(truncatingIfNeeded: controllers[controller].keys.next())))
        // Who can't be asked has no key. [Vol 4, Part E, 7.7.65.5]
        guard controllers[controller].host.allows(.longTermKeyRequest) else {
            ends[end].refuseEncryption(at: now, into: &linkEvents)
            return armTimer(end)
        }
        let request = ends[end].encryption.request
        send(
            .leLongTermKeyRequest(
                LELongTermKeyRequest(
                    handle: ends[end].handle, random: request.random, encryptedDiversifier: request.diversifier)),
            .longTermKeyRequest, to: controller, into: &out)
        armTimer(end)
    }

    /// Keys leave a radio only where its settings say so.
    mutating func exportKeys(of end: Int, into out: inout [RadioOutput]) {
        guard air.settings.exportsKeys else { return }
        let encryption = ends[end].encryption
        out.append(
            .keys(
                SessionKeys(
                    accessAddress: links[end / 2].accessAddress, longTermKey: encryption.longTermKey,
                    diversifier: encryption.diversifier, initializationVector: encryption.vector)))
    }

    mutating func tellEncryption(_ status: HCIStatus, isOn: Bool, of end: Int, into out: inout [RadioOutput]) {
        let event = HCIEncryptionChange(status: status, handle: ends[end].handle, isEnabled: isOn ? 1 : 0)
        send(.encryptionChange(event), .encryptionChange, to: ends[end].owner, into: &out)
    }

    /// Only who asks for it by the second event mask hears of it. [Vol 4, Part E, 7.7.75]
    mutating func tellPayloadTimeout(of end: Int, into out: inout [RadioOutput]) {
        let controller = ends[end].owner
        guard controllers[controller].host.eventMaskPage2.contains(.authenticatedPayloadTimeoutExpired) else { return }
        let event = HCIAuthenticatedPayloadTimeoutExpired(handle: ends[end].handle)
        out.append(
            .packet(ControllerID(rawValue: controller), HCIEvent.authenticatedPayloadTimeoutExpired(event).packet()))
    }

    mutating func tellKeyRefresh(of end: Int, into out: inout [RadioOutput]) {
        let event = HCIEncryptionKeyRefreshComplete(status: .success, handle: ends[end].handle)
        send(.encryptionKeyRefreshComplete(event), .encryptionKeyRefreshComplete, to: ends[end].owner, into: &out)
    }
}
