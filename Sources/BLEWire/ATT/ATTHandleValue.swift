/// ATT_HANDLE_VALUE_NTF: a server's value, unasked. [Vol 3, Part F, 3.4.7.1]
package struct ATTHandleValueNotification: ATTPDU {
    package static let name: StaticString = "ATT_HANDLE_VALUE_NTF"
    package static let section = SpecSection(3, "F", "3.4.7.1")
    package static let opcode = ATTOpcode.handleValueNotification
    package var handle: AttributeHandle = .none
    package var value: [UInt8] = []

    package init() {}
    package init(handle: AttributeHandle, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
        try visitor.rest("Attribute Value", &value)
    }
}

/// ATT_HANDLE_VALUE_IND: a server's value, unasked, that is to be confirmed. [Vol 3, Part F, 3.4.7.2]
package struct ATTHandleValueIndication: ATTPDU {
    package static let name: StaticString = "ATT_HANDLE_VALUE_IND"
    package static let section = SpecSection(3, "F", "3.4.7.2")
    package static let opcode = ATTOpcode.handleValueIndication
    package var handle: AttributeHandle = .none
    package var value: [UInt8] = []

    package init() {}
    package init(handle: AttributeHandle, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
        try visitor.rest("Attribute Value", &value)
    }
}

/// ATT_HANDLE_VALUE_CFM: an indication arrived. [Vol 3, Part F, 3.4.7.3]
package struct ATTHandleValueConfirmation: ATTPDU {
    package static let name: StaticString = "ATT_HANDLE_VALUE_CFM"
    package static let section = SpecSection(3, "F", "3.4.7.3")
    package static let opcode = ATTOpcode.handleValueConfirmation

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {}
}

/// ATT_MULTIPLE_HANDLE_VALUE_NTF: several of a server's values, unasked. [Vol 3, Part F, 3.4.7.4]
package struct ATTMultipleHandleValueNotification: ATTPDU {
    package static let name: StaticString = "ATT_MULTIPLE_HANDLE_VALUE_NTF"
    package static let section = SpecSection(3, "F", "3.4.7.4")
    package static let opcode = ATTOpcode.multipleHandleValueNotification
    /// Handle (2 octets), length (2 octets) and value, one tuple after the other.
    package var list: [UInt8] = []

    package init() {}
    package init(list: [UInt8]) {
        self.list = list
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.rest("Handle Length Value Tuple List", &list)
    }
}
