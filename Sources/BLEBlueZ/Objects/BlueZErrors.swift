import BLEBackend
import BLEWire

// What BlueZ's errors are in the API's terms: one table for each occasion.
extension BackendError {
    /// Why an operation on an attribute failed.
    init(operation failure: DBusFailure, isWrite: Bool) {
        self.init(Self.cause(of: failure, isWrite: isWrite), underlying: failure.text)
    }

    private static func cause(of failure: DBusFailure, isWrite: Bool) -> Cause {
        if let code = failure.attError { return .att(code) }
        switch failure.bluez {
        case "NotPermitted" where failure.message.hasSuffix("acquired"): return .operationNotSupported
        case "NotPermitted" where failure.message == "Not paired": return .att(.insufficientAuthentication)
        case "NotPermitted": return .att(isWrite ? .writeNotPermitted : .readNotPermitted)
        case "NotAuthorized": return .att(.insufficientAuthorization)
        case "NotSupported": return .att(.requestNotSupported)
        case "InvalidArguments" where failure.message == "Invalid offset": return .att(.invalidOffset)
        case "InvalidArguments" where failure.message == "Invalid Length", "InvalidValueLength":
            return .att(.invalidAttributeValueLength)
        case "InvalidOffset": return .att(.invalidOffset)
        case "InvalidArguments": return .invalidParameters
        case "NotConnected", "NotReady": return .notConnected
        case "Failed" where failure.message == "Not connected": return .notConnected
        case "AuthenticationFailed", "AuthenticationCanceled", "AuthenticationRejected", "AuthenticationTimeout":
            return .att(.insufficientAuthentication)
        case "Failed": return .att(.unlikelyError)
        default: break
        }
        if failure.isObjectGone { return .att(.invalidHandle) }
        return failure.isTimeout ? .connectionTimeout : .unknown
    }

    /// Why a connection wasn't made. [contract 49]
    init(connecting failure: DBusFailure) {
        let cause: Cause =
            if failure.isBondLost {
                .peerRemovedPairingInformation
            } else if failure.message.contains("concurrent-connection-limit") {
                .connectionLimitReached
            } else if failure.message.contains("key-missing") {
                .peerRemovedPairingInformation
            } else if failure.bluez == "NotSupported" || failure.message.contains("not-supported") {
                .operationNotSupported
            } else if failure.isTimeout || failure.message.contains("timeout") {
                .connectionTimeout
            } else {
                .connectionFailed
            }
        self.init(cause, underlying: failure.text)
    }

    /// Why a link ended that nobody here wanted to end: what `Disconnected` says, which BlueZ has since 5.83.
    /// [contract 48, 50]
    init(disconnecting reason: String) {
        let cause: Cause =
            switch reason {
            case "org.bluez.Reason.Timeout": .connectionTimeout
            case "org.bluez.Reason.Authentication": .peerRemovedPairingInformation
            case "org.bluez.Reason.Local", "org.bluez.Reason.Suspend": .connectionFailed
            default: .peripheralDisconnected
            }
        self.init(cause, underlying: "BlueZ: \(reason)")
    }

    /// The link's end without a reason: what happens most.
    static let unexplainedEnd = BackendError(
        .peripheralDisconnected, underlying: "BlueZ: the device is disconnected, and this version doesn't tell why")

    /// Why something local wasn't done: a service not added, advertising not started.
    init(local failure: DBusFailure) {
        let cause: Cause =
            switch failure.bluez {
            case "NotPermitted": .outOfSpace
            case "NotSupported": .operationNotSupported
            case "InvalidArguments", "InvalidLength": .invalidParameters
            default: .unknown
            }
        self.init(cause, underlying: failure.text)
    }
}

extension DBusFailure {
    /// The last part of the name of an error of BlueZ's; empty for others'.
    var bluez: String {
        let prefix = BlueZName.error("")
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : ""
    }

    /// For a person: who says it, and what.
    var text: String { "BlueZ: \(description)" }

    /// `Operation failed with ATT error: 0x80`
    var attError: ATTErrorCode? {
        guard message.contains("ATT error"), let word = message.split(separator: " ").last, word.hasPrefix("0x") else {
            return nil
        }
        return UInt8(word.dropFirst(2), radix: 16).map(ATTErrorCode.init(rawValue:))
    }

    /// Somebody is at it already: another program, or one that has ended in the midst of it.
    var isInProgress: Bool {
        bluez == "InProgress" || message.contains("connection-busy") || message.contains("already in progress")
    }
    /// The object isn't there any more.
    var isObjectGone: Bool {
        name == DBusName.bus + ".Error.UnknownObject" || name == DBusName.bus + ".Error.UnknownMethod"
            || bluez == "DoesNotExist"
    }
    var isTimeout: Bool {
        name == DBusName.bus + ".Error.NoReply" || name == DBusName.bus + ".Error.Timeout"
            || name == DBusName.bus + ".Error.TimedOut"
    }
    /// A bonded device has ended each link as soon as there was one.
    var isBondLost: Bool { name == Self.bondLost.name }
    static let bondLost = DBusFailure(
        "org.ravning.Error.BondLost", "a bonded device ends each link at once, as one does that has forgotten the bond")
    /// The bus's rules don't let us.
    var isAccessDenied: Bool { name == DBusName.bus + ".Error.AccessDenied" }
}
