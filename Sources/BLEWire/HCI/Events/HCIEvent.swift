/// Any HCI event, for who receives them: a host, a dissector. [Vol 4, Part E, 5.4.4]
///
/// The one concrete entry: generic decoding from another module costs several times as much.
package enum HCIEvent: Equatable, Sendable {
    case disconnectionComplete(HCIDisconnectionComplete)
    case encryptionChange(HCIEncryptionChange)
    case readRemoteVersionInformationComplete(HCIReadRemoteVersionInformationComplete)
    case commandComplete(HCICommandComplete)
    case commandStatus(HCICommandStatus)
    case hardwareError(HCIHardwareError)
    case numberOfCompletedPackets(HCINumberOfCompletedPackets)
    case dataBufferOverflow(HCIDataBufferOverflow)
    case encryptionKeyRefreshComplete(HCIEncryptionKeyRefreshComplete)
    case leConnectionComplete(LEConnectionComplete)
    case leAdvertisingReport(LEAdvertisingReport)
    case leConnectionUpdateComplete(LEConnectionUpdateComplete)
    case leReadRemoteFeaturesComplete(LEReadRemoteFeaturesComplete)
    case leLongTermKeyRequest(LELongTermKeyRequest)
    case leRemoteConnectionParameterRequest(LERemoteConnectionParameterRequest)
    case leDataLengthChange(LEDataLengthChange)
    case leReadLocalP256PublicKeyComplete(LEReadLocalP256PublicKeyComplete)
    case leGenerateDHKeyComplete(LEGenerateDHKeyComplete)
    case leEnhancedConnectionComplete(LEEnhancedConnectionComplete)
    case leDirectedAdvertisingReport(LEDirectedAdvertisingReport)
    case lePHYUpdateComplete(LEPHYUpdateComplete)
    case leExtendedAdvertisingReport(LEExtendedAdvertisingReport)
    case lePeriodicAdvertisingSyncEstablished(LEPeriodicAdvertisingSyncEstablished)
    case lePeriodicAdvertisingReport(LEPeriodicAdvertisingReport)
    case lePeriodicAdvertisingSyncLost(LEPeriodicAdvertisingSyncLost)
    case leScanTimeout(LEScanTimeout)
    case leAdvertisingSetTerminated(LEAdvertisingSetTerminated)
    case leScanRequestReceived(LEScanRequestReceived)
    case leChannelSelectionAlgorithm(LEChannelSelectionAlgorithm)
    case authenticatedPayloadTimeoutExpired(HCIAuthenticatedPayloadTimeoutExpired)
    /// An event that is not known here. A subevent code is the first of the parameters.
    case unknown(HCIEventCode, [UInt8])
}

extension HCIEvent {
    /// Reads an event from its code, its parameter length and its parameters. [Vol 4, Part E, 5.4.4]
    package init(decoding span: RawSpan) throws(WireError) {
        var reader = WireReader(span)
        var code = HCIEventCode.leMeta
        var length: UInt8 = 0
        try reader.field("Event_Code", &code)
        try reader.u8("Parameter_Total_Length", &length)
        guard reader.remaining >= Int(length) else {
            throw .truncated(
                field: "Event_Parameters", offset: 2, needed: Int(length), available: reader.remaining)
        }
        guard reader.remaining == Int(length) else {
            throw .trailing(offset: 2 + Int(length), count: reader.remaining - Int(length))
        }
        try self.init(code, parameters: span.extracting(droppingFirst: 2))
    }

    /// Reads the parameters of an event with this code.
    package init(_ code: HCIEventCode, parameters: RawSpan) throws(WireError) {
        switch code {
        case .leMeta: try self.init(leMeta: parameters)
        case .disconnectionComplete: self = .disconnectionComplete(try HCIDisconnectionComplete(decoding: parameters))
        case .encryptionChange: self = .encryptionChange(try HCIEncryptionChange(decoding: parameters))
        case .readRemoteVersionInformationComplete:
            self = .readRemoteVersionInformationComplete(
                try HCIReadRemoteVersionInformationComplete(decoding: parameters))
        case .commandComplete: self = .commandComplete(try HCICommandComplete(decoding: parameters))
        case .commandStatus: self = .commandStatus(try HCICommandStatus(decoding: parameters))
        case .hardwareError: self = .hardwareError(try HCIHardwareError(decoding: parameters))
        case .numberOfCompletedPackets:
            self = .numberOfCompletedPackets(try HCINumberOfCompletedPackets(decoding: parameters))
        case .dataBufferOverflow: self = .dataBufferOverflow(try HCIDataBufferOverflow(decoding: parameters))
        case .encryptionKeyRefreshComplete:
            self = .encryptionKeyRefreshComplete(try HCIEncryptionKeyRefreshComplete(decoding: parameters))
        case .authenticatedPayloadTimeoutExpired:
            self = .authenticatedPayloadTimeoutExpired(try HCIAuthenticatedPayloadTimeoutExpired(decoding: parameters))
        default: self = .unknown(code, try HCIEvent.octets(parameters))
        }
    }

