/// ATT_FIND_BY_TYPE_VALUE_REQ: asks for attributes of a type and a value. [Vol 3, Part F, 3.4.3.3]
package struct ATTFindByTypeValueRequest: ATTPDU {
    package static let name: StaticString = "ATT_FIND_BY_TYPE_VALUE_REQ"
    package static let section = SpecSection(3, "F", "3.4.3.3")
    package static let opcode = ATTOpcode.findByTypeValueRequest
    package var startingHandle: AttributeHandle = .first
    package var endingHandle: AttributeHandle = .last
    /// A type with 16 bits; there is no form for others.
    package var attributeType: UInt16 = 0x2800
    package var value: [UInt8] = []

    package init() {}
    package init(startingHandle: AttributeHandle, endingHandle: AttributeHandle, attributeType: UInt16, value: [UInt8])
    {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
        self.attributeType = attributeType
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Starting Handle", &startingHandle)
        try visitor.field("Ending Handle", &endingHandle)
        try visitor.u16("Attribute Type", &attributeType)
        try visitor.rest("Attribute Value", &value)
    }
}

/// ATT_FIND_BY_TYPE_VALUE_RSP: handle ranges that were found. [Vol 3, Part F, 3.4.3.4]
package struct ATTFindByTypeValueResponse: ATTPDU {
    package static let name: StaticString = "ATT_FIND_BY_TYPE_VALUE_RSP"
    package static let section = SpecSection(3, "F", "3.4.3.4")
    package static let opcode = ATTOpcode.findByTypeValueResponse
    package var handles: [ATTHandleRange] = []

    package init() {}
    package init(handles: [ATTHandleRange]) {
        self.handles = handles
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.list("Handles Information List", &handles)
    }
}

/// A found attribute and the end of the group that it begins. [Vol 3, Part F, 3.4.3.4]
package struct ATTHandleRange: FieldStructure, Equatable {
    package var found: AttributeHandle = .none
    package var groupEnd: AttributeHandle = .none

    package init() {}
    package init(found: AttributeHandle, groupEnd: AttributeHandle) {
        self.found = found
        self.groupEnd = groupEnd
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Found Attribute Handle", &found)
        try visitor.field("Group End Handle", &groupEnd)
    }
}
