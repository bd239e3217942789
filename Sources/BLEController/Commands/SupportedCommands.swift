import BLEWire

/// Which commands a controller has: the answer to HCI_Read_Local_Supported_Commands, and what it acts on, are this
/// one list. [Vol 4, Part E, 6.27]
extension ControllerProfile {
    private static let always: [any HCICommandPDU.Type] = [
        HCIDisconnect.self, HCIReadRemoteVersionInformation.self,
        HCISetEventMask.self, HCIReset.self, HCISetEventMaskPage2.self, HCIReadTransmitPowerLevel.self,
        HCISetControllerToHostFlowControl.self, HCIHostBufferSize.self, HCIHostNumberOfCompletedPackets.self,
        HCIReadLocalVersionInformation.self, HCIReadLocalSupportedCommands.self, HCIReadLocalSupportedFeatures.self,
        HCIReadBufferSize.self, HCIReadBDAddr.self, HCIReadRSSI.self,
        LESetEventMask.self, LEReadBufferSize.self, LEReadLocalSupportedFeatures.self, LESetRandomAddress.self,
        LEReadSupportedStates.self, LERand.self, LEEncrypt.self,
        LESetAdvertisingParameters.self, LEReadAdvertisingPhysicalChannelTxPower.self, LESetAdvertisingData.self,
        LESetScanResponseData.self, LESetAdvertisingEnable.self,
        LESetScanParameters.self, LESetScanEnable.self,
        LECreateConnection.self, LECreateConnectionCancel.self,
        LEReadFilterAcceptListSize.self, LEClearFilterAcceptList.self, LEAddDeviceToFilterAcceptList.self,
        LERemoveDeviceFromFilterAcceptList.self,
        LEConnectionUpdate.self, LESetHostChannelClassification.self, LEReadChannelMap.self,
        LEReadRemoteFeatures.self,
        HCIRavningJoin.self,
    ]
    private static let sinceParameterRequest: [any HCICommandPDU.Type] = [
        LERemoteConnectionParameterRequestReply.self, LERemoteConnectionParameterRequestNegativeReply.self,
    ]
    private static let ofDataLength: [any HCICommandPDU.Type] = [
        LESetDataLength.self, LEReadSuggestedDefaultDataLength.self, LEWriteSuggestedDefaultDataLength.self,
        LEReadMaximumDataLength.self,
    ]
    private static let ofEncryption: [any HCICommandPDU.Type] = [
        LEEnableEncryption.self, LELongTermKeyRequestReply.self, LELongTermKeyRequestNegativeReply.self,
    ]
    private static let ofPrivacy: [any HCICommandPDU.Type] = [
        LEAddDeviceToResolvingList.self, LERemoveDeviceFromResolvingList.self, LEClearResolvingList.self,
        LEReadResolvingListSize.self, LEReadPeerResolvableAddress.self, LEReadLocalResolvableAddress.self,
        LESetAddressResolutionEnable.self, LESetResolvablePrivateAddressTimeout.self,
    ]
    private static let ofAuthenticatedPayload: [any HCICommandPDU.Type] = [
        HCIReadAuthenticatedPayloadTimeout.self, HCIWriteAuthenticatedPayloadTimeout.self,
    ]
    private static let ofKeyAgreement: [any HCICommandPDU.Type] = [
        LEReadLocalP256PublicKey.self, LEGenerateDHKey.self,
    ]
    private static let sincePowerRange: [any HCICommandPDU.Type] = [
        LEReadTransmitPower.self, LEReadRFPathCompensation.self, LEWriteRFPathCompensation.self,
    ]
    private static let ofExtendedAdvertising: [any HCICommandPDU.Type] = [
        LESetAdvertisingSetRandomAddress.self, LESetExtendedAdvertisingParameters.self,
        LESetExtendedAdvertisingData.self, LESetExtendedScanResponseData.self, LESetExtendedAdvertisingEnable.self,
        LEReadMaximumAdvertisingDataLength.self, LEReadNumberOfSupportedAdvertisingSets.self,
        LERemoveAdvertisingSet.self, LEClearAdvertisingSets.self,
        LESetExtendedScanParameters.self, LESetExtendedScanEnable.self, LEExtendedCreateConnection.self,
    ]
    private static let ofPeriodicAdvertising: [any HCICommandPDU.Type] = [
        LESetPeriodicAdvertisingParameters.self, LESetPeriodicAdvertisingData.self,
        LESetPeriodicAdvertisingEnable.self, LEPeriodicAdvertisingCreateSync.self,
        LEPeriodicAdvertisingCreateSyncCancel.self, LEPeriodicAdvertisingTerminateSync.self,
        LEAddDeviceToPeriodicAdvertiserList.self, LERemoveDeviceFromPeriodicAdvertiserList.self,
        LEClearPeriodicAdvertiserList.self, LEReadPeriodicAdvertiserListSize.self,
    ]
    private static let ofPHYs: [any HCICommandPDU.Type] = [LEReadPHY.self, LESetDefaultPHY.self, LESetPHY.self]

