// The descriptions of errors. [contract 1.10]

extension FrameworkError {
    /// Apple's text where one was found; `*` marks sentences of our own.
    static func text(of code: CBError.Code) -> String {
        switch code {
        case .unknown: "Unknown error."
        case .invalidParameters: "One or more parameters were invalid."
        case .invalidHandle: "The attribute is not valid, or no longer."  // *
        case .notConnected: "The specified device is not connected."
        case .outOfSpace: "There is no space left."  // *
        case .operationCancelled: "The operation was cancelled."  // *
        case .connectionTimeout: "The connection has timed out unexpectedly."
        case .peripheralDisconnected: "The specified device has disconnected from us."
        case .uuidNotAllowed: "The specified UUID is not allowed for this operation."
        case .alreadyAdvertising: "Advertising has already started."
        case .connectionFailed: "The connection has failed unexpectedly."
        case .connectionLimitReached: "The system has reached the maximum number of connections."  // *
        case .unknownDevice: "The specified device is unknown."  // *
        case .operationNotSupported: "The operation is not supported."  // *
        case .peerRemovedPairingInformation: "Peer removed pairing information"
        case .encryptionTimedOut: "Failed to encrypt the connection, the connection has timed out unexpectedly."
        case .tooManyLEPairedDevices: "Too many devices are paired."  // *
        case .leGattExceededBackgroundNotificationLimit: "Too many notifications in the background."  // *
        case .leGattNearBackgroundNotificationLimit: "Nearly too many notifications in the background."  // *
        @unknown default: "Unknown error."
        }
    }

    static func text(of code: CBATTError.Code) -> String {
        switch code {
        case .success: "No error."  // *
        case .invalidHandle: "The handle is invalid."
        case .readNotPermitted: "Reading is not permitted."
        case .writeNotPermitted: "Writing is not permitted."
        case .invalidPdu: "The command is invalid."
        case .insufficientAuthentication: "Authentication is insufficient."
        case .requestNotSupported: "The request is not supported."
        case .invalidOffset: "The offset is invalid."
        case .insufficientAuthorization: "Authorization is insufficient."
        case .prepareQueueFull: "The prepare queue is full."
        case .attributeNotFound: "The attribute could not be found."
        case .attributeNotLong: "The attribute is not long."
        case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
        case .invalidAttributeValueLength: "The value's length is invalid."
        case .unlikelyError: "Unlikely error."
        case .insufficientEncryption: "Encryption is insufficient."
        case .unsupportedGroupType: "The group type is unsupported."
        case .insufficientResources: "Resources are insufficient."
        @unknown default: "Unknown ATT error."
        }
    }
}
