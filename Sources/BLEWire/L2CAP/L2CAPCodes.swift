/// Why a signalling command was rejected. [Vol 3, Part A, 4.1]
package struct L2CAPRejectReason: WireCode {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let notUnderstood = L2CAPRejectReason(rawValue: 0x0000)
    package static let signallingMTUExceeded = L2CAPRejectReason(rawValue: 0x0001)
    package static let invalidChannel = L2CAPRejectReason(rawValue: 0x0002)
}

/// Whether a credit based channel was opened. [Vol 3, Part A, 4.23], [Vol 3, Part A, 4.26]
package struct L2CAPConnectionResult: WireCode {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let success = L2CAPConnectionResult(rawValue: 0x0000)
    package static let spsmNotSupported = L2CAPConnectionResult(rawValue: 0x0002)
    package static let noResources = L2CAPConnectionResult(rawValue: 0x0004)
    package static let insufficientAuthentication = L2CAPConnectionResult(rawValue: 0x0005)
    package static let insufficientAuthorization = L2CAPConnectionResult(rawValue: 0x0006)
    package static let encryptionKeySizeTooShort = L2CAPConnectionResult(rawValue: 0x0007)
    package static let insufficientEncryption = L2CAPConnectionResult(rawValue: 0x0008)
    package static let invalidSourceChannel = L2CAPConnectionResult(rawValue: 0x0009)
    package static let sourceChannelAlreadyAllocated = L2CAPConnectionResult(rawValue: 0x000A)
    package static let unacceptableParameters = L2CAPConnectionResult(rawValue: 0x000B)
    /// The remaining ones only answer requests for several channels.
    package static let invalidParameters = L2CAPConnectionResult(rawValue: 0x000C)
    package static let pendingNoFurtherInformation = L2CAPConnectionResult(rawValue: 0x000D)
    package static let pendingAuthentication = L2CAPConnectionResult(rawValue: 0x000E)
    package static let pendingAuthorization = L2CAPConnectionResult(rawValue: 0x000F)
}
