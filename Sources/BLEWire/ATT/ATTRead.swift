/// ATT_READ_REQ: asks for a value. [Vol 3, Part F, 3.4.4.3]
package struct ATTReadRequest: ATTPDU {
    package static let name: StaticString = "ATT_READ_REQ"
    package static let section = SpecSection(3, "F", "3.4.4.3")
    package static let opcode = ATTOpcode.readRequest
    package var handle: AttributeHandle = .none

    package init() {}
    package init(handle: AttributeHandle) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
    }
}

/// ATT_READ_RSP: a value, or as much of it as fits. [Vol 3, Part F, 3.4.4.4]
package struct ATTReadResponse: ATTPDU {
    package static let name: StaticString = "ATT_READ_RSP"
    package static let section = SpecSection(3, "F", "3.4.4.4")
    package static let opcode = ATTOpcode.readResponse
    package var value: [UInt8] = []

    package init() {}
    package init(value: [UInt8]) {
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.rest("Attribute Value", &value)
    }
}

/// ATT_READ_BLOB_REQ: asks for a value from an offset on. [Vol 3, Part F, 3.4.4.5]
package struct ATTReadBlobRequest: ATTPDU {
    package static let name: StaticString = "ATT_READ_BLOB_REQ"
    package static let section = SpecSection(3, "F", "3.4.4.5")
    package static let opcode = ATTOpcode.readBlobRequest
    package var handle: AttributeHandle = .none
    package var offset: UInt16 = 0

    package init() {}
    package init(handle: AttributeHandle, offset: UInt16) {
        self.handle = handle
        self.offset = offset
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
        try visitor.u16("Value Offset", &offset)
    }
}

/// ATT_READ_BLOB_RSP: a part of a value. [Vol 3, Part F, 3.4.4.6]
package struct ATTReadBlobResponse: ATTPDU {
    package static let name: StaticString = "ATT_READ_BLOB_RSP"
    package static let section = SpecSection(3, "F", "3.4.4.6")
    package static let opcode = ATTOpcode.readBlobResponse
    package var value: [UInt8] = []

    package init() {}
    package init(value: [UInt8]) {
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.rest("Part Attribute Value", &value)
    }
}
