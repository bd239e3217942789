package import BLEWire

/// A device as a capture shows it: what it advertised, its attributes and their values, and what a client did with it.
package struct RecordedDevice: Equatable, Sendable {
    package var endpoint: Endpoint
    package var advertisement: RecordedAdvertisement?
    /// In the order of their handles.
    package var services: [RecordedService]
    /// In the order of time.
    package var actions: [RecordedAction]
    /// What the capture doesn't tell, for a person.
    package var missing: [String]
}

/// What a device advertised: the last of each kind.
package struct RecordedAdvertisement: Equatable, Sendable {
    package var isConnectable = false
    package var data: [UInt8] = []
    package var scanResponse: [UInt8] = []
    package init() {}

    /// Both together.
    package var fields: ADFields { ADFields(data + scanResponse) }
}

/// A service.
package struct RecordedService: Equatable, Sendable {
    package var handle: AttributeHandle
    package var end: AttributeHandle
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// Where those begin that it includes.
    package var includes: [AttributeHandle] = []
    package var characteristics: [RecordedCharacteristic] = []

    /// Generic Access or Generic Attribute, which a system publishes itself. [Vol 3, Part C, 12], [Vol 3, Part G, 7]
    package var isOfSystem: Bool { uuid == 0x1800 || uuid == 0x1801 }
}

/// A characteristic.
package struct RecordedCharacteristic: Equatable, Sendable {
    package var handle: AttributeHandle
    package var valueHandle: AttributeHandle
    package var uuid: BluetoothUUID
    /// The octet of its declaration. [Vol 3, Part G, 3.3.1.1]
    package var properties: UInt8
    /// What was read first, whole as far as it was.
    package var value: [UInt8]?
    /// Whether more may follow the octets of `value`, which nobody read.
    package var mayBeLonger = false
    /// Notifications and indications, with nanoseconds since the one before or since the subscription.
    package var updates: [RecordedUpdate] = []
    /// Reading, or writing, was refused until the link was encrypted.
    package var readNeedsEncryption = false
    package var writeNeedsEncryption = false
    package var descriptors: [RecordedDescriptor] = []
}

/// A value that the server told.
package struct RecordedUpdate: Equatable, Sendable {
    package var after: Int64
    package var value: [UInt8]
    package init(after: Int64, value: [UInt8]) {
        self.after = after
        self.value = value
    }
}

/// A descriptor.
package struct RecordedDescriptor: Equatable, Sendable {
    package var handle: AttributeHandle
    package var uuid: BluetoothUUID
    package var value: [UInt8]?
}

/// What a client did.
package struct RecordedAction: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case read
        case write([UInt8], withResponse: Bool)
        case subscribe
        case unsubscribe
    }
    package enum Outcome: Equatable, Sendable {
        /// The capture ends before the answer, or none is due.
        case none
        case done
        case value([UInt8])
        case error(ATTErrorCode)
    }

    package var unixNanoseconds: Int64
    /// Of a characteristic's value, or of a descriptor.
    package var handle: AttributeHandle
    package var kind: Kind
    package var outcome: Outcome
}
