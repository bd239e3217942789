import BLEWire

/// Features, versions and lengths: procedures without an instant.
extension LinkEnd {
    // MARK: Features [Vol 6, Part B, 5.1.4]

    mutating func beginFeatures() {
        switch role {
        case .central: queue(.featureReq(LLFeatureReq(features: local.features)))
        case .peripheral: queue(.peripheralFeatureReq(LLPeripheralFeatureReq(features: local.features)))
        }
    }

    /// The first octet of an answer has the features of both, the others those of this end. [Vol 6, Part B, 5.1.4]
    mutating func answerFeatures(_ features: LEFeatures) {
        remoteFeatures = features
        let answer = local.features.rawValue & (features.rawValue | ~0xFF)
        queue(.featureRsp(LLFeatureRsp(features: LEFeatures(rawValue: answer))))
    }

    mutating func receive(_ pdu: LLFeatureRsp, into events: inout [LinkEvent]) {
        guard procedures.active == .features else { return }
        remoteFeatures = pdu.features
        endProcedure(into: &events)
        events.append(.featuresRead(.success))
    }

    // MARK: Version [Vol 6, Part B, 5.1.5]

    mutating func beginVersion(into events: inout [LinkEvent]) {
        if remoteVersion != nil {
            endProcedure(into: &events)
            events.append(.versionRead(.success))
        } else {
            sendVersion()
        }
    }

    /// Each side tells it once a link, asked or not.
    private mutating func sendVersion() {
        guard !hasSentVersion else { return }
        hasSentVersion = true
        queue(.versionInd(local.version))
    }

    mutating func receive(_ pdu: LLVersionInd, into events: inout [LinkEvent]) {
        guard remoteVersion == nil else { return }
        remoteVersion = pdu
        sendVersion()
        guard procedures.active == .version else { return }
        endProcedure(into: &events)
        events.append(.versionRead(.success))
    }

    // MARK: Data length [Vol 6, Part B, 5.1.9]

    mutating func receive(_ pdu: LLLengthReq, into events: inout [LinkEvent]) {
        changeLengths(into: &events) {
            $0.take(
                receiveOctets: pdu.maximumReceiveOctets, receiveTime: pdu.maximumReceiveTime,
                transmitOctets: pdu.maximumTransmitOctets, transmitTime: pdu.maximumTransmitTime)
        }
        let own = lengths.request
        queue(
            .lengthRsp(
                LLLengthRsp(
                    maximumReceiveOctets: own.maximumReceiveOctets, maximumReceiveTime: own.maximumReceiveTime,
                    maximumTransmitOctets: own.maximumTransmitOctets, maximumTransmitTime: own.maximumTransmitTime)))
    }

    mutating func receive(_ pdu: LLLengthRsp, into events: inout [LinkEvent]) {
        guard procedures.active == .dataLength else { return }
        changeLengths(into: &events) {
            $0.take(
                receiveOctets: pdu.maximumReceiveOctets, receiveTime: pdu.maximumReceiveTime,
                transmitOctets: pdu.maximumTransmitOctets, transmitTime: pdu.maximumTransmitTime)
        }
        endProcedure(into: &events)
    }

    /// Changes lengths; the host hears of it where what is in effect changes. [Vol 4, Part E, 7.7.65.7]
    mutating func changeLengths(into events: inout [LinkEvent], _ change: (inout DataLengths) -> Void) {
        let before = lengths.effective(phys)
        change(&lengths)
        if lengths.effective(phys) != before { events.append(.lengthChanged) }
    }
}
