extension HCICommand {
    package var opcode: HCIOpcode {
        switch self {
        case .disconnect: .disconnect
        case .readRemoteVersionInformation: .readRemoteVersionInformation
        case .setEventMask: .setEventMask
        case .reset: .reset
        case .readTransmitPowerLevel: .readTransmitPowerLevel
        case .setControllerToHostFlowControl: .setControllerToHostFlowControl
        case .hostBufferSize: .hostBufferSize
        case .hostNumberOfCompletedPackets: .hostNumberOfCompletedPackets
        case .setEventMaskPage2: .setEventMaskPage2
        case .readLEHostSupport: .readLEHostSupport
        case .writeLEHostSupport: .writeLEHostSupport
        case .readAuthenticatedPayloadTimeout: .readAuthenticatedPayloadTimeout
        case .writeAuthenticatedPayloadTimeout: .writeAuthenticatedPayloadTimeout
        case .readLocalVersionInformation: .readLocalVersionInformation
        case .readLocalSupportedCommands: .readLocalSupportedCommands
        case .readLocalSupportedFeatures: .readLocalSupportedFeatures
        case .readBufferSize: .readBufferSize
        case .readBDAddr: .readBDAddr
        case .readRSSI: .readRSSI
        case .leSetEventMask: .leSetEventMask
        case .leReadBufferSize: .leReadBufferSize
        case .leReadLocalSupportedFeatures: .leReadLocalSupportedFeatures
        case .leSetRandomAddress: .leSetRandomAddress
        case .leSetAdvertisingParameters: .leSetAdvertisingParameters
        case .leReadAdvertisingPhysicalChannelTxPower: .leReadAdvertisingPhysicalChannelTxPower
        case .leSetAdvertisingData: .leSetAdvertisingData
        case .leSetScanResponseData: .leSetScanResponseData
        case .leSetAdvertisingEnable: .leSetAdvertisingEnable
        case .leSetScanParameters: .leSetScanParameters
        case .leSetScanEnable: .leSetScanEnable
        case .leCreateConnection: .leCreateConnection
        case .leCreateConnectionCancel: .leCreateConnectionCancel
        case .leReadFilterAcceptListSize: .leReadFilterAcceptListSize
        case .leClearFilterAcceptList: .leClearFilterAcceptList
        case .leAddDeviceToFilterAcceptList: .leAddDeviceToFilterAcceptList
        case .leRemoveDeviceFromFilterAcceptList: .leRemoveDeviceFromFilterAcceptList
        case .leConnectionUpdate: .leConnectionUpdate
        case .leSetHostChannelClassification: .leSetHostChannelClassification
        case .leReadChannelMap: .leReadChannelMap
        case .leReadRemoteFeatures: .leReadRemoteFeatures
        case .leEncrypt: .leEncrypt
        case .leRand: .leRand
        case .leEnableEncryption: .leEnableEncryption
        case .leLongTermKeyRequestReply: .leLongTermKeyRequestReply
        case .leLongTermKeyRequestNegativeReply: .leLongTermKeyRequestNegativeReply
        case .leReadSupportedStates: .leReadSupportedStates
        case .leRemoteConnectionParameterRequestReply: .leRemoteConnectionParameterRequestReply
        case .leRemoteConnectionParameterRequestNegativeReply: .leRemoteConnectionParameterRequestNegativeReply
        case .leSetDataLength: .leSetDataLength
        case .leReadSuggestedDefaultDataLength: .leReadSuggestedDefaultDataLength
        case .leWriteSuggestedDefaultDataLength: .leWriteSuggestedDefaultDataLength
        case .leReadLocalP256PublicKey: .leReadLocalP256PublicKey
        case .leGenerateDHKey: .leGenerateDHKey
        case .leAddDeviceToResolvingList: .leAddDeviceToResolvingList
        case .leRemoveDeviceFromResolvingList: .leRemoveDeviceFromResolvingList
        case .leClearResolvingList: .leClearResolvingList
        case .leReadResolvingListSize: .leReadResolvingListSize
        case .leReadPeerResolvableAddress: .leReadPeerResolvableAddress
        case .leReadLocalResolvableAddress: .leReadLocalResolvableAddress
        case .leSetAddressResolutionEnable: .leSetAddressResolutionEnable
        case .leSetResolvablePrivateAddressTimeout: .leSetResolvablePrivateAddressTimeout
        case .leReadMaximumDataLength: .leReadMaximumDataLength
        case .leReadPHY: .leReadPHY
        case .leSetDefaultPHY: .leSetDefaultPHY
        case .leSetPHY: .leSetPHY
        case .leSetAdvertisingSetRandomAddress: .leSetAdvertisingSetRandomAddress
        case .leSetExtendedAdvertisingParameters: .leSetExtendedAdvertisingParameters
        case .leSetExtendedAdvertisingData: .leSetExtendedAdvertisingData
        case .leSetExtendedScanResponseData: .leSetExtendedScanResponseData
        case .leSetExtendedAdvertisingEnable: .leSetExtendedAdvertisingEnable
        case .leReadMaximumAdvertisingDataLength: .leReadMaximumAdvertisingDataLength
        case .leReadNumberOfSupportedAdvertisingSets: .leReadNumberOfSupportedAdvertisingSets
        case .leRemoveAdvertisingSet: .leRemoveAdvertisingSet
        case .leClearAdvertisingSets: .leClearAdvertisingSets
        case .leSetPeriodicAdvertisingParameters: .leSetPeriodicAdvertisingParameters
        case .leSetPeriodicAdvertisingData: .leSetPeriodicAdvertisingData
        case .leSetPeriodicAdvertisingEnable: .leSetPeriodicAdvertisingEnable
        case .leSetExtendedScanParameters: .leSetExtendedScanParameters
        case .leSetExtendedScanEnable: .leSetExtendedScanEnable
        case .leExtendedCreateConnection: .leExtendedCreateConnection
        case .lePeriodicAdvertisingCreateSync: .lePeriodicAdvertisingCreateSync
        case .lePeriodicAdvertisingCreateSyncCancel: .lePeriodicAdvertisingCreateSyncCancel
        case .lePeriodicAdvertisingTerminateSync: .lePeriodicAdvertisingTerminateSync
        case .leAddDeviceToPeriodicAdvertiserList: .leAddDeviceToPeriodicAdvertiserList
        case .leRemoveDeviceFromPeriodicAdvertiserList: .leRemoveDeviceFromPeriodicAdvertiserList
        case .leClearPeriodicAdvertiserList: .leClearPeriodicAdvertiserList
        case .leReadPeriodicAdvertiserListSize: .leReadPeriodicAdvertiserListSize
        case .leReadTransmitPower: .leReadTransmitPower
        case .leReadRFPathCompensation: .leReadRFPathCompensation
        case .leWriteRFPathCompensation: .leWriteRFPathCompensation
        case .leSetPrivacyMode: .leSetPrivacyMode
        case .leGenerateDHKeyV2: .leGenerateDHKeyV2
        case .leReadBufferSizeV2: .leReadBufferSizeV2
        case .ravningJoin: .ravningJoin
        case .unknown(let opcode, _): opcode
        }
    }

