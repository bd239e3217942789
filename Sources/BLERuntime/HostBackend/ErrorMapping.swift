import BLEBackend
import BLEHost
import BLEWire

// What the facade's errors are for what happened beneath: one table for each occasion.
extension BackendError {
    /// Why a connection wasn't made. [contract 49]
    init(connecting error: HostError) {
        let cause: Cause =
            switch error {
            case .hci(.connectionLimitExceeded), .hci(.rejectedLimitedResources), .hci(.memoryCapacityExceeded):
                .connectionLimitReached
            case .hci(.invalidParameters), .invalidParameters: .invalidParameters
            case .hci(.connectionTimeout): .connectionTimeout
            case .cancelled: .operationCancelled
            default: .connectionFailed
            }
        self.init(cause, underlying: error.text)
    }

    /// Why a link ended that nobody here wanted to end. [contract 48, 50]
    init(disconnecting reason: HCIStatus) {
        let cause: Cause =
            switch reason {
            case .remoteUserTerminated, .remoteLowResources, .remotePowerOff, .unsupportedRemoteFeature,
                .unacceptableParameters:
                .peripheralDisconnected
            // Our own host ends a link whose peer left a transaction unanswered.
            case .connectionTimeout, .llResponseTimeout, .localHostTerminated: .connectionTimeout
            case .authenticationFailure, .pinOrKeyMissing: .peerRemovedPairingInformation
            default: .connectionFailed
            }
        self.init(cause, underlying: HostError.hci(reason).text)
    }

    /// Why a link ended that couldn't be encrypted with the key of its bond. [contract 50]
    init(encrypting reason: HCIStatus) {
        switch reason {
        case .connectionTimeout, .llResponseTimeout:
            self.init(.encryptionTimedOut, underlying: HostError.hci(reason).text)
        default: self.init(disconnecting: reason)
        }
    }

    /// Why an operation on a link failed.
    init(operation error: HostError) {
        let cause: Cause =
            switch error {
            case .att(let code): .att(code)
            case .attTimeout, .commandTimeout: .connectionTimeout
            case .invalidResponse: .att(.unlikelyError)
            case .disconnected, .notPoweredOn, .transport: .notConnected
            case .invalidParameters: .invalidParameters
            case .cancelled: .operationCancelled
            case .pairing(.timeout), .pairing(.encryption(.connectionTimeout)),
                .pairing(.encryption(.llResponseTimeout)):
                .encryptionTimedOut
            case .pairing: .att(.insufficientAuthentication)
            case .hci(.unknownCommand), .hci(.unsupportedFeature), .unsupported: .operationNotSupported
            case .hci(let status): BackendError(disconnecting: status).cause
            case .l2cap(let result): Self.cause(of: result)
            }
        self.init(cause, underlying: error.text)
    }

    /// Why a peer didn't open a channel: what is about security has an ATT error of the same meaning. [contract 122]
    private static func cause(of result: L2CAPConnectionResult) -> Cause {
        switch result {
        case .insufficientAuthentication: .att(.insufficientAuthentication)
        case .insufficientAuthorization: .att(.insufficientAuthorization)
        case .encryptionKeySizeTooShort: .att(.encryptionKeySizeTooShort)
        case .insufficientEncryption: .att(.insufficientEncryption)
        case .noResources: .outOfSpace
        case .spsmNotSupported: .operationNotSupported
        default: .connectionFailed
        }
    }

    /// Why something local wasn't done: a service not added, advertising not started.
    init(local error: HostError) {
        let cause: Cause =
            switch error {
            case .hci(.memoryCapacityExceeded), .hci(.connectionLimitExceeded), .hci(.limitReached),
                .att(.insufficientResources):
                .outOfSpace
            case .hci(.unsupportedFeature), .hci(.unknownCommand), .unsupported: .operationNotSupported
            case .hci(.invalidParameters), .invalidParameters: .invalidParameters
            case .cancelled: .operationCancelled
            default: .unknown
            }
        self.init(cause, underlying: error.text)
    }
}

extension PairingFailure {
    /// Who has ended the pairing, and why, for a person.
    var text: String {
        switch self {
        case .sent(let reason): "pairing ended here: \(reason)"
        case .received(let reason): "the peer ended the pairing: \(reason)"
        case .timeout: "no answer within the time-out of pairing"
        case .encryption(let status): "the link wasn't encrypted: \(status)"
        case .disconnected(let status): "the link ended while pairing: \(status)"
        }
    }
}

extension HostError {
    /// The layer and the code, for a person.
    var text: String {
        switch self {
        case .hci(let status): "HCI status \(Hex.prefixed(status.rawValue))"
        case .att(let code): "ATT error \(Hex.prefixed(code.rawValue))"
        case .l2cap(let result): "L2CAP connection result \(Hex.prefixed(result.rawValue))"
        case .attTimeout: "no answer within the ATT transaction time-out"
        case .invalidResponse(let text): "the peer answered nonsense: \(text)"
        case .disconnected(let reason): "the link ended, HCI reason \(Hex.prefixed(reason.rawValue))"
        case .commandTimeout(let opcode): "the controller didn't answer command \(Hex.prefixed(opcode))"
        case .transport(let text): "transport: \(text)"
        case .invalidParameters(let text): "invalid parameters: \(text)"
        case .unsupported(let text): text
        case .pairing(let failure): failure.text
        case .notPoweredOn: "the host isn't powered on"
        case .cancelled: "cancelled"
        }
    }
}
