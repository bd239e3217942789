import BLEWire

/// The lengths and times that two ends have told each other. [Vol 6, Part B, 4.5.10]
struct DataLengths: Equatable, Sendable {
    /// connMaxTxOctets and connMaxTxTime
    var transmitOctets = 27
    var transmitTime = 328
    /// connMaxRxOctets and connMaxRxTime
    var receiveOctets = 27
    var receiveTime = 328
    /// What the peer can receive.
    var remoteReceiveOctets = 27
    var remoteReceiveTime = 328
    /// What the peer wants to send.
    var remoteTransmitOctets = 27
    var remoteTransmitTime = 328

    /// The values in effect, as the host is told them. On the Coded PHY the time is never below that of 27 octets.
    func effective(_ phys: LinkPHYs) -> LEDataLengthChange {
        let floorTransmit = phys.transmit.isCoded ? 2704 : 328
        let floorReceive = phys.receive.isCoded ? 2704 : 328
        var change = LEDataLengthChange()
        change.maxTransmitOctets = UInt16(clamping: min(transmitOctets, remoteReceiveOctets))
        change.maxTransmitTime = UInt16(clamping: max(floorTransmit, min(transmitTime, remoteReceiveTime)))
        change.maxReceiveOctets = UInt16(clamping: min(receiveOctets, remoteTransmitOctets))
        change.maxReceiveTime = UInt16(clamping: max(floorReceive, min(receiveTime, remoteTransmitTime)))
        return change
    }

    /// The longest payload to send on a PHY.
    func transmitLimit(on phy: PhysicalLayer) -> Int {
        let octets = min(transmitOctets, remoteReceiveOctets)
        let time = max(phy.isCoded ? 2704 : 328, min(transmitTime, remoteReceiveTime))
        return max(27, min(octets, AirTime.longestPayload(within: time, on: phy)))
    }

    /// What an LL_LENGTH_REQ or LL_LENGTH_RSP of this end says.
    var request: LLLengthReq {
        LLLengthReq(
            maximumReceiveOctets: UInt16(clamping: receiveOctets), maximumReceiveTime: UInt16(clamping: receiveTime),
            maximumTransmitOctets: UInt16(clamping: transmitOctets),
            maximumTransmitTime: UInt16(clamping: transmitTime))
    }

    /// Takes what the peer says; values below the least that every device can do count as the least.
    mutating func take(receiveOctets: UInt16, receiveTime: UInt16, transmitOctets: UInt16, transmitTime: UInt16) {
        remoteReceiveOctets = max(27, Int(receiveOctets))
        remoteReceiveTime = max(328, Int(receiveTime))
        remoteTransmitOctets = max(27, Int(transmitOctets))
        remoteTransmitTime = max(328, Int(transmitTime))
    }
}

/// The PHYs of a link as one end uses them.
struct LinkPHYs: Equatable, Sendable {
    var transmit = PhysicalLayer.le1M
    var receive = PhysicalLayer.le1M
    /// What the host prefers.
    var preferredTransmit = PHYSet.le1M
    var preferredReceive = PHYSet.le1M
    /// The coding to send with on the Coded PHY.
    var coding = PhysicalLayer.codedS8
}
