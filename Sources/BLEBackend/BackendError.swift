package import BLEWire

/// Why an operation failed, in the facade's terms, with what lay beneath.
package struct BackendError: Error, Equatable, Sendable {
    /// What the facade maps to a `CBError` or `CBATTError`.
    package enum Cause: Equatable, Sendable {
        /// An ATT error, from the peer or from our own checks → `CBATTError`.
        case att(ATTErrorCode)
        case unknown
        case invalidParameters
        case invalidHandle
        case notConnected
        case outOfSpace
        case operationCancelled
        case connectionTimeout
        case peripheralDisconnected
        case uuidNotAllowed
        case alreadyAdvertising
        case connectionFailed
        case connectionLimitReached
        case unknownDevice
        case operationNotSupported
        case peerRemovedPairingInformation
        case encryptionTimedOut
        case tooManyLEPairedDevices
    }
    package var cause: Cause
    /// The layer and code beneath, for a person: `HCI 0x3E Connection Failed to be Established`.
    package var underlying: String?

    package init(_ cause: Cause, underlying: String? = nil) {
        self.cause = cause
        self.underlying = underlying
    }
}
