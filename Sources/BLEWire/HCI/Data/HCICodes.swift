/// Which address the controller itself uses. [Vol 4, Part E, 7.8.5]
package struct LEOwnAddressType: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let publicDevice = LEOwnAddressType(rawValue: 0)
    package static let randomDevice = LEOwnAddressType(rawValue: 1)
    /// A private address made from the resolving list, or else the public one.
    package static let resolvableOrPublic = LEOwnAddressType(rawValue: 2)
    /// A private address made from the resolving list, or else the random one.
    package static let resolvableOrRandom = LEOwnAddressType(rawValue: 3)
}

/// How legacy advertising can be answered. [Vol 4, Part E, 7.8.5]
package struct LEAdvertisingType: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// ADV_IND
    package static let connectableAndScannable = LEAdvertisingType(rawValue: 0)
    /// ADV_DIRECT_IND with high duty cycle
    package static let directedHighDutyCycle = LEAdvertisingType(rawValue: 1)
    /// ADV_SCAN_IND
    package static let scannable = LEAdvertisingType(rawValue: 2)
    /// ADV_NONCONN_IND
    package static let nonConnectable = LEAdvertisingType(rawValue: 3)
    /// ADV_DIRECT_IND with low duty cycle
    package static let directedLowDutyCycle = LEAdvertisingType(rawValue: 4)
}

/// What kind of PDU a legacy report tells of. [Vol 4, Part E, 7.7.65.2]
package struct LEAdvertisingReportType: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let connectableAndScannable = LEAdvertisingReportType(rawValue: 0)
    package static let directed = LEAdvertisingReportType(rawValue: 1)
    package static let scannable = LEAdvertisingReportType(rawValue: 2)
    package static let nonConnectable = LEAdvertisingReportType(rawValue: 3)
    package static let scanResponse = LEAdvertisingReportType(rawValue: 4)
}

/// How an advertising set advertises. [Vol 4, Part E, 7.8.53]
package struct LEAdvertisingProperties: WireCode, OptionSet {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let connectable = LEAdvertisingProperties(rawValue: 1 << 0)
    package static let scannable = LEAdvertisingProperties(rawValue: 1 << 1)
    package static let directed = LEAdvertisingProperties(rawValue: 1 << 2)
    package static let highDutyCycle = LEAdvertisingProperties(rawValue: 1 << 3)
    /// Legacy PDUs.
    package static let legacy = LEAdvertisingProperties(rawValue: 1 << 4)
    /// Without the advertiser's address.
    package static let anonymous = LEAdvertisingProperties(rawValue: 1 << 5)
    package static let includesTransmitPower = LEAdvertisingProperties(rawValue: 1 << 6)
}

/// What an extended report tells of. [Vol 4, Part E, 7.7.65.13]
package struct LEExtendedReportType: WireCode, OptionSet {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let connectable = LEExtendedReportType(rawValue: 1 << 0)
    package static let scannable = LEExtendedReportType(rawValue: 1 << 1)
    package static let directed = LEExtendedReportType(rawValue: 1 << 2)
    package static let scanResponse = LEExtendedReportType(rawValue: 1 << 3)
    package static let legacy = LEExtendedReportType(rawValue: 1 << 4)
    /// More reports with further data come.
    package static let incomplete = LEExtendedReportType(rawValue: 1 << 5)
    /// The data is cut and no more will come.
    package static let truncated = LEExtendedReportType(rawValue: 1 << 6)

    // What is asked for each report of a scan. Another module would ask the option set through its protocol.
    package var isConnectable: Bool { rawValue & 1 != 0 }
    package var isScannable: Bool { rawValue & 1 << 1 != 0 }
    package var isScanResponse: Bool { rawValue & 1 << 3 != 0 }
    package var isLegacy: Bool { rawValue & 1 << 4 != 0 }
    package var isIncomplete: Bool { rawValue & 1 << 5 != 0 }
}

/// Which part of the data of an advertising set a command carries. [Vol 4, Part E, 7.8.54]
package struct LEAdvertisingDataOperation: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let intermediateFragment = LEAdvertisingDataOperation(rawValue: 0)
    package static let firstFragment = LEAdvertisingDataOperation(rawValue: 1)
    package static let lastFragment = LEAdvertisingDataOperation(rawValue: 2)
    package static let complete = LEAdvertisingDataOperation(rawValue: 3)
    /// The data stay, only the advertising DID changes.
    package static let unchanged = LEAdvertisingDataOperation(rawValue: 4)
}

/// A PHY by its number. [Vol 4, Part E, 7.8.47]
package struct LEPHY: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let none = LEPHY(rawValue: 0)
    package static let le1M = LEPHY(rawValue: 1)
    package static let le2M = LEPHY(rawValue: 2)
    package static let leCoded = LEPHY(rawValue: 3)
}

/// A device's role on a link. [Vol 4, Part E, 7.7.65.1]
package struct LERole: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let central = LERole(rawValue: 0)
    package static let peripheral = LERole(rawValue: 1)
}