    /// Reads subevent code and parameters. [Vol 4, Part E, 7.7.65]
    private init(leMeta span: RawSpan) throws(WireError) {
        var reader = WireReader(span)
        var subevent = LESubeventCode.advertisingReport
        try reader.field("Subevent_Code", &subevent)
        let parameters = span.extracting(droppingFirst: 1)
        switch subevent {
        case .connectionComplete:
            self = .leConnectionComplete(try LEConnectionComplete(decoding: parameters))
        case .advertisingReport:
            self = .leAdvertisingReport(try LEAdvertisingReport(decoding: parameters))
        case .connectionUpdateComplete:
            self = .leConnectionUpdateComplete(try LEConnectionUpdateComplete(decoding: parameters))
        case .readRemoteFeaturesComplete:
            self = .leReadRemoteFeaturesComplete(try LEReadRemoteFeaturesComplete(decoding: parameters))
        case .longTermKeyRequest:
            self = .leLongTermKeyRequest(try LELongTermKeyRequest(decoding: parameters))
        case .remoteConnectionParameterRequest:
            self = .leRemoteConnectionParameterRequest(try LERemoteConnectionParameterRequest(decoding: parameters))
        case .dataLengthChange:
            self = .leDataLengthChange(try LEDataLengthChange(decoding: parameters))
        case .readLocalP256PublicKeyComplete:
            self = .leReadLocalP256PublicKeyComplete(try LEReadLocalP256PublicKeyComplete(decoding: parameters))
        case .generateDHKeyComplete:
            self = .leGenerateDHKeyComplete(try LEGenerateDHKeyComplete(decoding: parameters))
        case .enhancedConnectionComplete:
            self = .leEnhancedConnectionComplete(try LEEnhancedConnectionComplete(decoding: parameters))
        case .directedAdvertisingReport:
            self = .leDirectedAdvertisingReport(try LEDirectedAdvertisingReport(decoding: parameters))
        case .phyUpdateComplete:
            self = .lePHYUpdateComplete(try LEPHYUpdateComplete(decoding: parameters))
        case .extendedAdvertisingReport:
            self = .leExtendedAdvertisingReport(try LEExtendedAdvertisingReport(decoding: parameters))
        case .periodicAdvertisingSyncEstablished:
            self = .lePeriodicAdvertisingSyncEstablished(try LEPeriodicAdvertisingSyncEstablished(decoding: parameters))
        case .periodicAdvertisingReport:
            self = .lePeriodicAdvertisingReport(try LEPeriodicAdvertisingReport(decoding: parameters))
        case .periodicAdvertisingSyncLost:
            self = .lePeriodicAdvertisingSyncLost(try LEPeriodicAdvertisingSyncLost(decoding: parameters))
        case .scanTimeout:
            self = .leScanTimeout(try LEScanTimeout(decoding: parameters))
        case .advertisingSetTerminated:
            self = .leAdvertisingSetTerminated(try LEAdvertisingSetTerminated(decoding: parameters))
        case .scanRequestReceived:
            self = .leScanRequestReceived(try LEScanRequestReceived(decoding: parameters))
        case .channelSelectionAlgorithm:
            self = .leChannelSelectionAlgorithm(try LEChannelSelectionAlgorithm(decoding: parameters))
        default: self = .unknown(.leMeta, try HCIEvent.octets(span))
        }
    }

    private static func octets(_ span: RawSpan) throws(WireError) -> [UInt8] {
        var reader = WireReader(span)
        var octets: [UInt8] = []
        try reader.rest("Event_Parameters", &octets, limit: 0xFF)
        return octets
    }
}
