public import Foundation

/// The domain of ``CBATTError``: `CBATTErrorDomain`.
public let CBATTErrorDomain: String = "CBATTErrorDomain"

/// An ATT error, from the other side or from a check of our own. [contract 1.10] [Vol 3, Part F, 3.4.1.1]
///
/// Codes without a name (application errors from 0x80, profile errors from 0xE0) keep their raw value.
public struct CBATTError: _BridgedStoredNSError, CustomStringConvertible, Sendable {
    /// The code of the ATT_ERROR_RSP.
    public typealias Code = __CBATTErrorCode

    public let _nsError: NSError

    public init(_nsError error: NSError) {
        precondition(error.domain == CBATTErrorDomain, "not an error of CBATTErrorDomain")
        _nsError = error
    }

    public static var _nsErrorDomain: String { CBATTErrorDomain }
    /// `CBATTErrorDomain`.
    public static var errorDomain: String { CBATTErrorDomain }

    /// `Error Domain=CBATTErrorDomain Code=2 "…" UserInfo={NSLocalizedDescription=…}`. [contract 129]
    public var description: String { FrameworkError.describe(_nsError) }

    /// By the code. Foundation's own hash of an `NSError` never returns on Linux.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
}

extension __CBATTErrorCode: @retroactive _ErrorCodeProtocol {
    public typealias _ErrorType = CBATTError
}

extension CBATTError {
    /// No error.
    public static var success: Code { .success }
    /// The handle isn't valid on this server.
    public static var invalidHandle: Code { .invalidHandle }
    /// The attribute can't be read.
    public static var readNotPermitted: Code { .readNotPermitted }
    /// The attribute can't be written.
    public static var writeNotPermitted: Code { .writeNotPermitted }
    /// The PDU was malformed.
    public static var invalidPdu: Code { .invalidPdu }
    /// The link must be authenticated first.
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    /// The server doesn't know the request.
    public static var requestNotSupported: Code { .requestNotSupported }
    /// The offset lies past the end of the value.
    public static var invalidOffset: Code { .invalidOffset }
    /// The program on the other side refuses.
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    /// Too many prepared writes.
    public static var prepareQueueFull: Code { .prepareQueueFull }
    /// No attribute in the range.
    public static var attributeNotFound: Code { .attributeNotFound }
    /// The attribute can't be read in parts.
    public static var attributeNotLong: Code { .attributeNotLong }
    /// The key of the encrypted link is too short.
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    /// The value has the wrong length.
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    /// Something that was not to be expected.
    public static var unlikelyError: Code { .unlikelyError }
    /// The link must be encrypted first.
    public static var insufficientEncryption: Code { .insufficientEncryption }
    /// Not a grouping attribute.
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    /// The server lacks resources.
    public static var insufficientResources: Code { .insufficientResources }
}