    /// The whole packet with its H4 indicator. [Vol 4, Part A, 2]
    package func packet() -> [UInt8] {
        switch self {
        case .disconnect(let command): HCIFraming.command(command)
        case .readRemoteVersionInformation(let command): HCIFraming.command(command)
        case .setEventMask(let command): HCIFraming.command(command)
        case .reset(let command): HCIFraming.command(command)
        case .readTransmitPowerLevel(let command): HCIFraming.command(command)
        case .setControllerToHostFlowControl(let command): HCIFraming.command(command)
        case .hostBufferSize(let command): HCIFraming.command(command)
        case .hostNumberOfCompletedPackets(let command): HCIFraming.command(command)
        case .setEventMaskPage2(let command): HCIFraming.command(command)
        case .readLEHostSupport(let command): HCIFraming.command(command)
        case .writeLEHostSupport(let command): HCIFraming.command(command)
        case .readAuthenticatedPayloadTimeout(let command): HCIFraming.command(command)
        case .writeAuthenticatedPayloadTimeout(let command): HCIFraming.command(command)
        case .readLocalVersionInformation(let command): HCIFraming.command(command)
        case .readLocalSupportedCommands(let command): HCIFraming.command(command)
        case .readLocalSupportedFeatures(let command): HCIFraming.command(command)
        case .readBufferSize(let command): HCIFraming.command(command)
        case .readBDAddr(let command): HCIFraming.command(command)
        case .readRSSI(let command): HCIFraming.command(command)
        case .leSetEventMask(let command): HCIFraming.command(command)
        case .leReadBufferSize(let command): HCIFraming.command(command)
        case .leReadLocalSupportedFeatures(let command): HCIFraming.command(command)
        case .leSetRandomAddress(let command): HCIFraming.command(command)
        case .leSetAdvertisingParameters(let command): HCIFraming.command(command)
        case .leReadAdvertisingPhysicalChannelTxPower(let command): HCIFraming.command(command)
        case .leSetAdvertisingData(let command): HCIFraming.command(command)
        case .leSetScanResponseData(let command): HCIFraming.command(command)
        case .leSetAdvertisingEnable(let command): HCIFraming.command(command)
        case .leSetScanParameters(let command): HCIFraming.command(command)
        case .leSetScanEnable(let command): HCIFraming.command(command)
        case .leCreateConnection(let command): HCIFraming.command(command)
        case .leCreateConnectionCancel(let command): HCIFraming.command(command)
        case .leReadFilterAcceptListSize(let command): HCIFraming.command(command)
        case .leClearFilterAcceptList(let command): HCIFraming.command(command)
        case .leAddDeviceToFilterAcceptList(let command): HCIFraming.command(command)
        case .leRemoveDeviceFromFilterAcceptList(let command): HCIFraming.command(command)
        case .leConnectionUpdate(let command): HCIFraming.command(command)
        case .leSetHostChannelClassification(let command): HCIFraming.command(command)
        case .leReadChannelMap(let command): HCIFraming.command(command)
        case .leReadRemoteFeatures(let command): HCIFraming.command(command)
        case .leEncrypt(let command): HCIFraming.command(command)
        case .leRand(let command): HCIFraming.command(command)
        case .leEnableEncryption(let command): HCIFraming.command(command)
        case .leLongTermKeyRequestReply(let command): HCIFraming.command(command)
        case .leLongTermKeyRequestNegativeReply(let command): HCIFraming.command(command)
        case .leReadSupportedStates(let command): HCIFraming.command(command)
        case .leRemoteConnectionParameterRequestReply(let command): HCIFraming.command(command)
        case .leRemoteConnectionParameterRequestNegativeReply(let command): HCIFraming.command(command)
        case .leSetDataLength(let command): HCIFraming.command(command)
        case .leReadSuggestedDefaultDataLength(let command): HCIFraming.command(command)
        case .leWriteSuggestedDefaultDataLength(let command): HCIFraming.command(command)
        case .leReadLocalP256PublicKey(let command): HCIFraming.command(command)
        case .leGenerateDHKey(let command): HCIFraming.command(command)
        case .leAddDeviceToResolvingList(let command): HCIFraming.command(command)
        case .leRemoveDeviceFromResolvingList(let command): HCIFraming.command(command)
        case .leClearResolvingList(let command): HCIFraming.command(command)
        case .leReadResolvingListSize(let command): HCIFraming.command(command)
        case .leReadPeerResolvableAddress(let command): HCIFraming.command(command)
        case .leReadLocalResolvableAddress(let command): HCIFraming.command(command)
        case .leSetAddressResolutionEnable(let command): HCIFraming.command(command)
        case .leSetResolvablePrivateAddressTimeout(let command): HCIFraming.command(command)
        case .leReadMaximumDataLength(let command): HCIFraming.command(command)
        case .leReadPHY(let command): HCIFraming.command(command)
        case .leSetDefaultPHY(let command): HCIFraming.command(command)
        case .leSetPHY(let command): HCIFraming.command(command)
        case .leSetAdvertisingSetRandomAddress(let command): HCIFraming.command(command)
        case .leSetExtendedAdvertisingParameters(let command): HCIFraming.command(command)
        case .leSetExtendedAdvertisingData(let command): HCIFraming.command(command)
        case .leSetExtendedScanResponseData(let command): HCIFraming.command(command)
        case .leSetExtendedAdvertisingEnable(let command): HCIFraming.command(command)
        case .leReadMaximumAdvertisingDataLength(let command): HCIFraming.command(command)
        case .leReadNumberOfSupportedAdvertisingSets(let command): HCIFraming.command(command)
        case .leRemoveAdvertisingSet(let command): HCIFraming.command(command)
        case .leClearAdvertisingSets(let command): HCIFraming.command(command)
        case .leSetPeriodicAdvertisingParameters(let command): HCIFraming.command(command)
        case .leSetPeriodicAdvertisingData(let command): HCIFraming.command(command)
        case .leSetPeriodicAdvertisingEnable(let command): HCIFraming.command(command)
        case .leSetExtendedScanParameters(let command): HCIFraming.command(command)
        case .leSetExtendedScanEnable(let command): HCIFraming.command(command)
        case .leExtendedCreateConnection(let command): HCIFraming.command(command)
        case .lePeriodicAdvertisingCreateSync(let command): HCIFraming.command(command)
        case .lePeriodicAdvertisingCreateSyncCancel(let command): HCIFraming.command(command)
        case .lePeriodicAdvertisingTerminateSync(let command): HCIFraming.command(command)
        case .leAddDeviceToPeriodicAdvertiserList(let command): HCIFraming.command(command)
        case .leRemoveDeviceFromPeriodicAdvertiserList(let command): HCIFraming.command(command)
        case .leClearPeriodicAdvertiserList(let command): HCIFraming.command(command)
        case .leReadPeriodicAdvertiserListSize(let command): HCIFraming.command(command)
        case .leReadTransmitPower(let command): HCIFraming.command(command)
        case .leReadRFPathCompensation(let command): HCIFraming.command(command)
        case .leWriteRFPathCompensation(let command): HCIFraming.command(command)
        case .leSetPrivacyMode(let command): HCIFraming.command(command)
        case .leGenerateDHKeyV2(let command): HCIFraming.command(command)
        case .leReadBufferSizeV2(let command): HCIFraming.command(command)
        case .ravningJoin(let command): HCIFraming.command(command)
        case .unknown(let opcode, let parameters): HCIFraming.command(opcode, parameters: parameters)
        }
    }
}
