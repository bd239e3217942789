/// The code of a command of the Security Manager Protocol. [Vol 3, Part H, 3.3]
package struct SMPCode: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let pairingRequest = SMPCode(rawValue: 0x01)
    package static let pairingResponse = SMPCode(rawValue: 0x02)
    package static let pairingConfirm = SMPCode(rawValue: 0x03)
    package static let pairingRandom = SMPCode(rawValue: 0x04)
    package static let pairingFailed = SMPCode(rawValue: 0x05)
    package static let encryptionInformation = SMPCode(rawValue: 0x06)
    package static let centralIdentification = SMPCode(rawValue: 0x07)
    package static let identityInformation = SMPCode(rawValue: 0x08)
    package static let identityAddressInformation = SMPCode(rawValue: 0x09)
    package static let signingInformation = SMPCode(rawValue: 0x0A)
    package static let securityRequest = SMPCode(rawValue: 0x0B)
    package static let pairingPublicKey = SMPCode(rawValue: 0x0C)
    package static let pairingDHKeyCheck = SMPCode(rawValue: 0x0D)
    package static let pairingKeypressNotification = SMPCode(rawValue: 0x0E)
}

/// Why a pairing failed. [Vol 3, Part H, 3.5.5]
package struct SMPReason: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let passkeyEntryFailed = SMPReason(rawValue: 0x01)
    package static let oobNotAvailable = SMPReason(rawValue: 0x02)
    package static let authenticationRequirements = SMPReason(rawValue: 0x03)
    package static let confirmValueFailed = SMPReason(rawValue: 0x04)
    package static let pairingNotSupported = SMPReason(rawValue: 0x05)
    package static let encryptionKeySize = SMPReason(rawValue: 0x06)
    package static let commandNotSupported = SMPReason(rawValue: 0x07)
    package static let unspecifiedReason = SMPReason(rawValue: 0x08)
    package static let repeatedAttempts = SMPReason(rawValue: 0x09)
    package static let invalidParameters = SMPReason(rawValue: 0x0A)
    package static let dhKeyCheckFailed = SMPReason(rawValue: 0x0B)
    package static let numericComparisonFailed = SMPReason(rawValue: 0x0C)
    package static let brEDRPairingInProgress = SMPReason(rawValue: 0x0D)
    package static let crossTransportNotAllowed = SMPReason(rawValue: 0x0E)
    package static let keyRejected = SMPReason(rawValue: 0x0F)
    package static let busy = SMPReason(rawValue: 0x10)
}

extension SMPReason: NamedCode, CustomStringConvertible {
    package var codeName: String? { Self.names[rawValue] }

    /// The name and the number: `Confirm Value Failed (0x04)`.
    package var description: String {
        codeName.map { "\($0) (\(Hex.prefixed(rawValue)))" } ?? Hex.prefixed(rawValue)
    }

    private static let names: [UInt8: String] = [
        0x01: "Passkey Entry Failed",
        0x02: "OOB Not Available",
        0x03: "Authentication Requirements",
        0x04: "Confirm Value Failed",
        0x05: "Pairing Not Supported",
        0x06: "Encryption Key Size",
        0x07: "Command Not Supported",
        0x08: "Unspecified Reason",
        0x09: "Repeated Attempts",
        0x0A: "Invalid Parameters",
        0x0B: "DHKey Check Failed",
        0x0C: "Numeric Comparison Failed",
        0x0D: "BR/EDR pairing in progress",
        0x0E: "Cross-transport Key Derivation/Generation not allowed",
        0x0F: "Key Rejected",
        0x10: "Busy",
    ]
}
