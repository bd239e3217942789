package import BLEWire

/// What the server publishes besides the application's services.
package struct GATTServerConfiguration: Equatable, Sendable {
    /// The GAP service 1800 with Device Name and Appearance. [Vol 3, Part C, 12]
    package var hasGenericAccess = true
    /// The GATT service 1801 with Service Changed, Client Supported Features and Database Hash. [Vol 3, Part G, 7]
    package var hasGenericAttribute = true
    package var deviceName = "Ravning"
    package var appearance: UInt16 = 0

    package init() {}
}

/// The attribute database that all links of a host share.
package struct GATTServer: Sendable {
    package init(configuration: GATTServerConfiguration = GATTServerConfiguration()) {}

    /// Adds a service behind the last one. Afterwards every connection wants `databaseChanged`.
    package mutating func addService(_ definition: GATTServiceDefinition) -> Result<GATTServiceLayout, HostError> {
        .failure(.invalidParameters("no database yet"))
    }

    /// Removes the service that begins at the handle; false where none does. Afterwards every connection wants
    /// `databaseChanged`.
    package mutating func removeService(_ handle: AttributeHandle) -> Bool { false }

    /// Sets what Device Name and Appearance of the GAP service hold.
    package mutating func setDeviceName(_ name: String) {}
    package mutating func setAppearance(_ appearance: UInt16) {}
}
