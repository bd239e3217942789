package import BLEHost
package import BLEWire

/// What a light peripheral publishes, advertises and does by itself.
package struct LightPeripheralProfile: Equatable, Sendable {
    package var services: [Service] = []
    /// nil = it doesn't advertise until it is told to.
    package var advertising: AdvertisingSettings?

    package init() {}

    package var characteristics: [Characteristic] { services.flatMap(\.characteristics) }

    package struct Service: Equatable, Sendable {
        package var uuid: BluetoothUUID
        package var isPrimary: Bool
        package var characteristics: [Characteristic]
        package init(uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [Characteristic]) {
            self.uuid = uuid
            self.isPrimary = isPrimary
            self.characteristics = characteristics
        }

        var definition: GATTServiceDefinition {
            GATTServiceDefinition(
                uuid: uuid, isPrimary: isPrimary, characteristics: characteristics.map(\.definition))
        }
    }

    package struct Characteristic: Equatable, Sendable {
        package var uuid: BluetoothUUID
        /// The octet of the declaration. [Vol 3, Part G, 3.3.1.1]
        package var properties: UInt8
        package var permissions: AttributePermissions
        package var descriptors: [GATTServiceDefinition.Descriptor]
        /// The value at the start.
        package var value: [UInt8]
        /// Whether each read, each write, is asked of whoever plays the device; else the kept value serves.
        package var asksReads = false
        package var asksWrites = false
        /// How often the value is sent while somebody is subscribed, with a counter in its first four octets.
        package var period: Delay?

        package init(
            uuid: BluetoothUUID, properties: UInt8, permissions: AttributePermissions, value: [UInt8] = [],
            descriptors: [GATTServiceDefinition.Descriptor] = []
        ) {
            self.uuid = uuid
            self.properties = properties
            self.permissions = permissions
            self.value = value
            self.descriptors = descriptors
        }

        /// Dynamic in the database, since values change here.
        var definition: GATTServiceDefinition.Characteristic {
            .init(uuid: uuid, properties: properties, permissions: permissions, descriptors: descriptors)
        }
    }
}

/// What a light peripheral tells whoever plays the device.
package enum LightPeripheralEvent: Equatable, Sendable {
    /// A write to a characteristic, by its number in the profile.
    package struct Write: Equatable, Sendable {
        package var characteristic: Int
        package var offset: Int
        package var value: [UInt8]
        package init(characteristic: Int, offset: Int, value: [UInt8]) {
            self.characteristic = characteristic
            self.offset = offset
            self.value = value
        }
    }

    case connected(ConnectionHandle, DeviceAddress)
    case disconnected(ConnectionHandle, HCIStatus)
    /// Answer with `Simulation.answerRead`.
    case readRequested(ConnectionHandle, GATTRequestID, characteristic: Int, offset: Int)
    /// Answer with `Simulation.answerWrite`, unless no response is needed: then it takes the values at once.
    case writeRequested(ConnectionHandle, GATTRequestID, [Write], needsResponse: Bool)
    /// Values were written and taken.
    case written(ConnectionHandle, [Write])
    case subscriptionChanged(ConnectionHandle, characteristic: Int, ClientConfiguration)
    case valueSent(ConnectionHandle, OperationToken, HostError?)
    /// The host didn't take the service of this number.
    case serviceRefused(Int, HostError)
}
