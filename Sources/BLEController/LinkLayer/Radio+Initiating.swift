import BLEWire

/// Answering an advertisement with CONNECT_IND. [Vol 6, Part B, 4.4.4]
extension Radio {
    /// Answers where the advertiser is one to connect to; says whether it did. `sender` is its address on the air,
    /// `identity` who that is.
    mutating func answerConnect(
        _ header: AdvertisingHeader, _ sender: DeviceAddress, _ identity: DeviceAddress,
        _ type: LEAdvertisingReportType, by initiator: Int, advertiser: Int, at now: Instant
    ) -> Bool {
        guard advertiser >= 0, type == .connectableAndScannable || type == .directed,
            controllers[initiator].initiates(to: identity), !isLinked(initiator, with: identity),
            let own = controllers[initiator].ownAddress(
                controllers[initiator].initiator.parameters.ownAddressType, towards: identity)
        else { return false }
        // The CONNECT_IND itself takes 352 µs, and transmitWindowDelay follows. [Vol 6, Part B, 4.5.3]
        let window = now + AirTime.interFrameSpace + .microseconds(352) + Radio.transmitWindowDelay
        let connect = makeConnectInd(from: own, to: sender, by: initiator, on: .le1M, window: window)
        let packet = LLAdvertisingPacket(
            header: AdvertisingHeader(
                type: .connectInd,
                channelSelection2: controllers[initiator].profile.usesChannelSelection2 && header.channelSelection2,
                transmitterIsRandom: own.isRandom, receiverIsRandom: sender.isRandom),
            payload: .connectInd(connect))
        reply(packet, by: initiator, to: advertiser, isConnect: true, at: now)
        return true
    }

    /// Chooses everything that a new link on a PHY needs; its transmit window is placed from `window` on.
    /// [Vol 6, Part B, 2.3.3.1]
    mutating func makeConnectInd(
        from own: DeviceAddress, to peer: DeviceAddress, by initiator: Int, on phy: PHYSet, window: Instant
    ) -> LLConnectInd {
        let parameters = controllers[initiator].initiator.parameters(on: phy)
        var connect = LLConnectInd()
        connect.initiator = own.bits
        connect.advertiser = peer.bits
        connect.accessAddress = AccessAddress.random(using: &controllers[initiator].timing)
        connect.crcInit = UInt32(truncatingIfNeeded: controllers[initiator].timing.below(1 << 24))
        connect.interval = parameters.intervalMaximum
        connect.latency = parameters.latency
        connect.timeout = parameters.supervisionTimeout
        connect.channelMap = controllers[initiator].defaults.channels.bits
        connect.hopAndSleepClockAccuracy = UInt8(5 + controllers[initiator].timing.below(12))
        connect.windowSize = 1
        connect.windowOffset = placeAnchor(
            of: initiator, without: nil, notBefore: window, intervalUnits: connect.interval)
        return connect
    }

    /// transmitWindowDelay after a CONNECT_IND. [Vol 6, Part B, 4.5.3]
    static var transmitWindowDelay: Delay { .microseconds(1250) }
}

extension Controller {
    /// Whether the host wants a link with this advertiser. [Vol 6, Part B, 4.3.5]
    func initiates(to sender: DeviceAddress) -> Bool {
        initiator.parameters.usesAcceptList
            ? accepts(sender) : sender.unresolved == initiator.parameters.peer.unresolved
    }
}
