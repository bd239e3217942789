import BLEWire

/// What both sides have said about the PDUs that they take. [Vol 3, Part F, 3.4.2]
struct MTUExchange: Sendable {
    /// What this side has told; the same in both roles. [Vol 3, Part F, 3.4.2.2]
    var told: UInt16?
    /// The least that the peer has told.
    var heard: UInt16?
    /// Each side asks once on a link.
    var hasAsked = false
    var wasAsked = false
}

extension GATTConnection {
    /// As client: once on a link.
    mutating func beginMTUExchange(_ wanted: UInt16) -> GATTClient.Step {
        if mtuExchange.hasAsked { return .done(.mtu(bearer.mtu)) }
        mtuExchange.hasAsked = true
        let ours = mtuExchange.told ?? max(wanted, UInt16(ATTBearer.defaultMTU))
        mtuExchange.told = ours
        return .request(.exchangeMTURequest(.init(receiveMTU: ours)))
    }

    mutating func endMTUExchange(
        _ response: ATTExchangeMTUResponse, into out: inout [GATTOutput]
    ) -> GATTClient.Step {
        agree(response.receiveMTU, into: &out)
        return .done(.mtu(bearer.mtu))
    }

    /// As server: a second request gets the same answer and changes nothing.
    mutating func answerMTURequest(_ request: ATTExchangeMTURequest, into out: inout [GATTOutput]) {
        let ours = mtuExchange.told ?? UInt16(clamping: max(configuration.receiveMTU, ATTBearer.defaultMTU))
        mtuExchange.told = ours
        // The response still counts as sent under the old ATT_MTU. [Vol 3, Part F, 3.4.2.2]
        session.send(.exchangeMTUResponse(.init(receiveMTU: ours)), into: &out)
        if mtuExchange.wasAsked { return }
        mtuExchange.wasAsked = true
        agree(request.receiveMTU, into: &out)
    }

    private mutating func agree(_ theirs: UInt16, into out: inout [GATTOutput]) {
        let before = bearer.mtu
        let least = min(theirs, mtuExchange.heard ?? theirs)
        mtuExchange.heard = least
        bearer.agree(mtuExchange.told ?? 0, least)
        if bearer.mtu != before { out.append(.event(.attMTUChanged(link, bearer.mtu))) }
    }
}
