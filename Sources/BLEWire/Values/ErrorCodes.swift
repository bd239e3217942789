/// An HCI status or reason. [Vol 1, Part F]
package struct HCIStatus: WireCode {
    package var rawValue: UInt8
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    @inlinable package static var success: HCIStatus { HCIStatus(rawValue: 0x00) }
    @inlinable package static var unknownCommand: HCIStatus { HCIStatus(rawValue: 0x01) }
    @inlinable package static var unknownConnectionIdentifier: HCIStatus { HCIStatus(rawValue: 0x02) }
    @inlinable package static var hardwareFailure: HCIStatus { HCIStatus(rawValue: 0x03) }
    @inlinable package static var authenticationFailure: HCIStatus { HCIStatus(rawValue: 0x05) }
    @inlinable package static var pinOrKeyMissing: HCIStatus { HCIStatus(rawValue: 0x06) }
    @inlinable package static var memoryCapacityExceeded: HCIStatus { HCIStatus(rawValue: 0x07) }
    @inlinable package static var connectionTimeout: HCIStatus { HCIStatus(rawValue: 0x08) }
    @inlinable package static var connectionLimitExceeded: HCIStatus { HCIStatus(rawValue: 0x09) }
    @inlinable package static var connectionAlreadyExists: HCIStatus { HCIStatus(rawValue: 0x0B) }
    @inlinable package static var commandDisallowed: HCIStatus { HCIStatus(rawValue: 0x0C) }
    @inlinable package static var rejectedLimitedResources: HCIStatus { HCIStatus(rawValue: 0x0D) }
    @inlinable package static var unsupportedFeature: HCIStatus { HCIStatus(rawValue: 0x11) }
    @inlinable package static var invalidParameters: HCIStatus { HCIStatus(rawValue: 0x12) }
    @inlinable package static var remoteUserTerminated: HCIStatus { HCIStatus(rawValue: 0x13) }
    @inlinable package static var remoteLowResources: HCIStatus { HCIStatus(rawValue: 0x14) }
    @inlinable package static var remotePowerOff: HCIStatus { HCIStatus(rawValue: 0x15) }
    @inlinable package static var localHostTerminated: HCIStatus { HCIStatus(rawValue: 0x16) }
    @inlinable package static var unsupportedRemoteFeature: HCIStatus { HCIStatus(rawValue: 0x1A) }
    @inlinable package static var invalidLLParameters: HCIStatus { HCIStatus(rawValue: 0x1E) }
    @inlinable package static var unspecifiedError: HCIStatus { HCIStatus(rawValue: 0x1F) }
    @inlinable package static var unsupportedLLParameter: HCIStatus { HCIStatus(rawValue: 0x20) }
    @inlinable package static var llResponseTimeout: HCIStatus { HCIStatus(rawValue: 0x22) }
    @inlinable package static var llProcedureCollision: HCIStatus { HCIStatus(rawValue: 0x23) }
    @inlinable package static var instantPassed: HCIStatus { HCIStatus(rawValue: 0x28) }
    @inlinable package static var differentTransactionCollision: HCIStatus { HCIStatus(rawValue: 0x2A) }
    @inlinable package static var controllerBusy: HCIStatus { HCIStatus(rawValue: 0x3A) }
    @inlinable package static var unacceptableParameters: HCIStatus { HCIStatus(rawValue: 0x3B) }
    @inlinable package static var advertisingTimeout: HCIStatus { HCIStatus(rawValue: 0x3C) }
    @inlinable package static var micFailure: HCIStatus { HCIStatus(rawValue: 0x3D) }
    @inlinable package static var failedToBeEstablished: HCIStatus { HCIStatus(rawValue: 0x3E) }
    @inlinable package static var unknownAdvertisingIdentifier: HCIStatus { HCIStatus(rawValue: 0x42) }
    @inlinable package static var limitReached: HCIStatus { HCIStatus(rawValue: 0x43) }
    @inlinable package static var operationCancelledByHost: HCIStatus { HCIStatus(rawValue: 0x44) }
    @inlinable package static var packetTooLong: HCIStatus { HCIStatus(rawValue: 0x45) }
}

/// The code of an ATT_ERROR_RSP. [Vol 3, Part F, 3.4.1.1]
package struct ATTErrorCode: WireCode {
    package var rawValue: UInt8
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    @inlinable package static var success: ATTErrorCode { ATTErrorCode(rawValue: 0x00) }
    @inlinable package static var invalidHandle: ATTErrorCode { ATTErrorCode(rawValue: 0x01) }
    @inlinable package static var readNotPermitted: ATTErrorCode { ATTErrorCode(rawValue: 0x02) }
    @inlinable package static var writeNotPermitted: ATTErrorCode { ATTErrorCode(rawValue: 0x03) }
    @inlinable package static var invalidPDU: ATTErrorCode { ATTErrorCode(rawValue: 0x04) }
    @inlinable package static var insufficientAuthentication: ATTErrorCode { ATTErrorCode(rawValue: 0x05) }
    @inlinable package static var requestNotSupported: ATTErrorCode { ATTErrorCode(rawValue: 0x06) }
    @inlinable package static var invalidOffset: ATTErrorCode { ATTErrorCode(rawValue: 0x07) }
    @inlinable package static var insufficientAuthorization: ATTErrorCode { ATTErrorCode(rawValue: 0x08) }
    @inlinable package static var prepareQueueFull: ATTErrorCode { ATTErrorCode(rawValue: 0x09) }
    @inlinable package static var attributeNotFound: ATTErrorCode { ATTErrorCode(rawValue: 0x0A) }
    @inlinable package static var attributeNotLong: ATTErrorCode { ATTErrorCode(rawValue: 0x0B) }
    @inlinable package static var encryptionKeySizeTooShort: ATTErrorCode { ATTErrorCode(rawValue: 0x0C) }
    @inlinable package static var invalidAttributeValueLength: ATTErrorCode { ATTErrorCode(rawValue: 0x0D) }
    @inlinable package static var unlikelyError: ATTErrorCode { ATTErrorCode(rawValue: 0x0E) }
    @inlinable package static var insufficientEncryption: ATTErrorCode { ATTErrorCode(rawValue: 0x0F) }
    @inlinable package static var unsupportedGroupType: ATTErrorCode { ATTErrorCode(rawValue: 0x10) }
    @inlinable package static var insufficientResources: ATTErrorCode { ATTErrorCode(rawValue: 0x11) }
    @inlinable package static var databaseOutOfSync: ATTErrorCode { ATTErrorCode(rawValue: 0x12) }
    @inlinable package static var valueNotAllowed: ATTErrorCode { ATTErrorCode(rawValue: 0x13) }
    @inlinable package static var writeRequestRejected: ATTErrorCode { ATTErrorCode(rawValue: 0xFC) }
    @inlinable package static var clientCharacteristicConfigurationImproper: ATTErrorCode {
        ATTErrorCode(rawValue: 0xFD)
    }
    @inlinable package static var procedureAlreadyInProgress: ATTErrorCode { ATTErrorCode(rawValue: 0xFE) }
    @inlinable package static var outOfRange: ATTErrorCode { ATTErrorCode(rawValue: 0xFF) }
}
