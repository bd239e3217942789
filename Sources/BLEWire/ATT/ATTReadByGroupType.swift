/// ATT_READ_BY_GROUP_TYPE_REQ: asks for the values of a grouping type. [Vol 3, Part F, 3.4.4.9]
package struct ATTReadByGroupTypeRequest: ATTPDU {
    package static let name: StaticString = "ATT_READ_BY_GROUP_TYPE_REQ"
    package static let section = SpecSection(3, "F", "3.4.4.9")
    package static let opcode = ATTOpcode.readByGroupTypeRequest
    package var startingHandle: AttributeHandle = .first
    package var endingHandle: AttributeHandle = .last
    package var groupType: BluetoothUUID = 0x2800

    package init() {}
    package init(startingHandle: AttributeHandle, endingHandle: AttributeHandle, groupType: BluetoothUUID) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
        self.groupType = groupType
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Starting Handle", &startingHandle)
        try visitor.field("Ending Handle", &endingHandle)
        try visitor.attUUID("Attribute Group Type", &groupType)
    }
}

/// ATT_READ_BY_GROUP_TYPE_RSP: handle ranges and values of one length. [Vol 3, Part F, 3.4.4.10]
package struct ATTReadByGroupTypeResponse: ATTPDU {
    package static let name: StaticString = "ATT_READ_BY_GROUP_TYPE_RSP"
    package static let section = SpecSection(3, "F", "3.4.4.10")
    package static let opcode = ATTOpcode.readByGroupTypeResponse
    /// Octets of each entry: a handle, the end of its group, and a value.
    package var length: UInt8 = 4
    /// The entries, one after the other.
    package var data: [UInt8] = []

    package init() {}
    package init(length: UInt8, data: [UInt8]) {
        self.length = length
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.u8("Length", &length, in: 4...0xFF)
        try visitor.rest("Attribute Data List", &data)
    }
}
