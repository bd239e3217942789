import BLEWire

/// Commands for data length and PHYs. [Vol 4, Part E, 7.8.33], [Vol 4, Part E, 7.8.47]
extension Radio {
    mutating func executeCapacity(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leSetDataLength(let command): setDataLength(command, controller, at: now, into: &out)
        case .leReadSuggestedDefaultDataLength(let command):
            let defaults = controllers[controller].defaults
            complete(
                command,
                .init(
                    status: .success, maxTransmitOctets: UInt16(clamping: defaults.transmitOctets),
                    maxTransmitTime: UInt16(clamping: defaults.transmitTime)),
                controller, into: &out)
        case .leWriteSuggestedDefaultDataLength(let command):
            controllers[controller].defaults.transmitOctets = Int(command.maxTransmitOctets)
            controllers[controller].defaults.transmitTime = Int(command.maxTransmitTime)
            complete(command, controller, into: &out)
        case .leReadMaximumDataLength(let command):
            let profile = controllers[controller].profile
            let (octets, time) = (UInt16(clamping: profile.receiveOctets), UInt16(clamping: profile.longestTime))
            complete(
                command,
                .init(
                    status: .success, maxTransmitOctets: octets, maxTransmitTime: time, maxReceiveOctets: octets,
                    maxReceiveTime: time),
                controller, into: &out)
        case .leReadPHY(let command): readPHY(command, controller, into: &out)
        case .leSetDefaultPHY(let command):
            let supported = controllers[controller].profile.supportedPHYs
            guard let choice = PHYChoice(command.allPHYs, command.transmitPHYs, command.receivePHYs, supported) else {
                complete(command, .unsupportedFeature, controller, into: &out)
                return true
            }
            controllers[controller].defaults.transmitPHYs = choice.transmit
            controllers[controller].defaults.receivePHYs = choice.receive
            complete(command, controller, into: &out)
        case .leSetPHY(let command): setPHY(command, controller, at: now, into: &out)
        default: return false
        }
        return true
    }

    private mutating func setDataLength(
        _ command: LESetDataLength, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return complete(command, command.handle, .unknownConnectionIdentifier, controller, into: &out)
        }
        complete(command, command.handle, .success, controller, into: &out)
        let octets = min(Int(command.transmitOctets), ends[end].local.receiveOctets)
        let time = Int(command.transmitTime)
        ends[end].changeLengths(into: &linkEvents) {
            $0.transmitOctets = octets
            $0.transmitTime = time
        }
        handleEvents(of: end, at: now, into: &out)
        start(.dataLength, end, at: now, into: &out)
    }

    private mutating func readPHY(_ command: LEReadPHY, _ controller: Int, into out: inout [RadioOutput]) {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return complete(
                command,
                .init(
                    status: .unknownConnectionIdentifier, handle: command.handle, transmitPHY: .none,
                    receivePHY: .none),
                controller, into: &out)
        }
        complete(
            command,
            .init(
                status: .success, handle: command.handle, transmitPHY: LEPHY(ends[end].phys.transmit),
                receivePHY: LEPHY(ends[end].phys.receive)),
            controller, into: &out)
    }

    private mutating func setPHY(
        _ command: LESetPHY, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let end = controllers[controller].links[command.handle.rawValue] else {
            return accept(command, .unknownConnectionIdentifier, controller, into: &out)
        }
        let supported = controllers[controller].profile.supportedPHYs
        guard let choice = PHYChoice(command.allPHYs, command.transmitPHYs, command.receivePHYs, supported) else {
            return accept(command, .unsupportedFeature, controller, into: &out)
        }
        accept(command, .success, controller, into: &out)
        ends[end].phys.preferredTransmit = choice.transmit
        ends[end].phys.preferredReceive = choice.receive
        ends[end].phys.coding = command.options == 1 ? .codedS2 : .codedS8
        start(.phy, end, at: now, into: &out)
    }
}

/// The PHYs that a host prefers; nil where it names none, or one that the controller doesn't have.
/// [Vol 4, Part E, 7.8.48]
private struct PHYChoice {
    var transmit: PHYSet
    var receive: PHYSet

    init?(_ all: UInt8, _ transmit: UInt8, _ receive: UInt8, _ supported: PHYSet) {
        self.transmit = all & 1 == 1 ? supported : PHYSet(rawValue: transmit)
        self.receive = all & 2 == 2 ? supported : PHYSet(rawValue: receive)
        guard !self.transmit.isEmpty, !self.receive.isEmpty, supported.isSuperset(of: self.transmit),
            supported.isSuperset(of: self.receive)
        else { return nil }
    }
}
