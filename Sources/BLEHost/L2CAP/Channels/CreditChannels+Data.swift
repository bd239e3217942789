import BLEWire

// SDUs, K-frames and credits. [Vol 3, Part A, 10.1]
extension CreditChannels {
    /// Queues an SDU.
    mutating func send(_ sdu: [UInt8], on own: ChannelIdentifier, into out: inout [ChannelOutput]) {
        guard let index = index(ofOwn: own), !channels[index].isClosing else { return }
        guard sdu.count <= channels[index].peerMTU else {
            let error = HostError.invalidParameters(
                "an SDU of \(sdu.count) octets, the peer takes \(channels[index].peerMTU)")
            return out.append(.event(.refused(own, error)))
        }
        channels[index].append(sdu)
        pump(index, into: &out)
    }

    /// Sends what may be sent.
    mutating func pump(_ index: Int, into out: inout [ChannelOutput]) {
        while let frame = channels[index].nextFrame(ahead: max(configuration.framesAhead, 1)) {
            out.append(.frame(frame, to: channels[index].remote, serial: channels[index].serial))
        }
    }

    /// A K-frame has left for the controller.
    mutating func sent(_ serial: UInt64, into out: inout [ChannelOutput]) {
        guard let index = channels.firstIndex(where: { $0.serial == serial }) else { return }
        if let octets = channels[index].left() { out.append(.event(.sent(channels[index].own, octets: octets))) }
        pump(index, into: &out)
    }

    /// A K-frame has come.
    mutating func receive(
        _ frame: [UInt8], on own: ChannelIdentifier, at now: Instant, into out: inout [ChannelOutput]
    ) {
        guard let index = index(ofOwn: own), !channels[index].isClosing else { return }
        do throws(CreditChannel.Violation) {
            let sdu = try channels[index].receive(frame)
            giveCredits(index, into: &out)
            if let sdu { out.append(.event(.received(own, sdu))) }
        } catch {
            violated(index, error.text, at: now, into: &out)
        }
    }

    /// Octets have been taken from what was received.
    mutating func take(_ octets: Int, of own: ChannelIdentifier, into out: inout [ChannelOutput]) {
        guard let index = index(ofOwn: own), !channels[index].isClosing else { return }
        channels[index].take(octets)
        giveCredits(index, into: &out)
    }

    private mutating func giveCredits(_ index: Int, into out: inout [ChannelOutput]) {
        guard let credits = channels[index].grant() else { return }
        let signal = L2CAPFlowControlCredit(channel: channels[index].own, credits: credits)
        // Answered by nothing, so its identifier is free again at once.
        let identifier = identifiers.take()
        identifiers.release(identifier)
        out.append(.signal(.init(identifier: identifier, signal: .flowControlCredit(signal))))
    }

    /// Credits have come, named by the peer's end of the channel. [Vol 3, Part A, 4.24]
    mutating func receive(_ signal: L2CAPFlowControlCredit, at now: Instant, into out: inout [ChannelOutput]) {
        guard let index = index(ofRemote: signal.channel) else {
            return trace(.debug, "credits for \(signal.channel), which is no channel", into: &out)
        }
        guard channels[index].addCredits(signal.credits) else {
            return violated(index, "more than 65535 credits", at: now, into: &out)
        }
        pump(index, into: &out)
    }
}
