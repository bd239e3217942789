internal import BLEBackend
internal import BLEWire
internal import Foundation

/// Makes the errors that callbacks hand out: Apple's domains, codes and texts. [contract 1.10, 130]
enum FrameworkError {
    /// What a backend reports, in the program's terms.
    static func make(_ error: BackendError) -> any Error {
        if case .att(let code) = error.cause { return make(CBATTError.Code(code), underlying: error.underlying) }
        return make(code(of: error.cause), underlying: error.underlying)
    }

    static func make(_ code: CBError.Code, underlying: String? = nil) -> any Error {
        CBError(_nsError: nsError(CBErrorDomain, code.rawValue, text(of: code), underlying))
    }

    static func make(_ code: CBATTError.Code, underlying: String? = nil) -> any Error {
        CBATTError(_nsError: nsError(CBATTErrorDomain, code.rawValue, text(of: code), underlying))
    }

    /// Apple's form of a printed error. [contract 129]
    static func describe(_ error: NSError) -> String {
        let info = error.userInfo.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let text = error.userInfo[NSLocalizedDescriptionKey].map { "\"\($0)\"" } ?? "\"(null)\""
        let head = "Error Domain=\(error.domain) Code=\(error.code) \(text)"
        return info.isEmpty ? head : head + " UserInfo={\(info.joined(separator: ", "))}"
    }

    /// The cause underneath goes to the log only: Apple's errors carry the description and nothing else, and programs
    /// print and compare them.
    private static func nsError(_ domain: String, _ code: Int, _ text: String, _ underlying: String?) -> NSError {
        if let underlying { Diagnostics.log(.info, "api", "\(domain) \(code), \(text) Cause: \(underlying)") }
        return NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    private static func code(of cause: BackendError.Cause) -> CBError.Code {
        switch cause {
        case .att, .unknown: .unknown
        case .invalidParameters: .invalidParameters
        case .invalidHandle: .invalidHandle
        case .notConnected: .notConnected
        case .outOfSpace: .outOfSpace
        case .operationCancelled: .operationCancelled
        case .connectionTimeout: .connectionTimeout
        case .peripheralDisconnected: .peripheralDisconnected
        case .uuidNotAllowed: .uuidNotAllowed
        case .alreadyAdvertising: .alreadyAdvertising
        case .connectionFailed: .connectionFailed
        case .connectionLimitReached: .connectionLimitReached
        case .unknownDevice: .unknownDevice
        case .operationNotSupported: .operationNotSupported
        case .peerRemovedPairingInformation: .peerRemovedPairingInformation
        case .encryptionTimedOut: .encryptionTimedOut
        case .tooManyLEPairedDevices: .tooManyLEPairedDevices
        }
    }
}

extension CBATTError.Code {
    init(_ code: ATTErrorCode) { self = .init(rawValue: Int(code.rawValue)) ?? .unlikelyError }
}

extension ATTErrorCode {
    /// The code as it goes over the air; what doesn't fit an octet can't have been meant.
    init(_ code: CBATTError.Code) { self = UInt8(exactly: code.rawValue).map(ATTErrorCode.init) ?? .unlikelyError }
}
