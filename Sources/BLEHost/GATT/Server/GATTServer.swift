package import BLEWire

/// What the server publishes besides the application's services.
package struct GATTServerConfiguration: Equatable, Sendable {
    /// The GAP service 1800 with Device Name and Appearance. [Vol 3, Part C, 12]
    package var hasGenericAccess = true
    /// The GATT service 1801 with Service Changed, Client Supported Features and Database Hash. [Vol 3, Part G, 7]
    package var hasGenericAttribute = true
    package var deviceName = "Ravning"
    package var appearance: UInt16 = 0
    /// Octets that a key must have where an attribute wants encryption. [Vol 3, Part F, 4]
    package var minimumKeySize = 7

    package init() {}
}

/// The attribute database that all links of a host share.
///
/// *Role*: holds what is the same for every client. What differs (CCCDs, prepare queue, awareness of changes) is
/// with the connection.
/// *Inputs and outputs*: services are added and removed here; then every connection wants `databaseChanged`.
/// *Limits*: values have 512 octets at most.
package struct GATTServer: Sendable {
    package private(set) var database = GATTDatabase()
    let minimumKeySize: Int
    /// The handles that the last change touched.
    private(set) var lastChange: ClosedRange<AttributeHandle>?
    private var cachedHash: [UInt8]?

    /// A server with the services 1800 and 1801 as configured.
    package init(configuration: GATTServerConfiguration = GATTServerConfiguration()) {
        minimumKeySize = configuration.minimumKeySize
        if configuration.hasGenericAccess {
            _ = database.addService(.genericAccess(name: configuration.deviceName, configuration.appearance))
        }
        if configuration.hasGenericAttribute { _ = database.addService(.genericAttribute) }
    }

    /// A server with exactly the attributes of a table, whose handles must rise.
    package init?(table: [GATTAttribute], minimumKeySize: Int = 7) {
        guard zip(table, table.dropFirst()).allSatisfy({ $0.handle < $1.handle }),
            table.first?.handle != AttributeHandle.none
        else { return nil }
        self.minimumKeySize = minimumKeySize
        database.insert(table)
    }

    /// Adds a service behind the last one. Afterwards every connection wants `databaseChanged`.
    package mutating func addService(_ definition: GATTServiceDefinition) -> Result<GATTServiceLayout, HostError> {
        let result = database.addService(definition)
        if case .success(let layout) = result { changed(layout.handles) }
        return result
    }

    /// Removes the service that begins at the handle; false where none does. Afterwards every connection wants
    /// `databaseChanged`.
    package mutating func removeService(_ handle: AttributeHandle) -> Bool {
        guard let range = database.removeService(handle) else { return false }
        changed(range)
        return true
    }

    private mutating func changed(_ range: ClosedRange<AttributeHandle>) {
        lastChange = range
        cachedHash = nil
    }

    /// Sets what Device Name and Appearance of the GAP service hold.
    package mutating func setDeviceName(_ name: String) {
        store(name.deviceNameOctets, of: GATTType.deviceName)
    }
    package mutating func setAppearance(_ appearance: UInt16) {
        store(AttributeHandle(rawValue: appearance).octets, of: GATTType.appearance)
    }

    private mutating func store(_ value: [UInt8], of type: BluetoothUUID) {
        guard let index = database.attributes.firstIndex(where: { $0.type == type }) else { return }
        database.store(value, at: index)
    }

    /// Replaces the stored value of an attribute.
    mutating func store(_ value: [UInt8], at index: Int) { database.store(value, at: index) }

    /// The Database Hash, which is worked out again only after a change.
    mutating func databaseHash() -> [UInt8] {
        if let cachedHash { return cachedHash }
        let hash = database.hash
        cachedHash = hash
        return hash
    }

    /// The value handle of Service Changed, if the server has it.
    var serviceChangedHandle: AttributeHandle? {
        database.attributes.first { $0.content == .indicatedOnly }?.handle
    }
}

extension GATTServiceDefinition {
    /// The GAP service. [Vol 3, Part C, 12]
    fileprivate static func genericAccess(name: String, _ appearance: UInt16) -> GATTServiceDefinition {
        GATTServiceDefinition(
            uuid: GATTType.genericAccess,
            characteristics: [
                Characteristic(
                    uuid: GATTType.deviceName, properties: GATTProperties.read, permissions: .read,
                    value: name.deviceNameOctets),
                Characteristic(
                    uuid: GATTType.appearance, properties: GATTProperties.read, permissions: .read,
                    value: AttributeHandle(rawValue: appearance).octets),
            ])
    }

    /// The GATT service. [Vol 3, Part G, 7]
    fileprivate static let genericAttribute = GATTServiceDefinition(
        uuid: GATTType.genericAttribute,
        characteristics: [
            Characteristic(
                uuid: GATTType.serviceChanged, properties: GATTProperties.indicate, permissions: []),
            Characteristic(
                uuid: GATTType.clientSupportedFeatures, properties: GATTProperties.read | GATTProperties.write,
                permissions: [.read, .write]),
            Characteristic(uuid: GATTType.databaseHash, properties: GATTProperties.read, permissions: .read),
        ])
}

extension String {
    /// As many whole characters as a Device Name may have octets. [Vol 3, Part C, 12.1]
    fileprivate var deviceNameOctets: [UInt8] {
        var octets: [UInt8] = []
        for character in self {
            if octets.count + character.utf8.count > 248 { break }
            octets += character.utf8
        }
        return octets
    }
}
