import BLEWire

/// What follows from a profile.
extension ControllerProfile {
    var supportedPHYs: PHYSet {
        var phys = PHYSet.le1M
        if supports2M, version >= 9 { phys.insert(.le2M) }
        if supportsCoded, version >= 9 { phys.insert(.leCoded) }
        return phys
    }

    var supportsDataLength: Bool { maximumDataLength > 27 && version >= 8 }
    var hasPrivacy: Bool { supportsPrivacy && version >= 8 }
    /// LE Ping keeps watch over encrypted links. [Vol 6, Part B, 4.6.5]
    var pings: Bool { supportsEncryption && version >= 7 }
    var hasKeyAgreement: Bool { supportsEncryption && version >= 8 }
    var hasExtendedAdvertising: Bool { supportsExtendedAdvertising && version >= 9 }
    var hasPeriodicAdvertising: Bool { supportsPeriodicAdvertising && hasExtendedAdvertising }
    var usesChannelSelection2: Bool { supportsChannelSelection2 && version >= 9 }

    /// The longest payload that it can receive, whatever is agreed on.
    var receiveOctets: Int { supportsDataLength ? min(maximumDataLength, 251) : 27 }

    /// The longest time of a packet: on the Coded PHY where it has that. [Vol 6, Part B, 4.5.10]
    var longestTime: Int {
        AirTime.limit(payload: receiveOctets, on: supportedPHYs.contains(.leCoded) ? .codedS8 : .le1M)
    }

    /// The features that the controller has, by its version; all of them are implemented. [Vol 6, Part B, 4.6]
    var features: LEFeatures {
        var features: LEFeatures = supportsEncryption ? .encryption : []
        if version >= 7 {
            features.formUnion([
                .connectionParametersRequest, .extendedRejectIndication, .peripheralInitiatedFeaturesExchange, .ping,
            ])
        }
        if hasPrivacy { features.insert(.privacy) }
        if supportsDataLength { features.insert(.dataPacketLengthExtension) }
        if supportedPHYs.contains(.le2M) { features.insert(.le2M) }
        if supportedPHYs.contains(.leCoded) { features.insert(.leCoded) }
        if usesChannelSelection2 { features.insert(.channelSelectionAlgorithm2) }
        if hasExtendedAdvertising { features.insert(.extendedAdvertising) }
        if hasPeriodicAdvertising { features.insert(.periodicAdvertising) }
        if version >= 9 { features.insert(.minimumUsedChannels) }
        return features
    }
}
