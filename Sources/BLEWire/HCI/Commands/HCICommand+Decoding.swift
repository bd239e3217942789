extension HCICommand {
    /// Reads the parameters of the command with this opcode. [Vol 4, Part E, 5.4.1]
    package init(opcode: HCIOpcode, parameters: RawSpan) throws(WireError) {
        switch opcode {
        case .disconnect: self = .disconnect(try HCIDisconnect(decoding: parameters))
        case .readRemoteVersionInformation:
            self = .readRemoteVersionInformation(try HCIReadRemoteVersionInformation(decoding: parameters))
        case .setEventMask: self = .setEventMask(try HCISetEventMask(decoding: parameters))
        case .reset: self = .reset(try HCIReset(decoding: parameters))
        case .readTransmitPowerLevel:
            self = .readTransmitPowerLevel(try HCIReadTransmitPowerLevel(decoding: parameters))
        case .setControllerToHostFlowControl:
            self = .setControllerToHostFlowControl(try HCISetControllerToHostFlowControl(decoding: parameters))
        case .hostBufferSize: self = .hostBufferSize(try HCIHostBufferSize(decoding: parameters))
        case .hostNumberOfCompletedPackets:
            self = .hostNumberOfCompletedPackets(try HCIHostNumberOfCompletedPackets(decoding: parameters))
        case .setEventMaskPage2: self = .setEventMaskPage2(try HCISetEventMaskPage2(decoding: parameters))
        case .readLEHostSupport: self = .readLEHostSupport(try HCIReadLEHostSupport(decoding: parameters))
        case .writeLEHostSupport: self = .writeLEHostSupport(try HCIWriteLEHostSupport(decoding: parameters))
        case .readAuthenticatedPayloadTimeout:
            self = .readAuthenticatedPayloadTimeout(try HCIReadAuthenticatedPayloadTimeout(decoding: parameters))
        case .writeAuthenticatedPayloadTimeout:
            self = .writeAuthenticatedPayloadTimeout(try HCIWriteAuthenticatedPayloadTimeout(decoding: parameters))
        case .readLocalVersionInformation:
            self = .readLocalVersionInformation(try HCIReadLocalVersionInformation(decoding: parameters))
        case .readLocalSupportedCommands:
            self = .readLocalSupportedCommands(try HCIReadLocalSupportedCommands(decoding: parameters))
        case .readLocalSupportedFeatures:
            self = .readLocalSupportedFeatures(try HCIReadLocalSupportedFeatures(decoding: parameters))
        case .readBufferSize: self = .readBufferSize(try HCIReadBufferSize(decoding: parameters))
        case .readBDAddr: self = .readBDAddr(try HCIReadBDAddr(decoding: parameters))
        case .readRSSI: self = .readRSSI(try HCIReadRSSI(decoding: parameters))
        case .leSetEventMask: self = .leSetEventMask(try LESetEventMask(decoding: parameters))
        case .leReadBufferSize: self = .leReadBufferSize(try LEReadBufferSize(decoding: parameters))
        case .leReadLocalSupportedFeatures:
            self = .leReadLocalSupportedFeatures(try LEReadLocalSupportedFeatures(decoding: parameters))
        case .leSetRandomAddress: self = .leSetRandomAddress(try LESetRandomAddress(decoding: parameters))
        case .leSetAdvertisingParameters:
            self = .leSetAdvertisingParameters(try LESetAdvertisingParameters(decoding: parameters))
        case .leReadAdvertisingPhysicalChannelTxPower:
            self = .leReadAdvertisingPhysicalChannelTxPower(
                try LEReadAdvertisingPhysicalChannelTxPower(decoding: parameters))
        case .leSetAdvertisingData: self = .leSetAdvertisingData(try LESetAdvertisingData(decoding: parameters))
        case .leSetScanResponseData: self = .leSetScanResponseData(try LESetScanResponseData(decoding: parameters))
        case .leSetAdvertisingEnable: self = .leSetAdvertisingEnable(try LESetAdvertisingEnable(decoding: parameters))
        case .leSetScanParameters: self = .leSetScanParameters(try LESetScanParameters(decoding: parameters))
        case .leSetScanEnable: self = .leSetScanEnable(try LESetScanEnable(decoding: parameters))
        case .leCreateConnection: self = .leCreateConnection(try LECreateConnection(decoding: parameters))
        case .leCreateConnectionCancel:
            self = .leCreateConnectionCancel(try LECreateConnectionCancel(decoding: parameters))
        case .leReadFilterAcceptListSize:
            self = .leReadFilterAcceptListSize(try LEReadFilterAcceptListSize(decoding: parameters))
        case .leClearFilterAcceptList:
            self = .leClearFilterAcceptList(try LEClearFilterAcceptList(decoding: parameters))
        case .leAddDeviceToFilterAcceptList:
            self = .leAddDeviceToFilterAcceptList(try LEAddDeviceToFilterAcceptList(decoding: parameters))
        case .leRemoveDeviceFromFilterAcceptList:
            self = .leRemoveDeviceFromFilterAcceptList(try LERemoveDeviceFromFilterAcceptList(decoding: parameters))
        case .leConnectionUpdate: self = .leConnectionUpdate(try LEConnectionUpdate(decoding: parameters))
        case .leSetHostChannelClassification:
            self = .leSetHostChannelClassification(try LESetHostChannelClassification(decoding: parameters))
        case .leReadChannelMap: self = .leReadChannelMap(try LEReadChannelMap(decoding: parameters))
        case .leReadRemoteFeatures: self = .leReadRemoteFeatures(try LEReadRemoteFeatures(decoding: parameters))
        case .leEncrypt: self = .leEncrypt(try LEEncrypt(decoding: parameters))
        case .leRand: self = .leRand(try LERand(decoding: parameters))
        case .leEnableEncryption: self = .leEnableEncryption(try LEEnableEncryption(decoding: parameters))
        case .leLongTermKeyRequestReply:
            self = .leLongTermKeyRequestReply(try LELongTermKeyRequestReply(decoding: parameters))
        case .leLongTermKeyRequestNegativeReply:
            self = .leLongTermKeyRequestNegativeReply(try LELongTermKeyRequestNegativeReply(decoding: parameters))
        case .leReadSupportedStates: self = .leReadSupportedStates(try LEReadSupportedStates(decoding: parameters))
        case .leRemoteConnectionParameterRequestReply:
            self = .leRemoteConnectionParameterRequestReply(
                try LERemoteConnectionParameterRequestReply(decoding: parameters))
        case .leRemoteConnectionParameterRequestNegativeReply:
            self = .leRemoteConnectionParameterRequestNegativeReply(
                try LERemoteConnectionParameterRequestNegativeReply(decoding: parameters))
        case .leSetDataLength: self = .leSetDataLength(try LESetDataLength(decoding: parameters))
        case .leReadSuggestedDefaultDataLength:
            self = .leReadSuggestedDefaultDataLength(try LEReadSuggestedDefaultDataLength(decoding: parameters))
        case .leWriteSuggestedDefaultDataLength:
            self = .leWriteSuggestedDefaultDataLength(try LEWriteSuggestedDefaultDataLength(decoding: parameters))
        case .leReadLocalP256PublicKey:
            self = .leReadLocalP256PublicKey(try LEReadLocalP256PublicKey(decoding: parameters))
        case .leGenerateDHKey: self = .leGenerateDHKey(try LEGenerateDHKey(decoding: parameters))
        case .leAddDeviceToResolvingList:
            self = .leAddDeviceToResolvingList(try LEAddDeviceToResolvingList(decoding: parameters))
        case .leRemoveDeviceFromResolvingList:
            self = .leRemoveDeviceFromResolvingList(try LERemoveDeviceFromResolvingList(decoding: parameters))
        case .leClearResolvingList: self = .leClearResolvingList(try LEClearResolvingList(decoding: parameters))
        case .leReadResolvingListSize:
            self = .leReadResolvingListSize(try LEReadResolvingListSize(decoding: parameters))
        case .leReadPeerResolvableAddress:
            self = .leReadPeerResolvableAddress(try LEReadPeerResolvableAddress(decoding: parameters))
        case .leReadLocalResolvableAddress:
            self = .leReadLocalResolvableAddress(try LEReadLocalResolvableAddress(decoding: parameters))
        case .leSetAddressResolutionEnable:
            self = .leSetAddressResolutionEnable(try LESetAddressResolutionEnable(decoding: parameters))
        case .leSetResolvablePrivateAddressTimeout:
            self = .leSetResolvablePrivateAddressTimeout(try LESetResolvablePrivateAddressTimeout(decoding: parameters))
        case .leReadMaximumDataLength:
            self = .leReadMaximumDataLength(try LEReadMaximumDataLength(decoding: parameters))
        case .leReadPHY: self = .leReadPHY(try LEReadPHY(decoding: parameters))
        case .leSetDefaultPHY: self = .leSetDefaultPHY(try LESetDefaultPHY(decoding: parameters))
        case .leSetPHY: self = .leSetPHY(try LESetPHY(decoding: parameters))
        case .leSetAdvertisingSetRandomAddress:
            self = .leSetAdvertisingSetRandomAddress(try LESetAdvertisingSetRandomAddress(decoding: parameters))
        case .leSetExtendedAdvertisingParameters:
            self = .leSetExtendedAdvertisingParameters(try LESetExtendedAdvertisingParameters(decoding: parameters))
        case .leSetExtendedAdvertisingData:
            self = .leSetExtendedAdvertisingData(try LESetExtendedAdvertisingData(decoding: parameters))
        case .leSetExtendedScanResponseData:
            self = .leSetExtendedScanResponseData(try LESetExtendedScanResponseData(decoding: parameters))
        case .leSetExtendedAdvertisingEnable:
            self = .leSetExtendedAdvertisingEnable(try LESetExtendedAdvertisingEnable(decoding: parameters))
        case .leReadMaximumAdvertisingDataLength:
            self = .leReadMaximumAdvertisingDataLength(try LEReadMaximumAdvertisingDataLength(decoding: parameters))
        case .leReadNumberOfSupportedAdvertisingSets:
            self = .leReadNumberOfSupportedAdvertisingSets(
                try LEReadNumberOfSupportedAdvertisingSets(decoding: parameters))
        case .leRemoveAdvertisingSet: self = .leRemoveAdvertisingSet(try LERemoveAdvertisingSet(decoding: parameters))
        case .leClearAdvertisingSets: self = .leClearAdvertisingSets(try LEClearAdvertisingSets(decoding: parameters))
        case .leSetPeriodicAdvertisingParameters:
            self = .leSetPeriodicAdvertisingParameters(try LESetPeriodicAdvertisingParameters(decoding: parameters))
        case .leSetPeriodicAdvertisingData:
            self = .leSetPeriodicAdvertisingData(try LESetPeriodicAdvertisingData(decoding: parameters))
        case .leSetPeriodicAdvertisingEnable:
            self = .leSetPeriodicAdvertisingEnable(try LESetPeriodicAdvertisingEnable(decoding: parameters))
        case .leSetExtendedScanParameters:
            self = .leSetExtendedScanParameters(try LESetExtendedScanParameters(decoding: parameters))
        case .leSetExtendedScanEnable:
            self = .leSetExtendedScanEnable(try LESetExtendedScanEnable(decoding: parameters))
        case .leExtendedCreateConnection:
            self = .leExtendedCreateConnection(try LEExtendedCreateConnection(decoding: parameters))
        case .lePeriodicAdvertisingCreateSync:
            self = .lePeriodicAdvertisingCreateSync(try LEPeriodicAdvertisingCreateSync(decoding: parameters))
        case .lePeriodicAdvertisingCreateSyncCancel:
            self = .lePeriodicAdvertisingCreateSyncCancel(
                try LEPeriodicAdvertisingCreateSyncCancel(decoding: parameters))
        case .lePeriodicAdvertisingTerminateSync:
            self = .lePeriodicAdvertisingTerminateSync(try LEPeriodicAdvertisingTerminateSync(decoding: parameters))
        case .leAddDeviceToPeriodicAdvertiserList:
            self = .leAddDeviceToPeriodicAdvertiserList(try LEAddDeviceToPeriodicAdvertiserList(decoding: parameters))
        case .leRemoveDeviceFromPeriodicAdvertiserList:
            self = .leRemoveDeviceFromPeriodicAdvertiserList(
                try LERemoveDeviceFromPeriodicAdvertiserList(decoding: parameters))
        case .leClearPeriodicAdvertiserList:
            self = .leClearPeriodicAdvertiserList(try LEClearPeriodicAdvertiserList(decoding: parameters))
        case .leReadPeriodicAdvertiserListSize:
            self = .leReadPeriodicAdvertiserListSize(try LEReadPeriodicAdvertiserListSize(decoding: parameters))
        case .leReadTransmitPower: self = .leReadTransmitPower(try LEReadTransmitPower(decoding: parameters))
        case .leReadRFPathCompensation:
            self = .leReadRFPathCompensation(try LEReadRFPathCompensation(decoding: parameters))
        case .leWriteRFPathCompensation:
            self = .leWriteRFPathCompensation(try LEWriteRFPathCompensation(decoding: parameters))
        case .leSetPrivacyMode: self = .leSetPrivacyMode(try LESetPrivacyMode(decoding: parameters))
        case .leGenerateDHKeyV2: self = .leGenerateDHKeyV2(try LEGenerateDHKeyV2(decoding: parameters))
        case .leReadBufferSizeV2: self = .leReadBufferSizeV2(try LEReadBufferSizeV2(decoding: parameters))
        case .ravningJoin: self = .ravningJoin(try HCIRavningJoin(decoding: parameters))
        default:
            var reader = WireReader(parameters)
            var octets: [UInt8] = []
            try reader.rest("Parameters", &octets, limit: 0xFF)
            self = .unknown(opcode, octets)
        }
    }
}