    var supportedCommands: HCISupportedCommands {
        var commands = HCISupportedCommands(Self.always)
        if version >= 7 { for command in Self.sinceParameterRequest { commands.insert(command) } }
        if supportsDataLength { for command in Self.ofDataLength { commands.insert(command) } }
        if supportsEncryption { for command in Self.ofEncryption { commands.insert(command) } }
        if hasPrivacy { for command in Self.ofPrivacy { commands.insert(command) } }
        if hasPrivacy, version >= 9 { commands.insert(LESetPrivacyMode.self) }
        if supportedPHYs != .le1M { for command in Self.ofPHYs { commands.insert(command) } }
        if hasExtendedAdvertising { for command in Self.ofExtendedAdvertising { commands.insert(command) } }
        if hasPeriodicAdvertising { for command in Self.ofPeriodicAdvertising { commands.insert(command) } }
        if pings { for command in Self.ofAuthenticatedPayload { commands.insert(command) } }
        if hasKeyAgreement { for command in Self.ofKeyAgreement { commands.insert(command) } }
        if hasKeyAgreement, version >= 10 { commands.insert(LEGenerateDHKeyV2.self) }
        if version >= 9 { for command in Self.sincePowerRange { commands.insert(command) } }
        if version >= 11 { commands.insert(LEReadBufferSizeV2.self) }
        return commands
    }

    func supports(_ opcode: HCIOpcode) -> Bool {
        switch opcode {
        case .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply: version >= 7
        case .leSetDataLength, .leReadSuggestedDefaultDataLength, .leWriteSuggestedDefaultDataLength,
            .leReadMaximumDataLength:
            supportsDataLength
        case .leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply: supportsEncryption
        case .leAddDeviceToResolvingList, .leRemoveDeviceFromResolvingList, .leClearResolvingList,
            .leReadResolvingListSize, .leReadPeerResolvableAddress, .leReadLocalResolvableAddress,
            .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout:
            hasPrivacy
        case .leSetPrivacyMode: hasPrivacy && version >= 9
        case .leReadPHY, .leSetDefaultPHY, .leSetPHY: supportedPHYs != .le1M
        case .readAuthenticatedPayloadTimeout, .writeAuthenticatedPayloadTimeout: pings
        case .leReadLocalP256PublicKey, .leGenerateDHKey: hasKeyAgreement
        case .leGenerateDHKeyV2: hasKeyAgreement && version >= 10
        case .leReadTransmitPower, .leReadRFPathCompensation, .leWriteRFPathCompensation: version >= 9
        case .leReadBufferSizeV2: version >= 11
        case .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leReadMaximumAdvertisingDataLength,
            .leReadNumberOfSupportedAdvertisingSets, .leRemoveAdvertisingSet, .leClearAdvertisingSets,
            .leSetExtendedScanParameters, .leSetExtendedScanEnable, .leExtendedCreateConnection:
            hasExtendedAdvertising
        case .leSetPeriodicAdvertisingParameters, .leSetPeriodicAdvertisingData, .leSetPeriodicAdvertisingEnable,
            .lePeriodicAdvertisingCreateSync, .lePeriodicAdvertisingCreateSyncCancel,
            .lePeriodicAdvertisingTerminateSync, .leAddDeviceToPeriodicAdvertiserList,
            .leRemoveDeviceFromPeriodicAdvertiserList, .leClearPeriodicAdvertiserList,
            .leReadPeriodicAdvertiserListSize:
            hasPeriodicAdvertising
        default: Self.opcodes.contains(opcode)
        }
    }

    /// Asked, never walked.
    private static let opcodes = Set(always.map { $0.opcode })

    /// Whether a command is answered by Command Status, and its result comes later. [Vol 4, Part E, 4.4]
    static func isAnsweredByStatus(_ opcode: HCIOpcode) -> Bool {
        switch opcode {
        case .disconnect, .readRemoteVersionInformation, .leCreateConnection, .leConnectionUpdate,
            .leReadRemoteFeatures, .leSetPHY, .leEnableEncryption, .leReadLocalP256PublicKey, .leGenerateDHKey,
            .leGenerateDHKeyV2, .leExtendedCreateConnection,
            .lePeriodicAdvertisingCreateSync:
            true
        default: false
        }
    }
}
