// Events about a link that are older than LE. [Vol 4, Part E, 7.7]

/// HCI_Disconnection_Complete: a link has ended.
/// [Vol 4, Part E, 7.7.5]
package struct HCIDisconnectionComplete: HCIEventPDU {
    package static let name: StaticString = "HCI_Disconnection_Complete"
    package static let section = SpecSection(4, "E", "7.7.5")
    package static var eventCode: HCIEventCode { .disconnectionComplete }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var reason: HCIStatus = HCIStatus.remoteUserTerminated

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        reason: HCIStatus = HCIStatus.remoteUserTerminated
    ) {
        self.status = status
        self.handle = handle
        self.reason = reason
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.field("Reason", &reason)
    }
}

/// HCI_Encryption_Change [v1]: encryption of a link went on or off.
/// [Vol 4, Part E, 7.7.8]
package struct HCIEncryptionChange: HCIEventPDU {
    package static let name: StaticString = "HCI_Encryption_Change [v1]"
    package static let section = SpecSection(4, "E", "7.7.8")
    package static var eventCode: HCIEventCode { .encryptionChange }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// 0 off, 1 on.
    package var isEnabled: UInt8 = 0

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        isEnabled: UInt8 = 0
    ) {
        self.status = status
        self.handle = handle
        self.isEnabled = isEnabled
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.u8("Encryption_Enabled", &isEnabled)
    }
}

/// HCI_Read_Remote_Version_Information_Complete: the peer's version.
/// [Vol 4, Part E, 7.7.12]
package struct HCIReadRemoteVersionInformationComplete: HCIEventPDU {
    package static let name: StaticString = "HCI_Read_Remote_Version_Information_Complete"
    package static let section = SpecSection(4, "E", "7.7.12")
    package static var eventCode: HCIEventCode { .readRemoteVersionInformationComplete }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var version: UInt8 = 0
    package var companyIdentifier: UInt16 = 0
    package var subversion: UInt16 = 0

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        version: UInt8 = 0, companyIdentifier: UInt16 = 0, subversion: UInt16 = 0
    ) {
        self.status = status
        self.handle = handle
        self.version = version
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.u8("Version", &version)
        try v.u16("Company_Identifier", &companyIdentifier)
        try v.u16("Subversion", &subversion)
    }
}

/// HCI_Encryption_Key_Refresh_Complete: the key of a link was renewed.
/// [Vol 4, Part E, 7.7.39]
package struct HCIEncryptionKeyRefreshComplete: HCIEventPDU {
    package static let name: StaticString = "HCI_Encryption_Key_Refresh_Complete"
    package static let section = SpecSection(4, "E", "7.7.39")
    package static var eventCode: HCIEventCode { .encryptionKeyRefreshComplete }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.status = status
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
    }
}

/// HCI_Authenticated_Payload_Timeout_Expired: no authenticated packet came within the time that was set.
/// [Vol 4, Part E, 7.7.75]
package struct HCIAuthenticatedPayloadTimeoutExpired: HCIEventPDU {
    package static let name: StaticString = "HCI_Authenticated_Payload_Timeout_Expired"
    package static let section = SpecSection(4, "E", "7.7.75")
    package static var eventCode: HCIEventCode { .authenticatedPayloadTimeoutExpired }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }
}
