/// The code of an HCI event. [Vol 4, Part E, 5.4.4]
package struct HCIEventCode: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let disconnectionComplete = HCIEventCode(rawValue: 0x05)
    package static let encryptionChange = HCIEventCode(rawValue: 0x08)
    package static let readRemoteVersionInformationComplete = HCIEventCode(rawValue: 0x0C)
    package static let commandComplete = HCIEventCode(rawValue: 0x0E)
    package static let commandStatus = HCIEventCode(rawValue: 0x0F)
    package static let hardwareError = HCIEventCode(rawValue: 0x10)
    package static let numberOfCompletedPackets = HCIEventCode(rawValue: 0x13)
    package static let dataBufferOverflow = HCIEventCode(rawValue: 0x1A)
    package static let encryptionKeyRefreshComplete = HCIEventCode(rawValue: 0x30)
    package static let authenticatedPayloadTimeoutExpired = HCIEventCode(rawValue: 0x57)
    /// Carries all LE events, told apart by their subevent code. [Vol 4, Part E, 7.7.65]
    package static let leMeta = HCIEventCode(rawValue: 0x3E)
}

/// The code of an event inside of LE Meta. [Vol 4, Part E, 7.7.65]
package struct LESubeventCode: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let connectionComplete = LESubeventCode(rawValue: 0x01)
    package static let advertisingReport = LESubeventCode(rawValue: 0x02)
    package static let connectionUpdateComplete = LESubeventCode(rawValue: 0x03)
    package static let readRemoteFeaturesComplete = LESubeventCode(rawValue: 0x04)
    package static let longTermKeyRequest = LESubeventCode(rawValue: 0x05)
    package static let remoteConnectionParameterRequest = LESubeventCode(rawValue: 0x06)
    package static let dataLengthChange = LESubeventCode(rawValue: 0x07)
    package static let readLocalP256PublicKeyComplete = LESubeventCode(rawValue: 0x08)
    package static let generateDHKeyComplete = LESubeventCode(rawValue: 0x09)
    package static let enhancedConnectionComplete = LESubeventCode(rawValue: 0x0A)
    package static let directedAdvertisingReport = LESubeventCode(rawValue: 0x0B)
    package static let phyUpdateComplete = LESubeventCode(rawValue: 0x0C)
    package static let extendedAdvertisingReport = LESubeventCode(rawValue: 0x0D)
    package static let periodicAdvertisingSyncEstablished = LESubeventCode(rawValue: 0x0E)
    package static let periodicAdvertisingReport = LESubeventCode(rawValue: 0x0F)
    package static let periodicAdvertisingSyncLost = LESubeventCode(rawValue: 0x10)
    package static let scanTimeout = LESubeventCode(rawValue: 0x11)
    package static let advertisingSetTerminated = LESubeventCode(rawValue: 0x12)
    package static let scanRequestReceived = LESubeventCode(rawValue: 0x13)
    package static let channelSelectionAlgorithm = LESubeventCode(rawValue: 0x14)
}
