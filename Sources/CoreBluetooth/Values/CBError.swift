public import Foundation

/// The domain of ``CBError``: `CBErrorDomain`.
public let CBErrorDomain: String = "CBErrorDomain"

/// An error of Core Bluetooth itself, with Apple's codes. [contract 1.10]
///
/// On Apple's platforms callbacks hand out an `NSError`; here they hand out this structure, since an `NSError` isn't
/// converted by `as? CBError` on Linux. [contract 130]
public struct CBError: _BridgedStoredNSError, CustomStringConvertible, Sendable {
    /// What went wrong.
    public typealias Code = __CBErrorCode

    public let _nsError: NSError

    public init(_nsError error: NSError) {
        precondition(error.domain == CBErrorDomain, "not an error of CBErrorDomain")
        _nsError = error
    }

    public static var _nsErrorDomain: String { CBErrorDomain }
    /// `CBErrorDomain`.
    public static var errorDomain: String { CBErrorDomain }

    /// `Error Domain=CBErrorDomain Code=6 "…" UserInfo={NSLocalizedDescription=…}`. [contract 129]
    public var description: String { FrameworkError.describe(_nsError) }

    /// By the code. Foundation's own hash of an `NSError` never returns on Linux.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
}

extension __CBErrorCode: @retroactive _ErrorCodeProtocol {
    public typealias _ErrorType = CBError
}

extension CBError {
    /// The cause isn't known.
    public static var unknown: Code { .unknown }
    /// A parameter of the call isn't valid.
    public static var invalidParameters: Code { .invalidParameters }
    /// The attribute isn't valid, or not any more.
    public static var invalidHandle: Code { .invalidHandle }
    /// The device isn't connected.
    public static var notConnected: Code { .notConnected }
    /// There is no room left.
    public static var outOfSpace: Code { .outOfSpace }
    /// The operation was cancelled.
    public static var operationCancelled: Code { .operationCancelled }
    /// The connection, or the attempt, timed out.
    public static var connectionTimeout: Code { .connectionTimeout }
    /// The peripheral ended the connection.
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    /// The UUID belongs to the system.
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    /// Advertising has begun already.
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    /// The connection failed.
    public static var connectionFailed: Code { .connectionFailed }
    /// The controller has as many connections as it can have.
    public static var connectionLimitReached: Code { .connectionLimitReached }
    /// The device isn't known.
    public static var unknownDevice: Code { .unknownDevice }
    /// The operation isn't supported.
    public static var operationNotSupported: Code { .operationNotSupported }
    /// The peer has lost the pairing.
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    /// Encryption was asked for and didn't come.
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    /// No room for a further paired device.
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    /// More notifications than a program in the background may receive (Apple Watch only).
    public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
    /// Nearly as many notifications as a program in the background may receive (Apple Watch only).
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
    /// The misspelt name that Apple once published.
    @available(*, deprecated, renamed: "unknownDevice")
    public static var unkownDevice: Code { .unknownDevice }
}

extension __CBErrorCode {
    /// The misspelt name that Apple once published.
    @available(*, deprecated, renamed: "unknownDevice")
    public static var unkownDevice: __CBErrorCode { .unknownDevice }
}
