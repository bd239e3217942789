/// Which events the controller may send. [Vol 4, Part E, 7.3.1]
package struct HCIEventMask: WireCode, OptionSet {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static let disconnectionComplete = HCIEventMask(rawValue: 1 << 4)
    package static let encryptionChange = HCIEventMask(rawValue: 1 << 7)
    package static let readRemoteVersionComplete = HCIEventMask(rawValue: 1 << 11)
    package static let hardwareError = HCIEventMask(rawValue: 1 << 15)
    package static let dataBufferOverflow = HCIEventMask(rawValue: 1 << 25)
    package static let encryptionKeyRefreshComplete = HCIEventMask(rawValue: 1 << 47)
    package static let leMeta = HCIEventMask(rawValue: 1 << 61)
    /// What holds after a reset.
    package static let standard = HCIEventMask(rawValue: 0x0000_1FFF_FFFF_FFFF)
}

/// Which events of the second page the controller may send. [Vol 4, Part E, 7.3.69]
package struct HCIEventMaskPage2: WireCode, OptionSet {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static let authenticatedPayloadTimeoutExpired = HCIEventMaskPage2(rawValue: 1 << 23)
}

/// Which LE events the controller may send; each bit is one below the subevent's code. [Vol 4, Part E, 7.8.1]
package struct LEEventMask: WireCode, OptionSet {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static let connectionComplete = LEEventMask(rawValue: 1 << 0)
    package static let advertisingReport = LEEventMask(rawValue: 1 << 1)
    package static let connectionUpdateComplete = LEEventMask(rawValue: 1 << 2)
    package static let readRemoteFeaturesComplete = LEEventMask(rawValue: 1 << 3)
    package static let longTermKeyRequest = LEEventMask(rawValue: 1 << 4)
    package static let remoteConnectionParameterRequest = LEEventMask(rawValue: 1 << 5)
    package static let dataLengthChange = LEEventMask(rawValue: 1 << 6)
    package static let readLocalP256PublicKeyComplete = LEEventMask(rawValue: 1 << 7)
    package static let generateDHKeyComplete = LEEventMask(rawValue: 1 << 8)
    package static let enhancedConnectionComplete = LEEventMask(rawValue: 1 << 9)
    package static let directedAdvertisingReport = LEEventMask(rawValue: 1 << 10)
    package static let phyUpdateComplete = LEEventMask(rawValue: 1 << 11)
    package static let extendedAdvertisingReport = LEEventMask(rawValue: 1 << 12)
    package static let periodicAdvertisingSyncEstablished = LEEventMask(rawValue: 1 << 13)
    package static let periodicAdvertisingReport = LEEventMask(rawValue: 1 << 14)
    package static let periodicAdvertisingSyncLost = LEEventMask(rawValue: 1 << 15)
    package static let scanTimeout = LEEventMask(rawValue: 1 << 16)
    package static let advertisingSetTerminated = LEEventMask(rawValue: 1 << 17)
    package static let scanRequestReceived = LEEventMask(rawValue: 1 << 18)
    package static let channelSelectionAlgorithm = LEEventMask(rawValue: 1 << 19)
    /// What holds after a reset.
    package static let standard = LEEventMask(rawValue: 0x1F)
}

/// Features of the link layer. [Vol 6, Part B, 4.6]
package struct LEFeatures: WireCode, OptionSet {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static let encryption = LEFeatures(rawValue: 1 << 0)
    package static let connectionParametersRequest = LEFeatures(rawValue: 1 << 1)
    package static let extendedRejectIndication = LEFeatures(rawValue: 1 << 2)
    package static let peripheralInitiatedFeaturesExchange = LEFeatures(rawValue: 1 << 3)
    package static let ping = LEFeatures(rawValue: 1 << 4)
    package static let dataPacketLengthExtension = LEFeatures(rawValue: 1 << 5)
    package static let privacy = LEFeatures(rawValue: 1 << 6)
    package static let extendedScannerFilterPolicies = LEFeatures(rawValue: 1 << 7)
    package static let le2M = LEFeatures(rawValue: 1 << 8)
    package static let stableModulationTransmitter = LEFeatures(rawValue: 1 << 9)
    package static let stableModulationReceiver = LEFeatures(rawValue: 1 << 10)
    package static let leCoded = LEFeatures(rawValue: 1 << 11)
    package static let extendedAdvertising = LEFeatures(rawValue: 1 << 12)
    package static let periodicAdvertising = LEFeatures(rawValue: 1 << 13)
    package static let channelSelectionAlgorithm2 = LEFeatures(rawValue: 1 << 14)
    package static let powerClass1 = LEFeatures(rawValue: 1 << 15)
    package static let minimumUsedChannels = LEFeatures(rawValue: 1 << 16)
}
