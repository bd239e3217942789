extension HCIEvent {
    /// The whole packet with its H4 indicator. [Vol 4, Part A, 2]
    package func packet() -> [UInt8] {
        switch self {
        case .disconnectionComplete(let event): HCIFraming.event(event)
        case .encryptionChange(let event): HCIFraming.event(event)
        case .readRemoteVersionInformationComplete(let event): HCIFraming.event(event)
        case .commandComplete(let event): HCIFraming.event(event)
        case .commandStatus(let event): HCIFraming.event(event)
        case .hardwareError(let event): HCIFraming.event(event)
        case .numberOfCompletedPackets(let event): HCIFraming.event(event)
        case .dataBufferOverflow(let event): HCIFraming.event(event)
        case .encryptionKeyRefreshComplete(let event): HCIFraming.event(event)
        case .leConnectionComplete(let event): HCIFraming.event(event)
        case .leAdvertisingReport(let event): HCIFraming.event(event)
        case .leConnectionUpdateComplete(let event): HCIFraming.event(event)
        case .leReadRemoteFeaturesComplete(let event): HCIFraming.event(event)
        case .leLongTermKeyRequest(let event): HCIFraming.event(event)
        case .leRemoteConnectionParameterRequest(let event): HCIFraming.event(event)
        case .leDataLengthChange(let event): HCIFraming.event(event)
        case .leReadLocalP256PublicKeyComplete(let event): HCIFraming.event(event)
        case .leGenerateDHKeyComplete(let event): HCIFraming.event(event)
        case .leEnhancedConnectionComplete(let event): HCIFraming.event(event)
        case .leDirectedAdvertisingReport(let event): HCIFraming.event(event)
        case .lePHYUpdateComplete(let event): HCIFraming.event(event)
        case .leExtendedAdvertisingReport(let event): HCIFraming.event(event)
        case .lePeriodicAdvertisingSyncEstablished(let event): HCIFraming.event(event)
        case .lePeriodicAdvertisingReport(let event): HCIFraming.event(event)
        case .lePeriodicAdvertisingSyncLost(let event): HCIFraming.event(event)
        case .leScanTimeout(let event): HCIFraming.event(event)
        case .leAdvertisingSetTerminated(let event): HCIFraming.event(event)
        case .leScanRequestReceived(let event): HCIFraming.event(event)
        case .leChannelSelectionAlgorithm(let event): HCIFraming.event(event)
        case .authenticatedPayloadTimeoutExpired(let event): HCIFraming.event(event)
        case .unknown(let code, let parameters): HCIFraming.event(code, parameters: parameters)
        }
    }
}
