/// ATT_READ_BY_TYPE_REQ: asks for the values of a type. [Vol 3, Part F, 3.4.4.1]
package struct ATTReadByTypeRequest: ATTPDU {
    package static let name: StaticString = "ATT_READ_BY_TYPE_REQ"
    package static let section = SpecSection(3, "F", "3.4.4.1")
    package static let opcode = ATTOpcode.readByTypeRequest
    package var startingHandle: AttributeHandle = .first
    package var endingHandle: AttributeHandle = .last
    package var attributeType: BluetoothUUID = 0x2803

    package init() {}
    package init(startingHandle: AttributeHandle, endingHandle: AttributeHandle, attributeType: BluetoothUUID) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
        self.attributeType = attributeType
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Starting Handle", &startingHandle)
        try visitor.field("Ending Handle", &endingHandle)
        try visitor.attUUID("Attribute Type", &attributeType)
    }
}

/// ATT_READ_BY_TYPE_RSP: handles and values of one length. [Vol 3, Part F, 3.4.4.2]
package struct ATTReadByTypeResponse: ATTPDU {
    package static let name: StaticString = "ATT_READ_BY_TYPE_RSP"
    package static let section = SpecSection(3, "F", "3.4.4.2")
    package static let opcode = ATTOpcode.readByTypeResponse
    /// Octets of each entry: a handle and a value.
    package var length: UInt8 = 2
    /// The entries, one after the other.
    package var data: [UInt8] = []

    package init() {}
    package init(length: UInt8, data: [UInt8]) {
        self.length = length
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.u8("Length", &length, in: 2...0xFF)
        try visitor.rest("Attribute Data List", &data)
    }
}
