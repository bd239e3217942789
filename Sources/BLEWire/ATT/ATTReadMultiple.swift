/// ATT_READ_MULTIPLE_REQ: asks for several values, whose lengths the client knows. [Vol 3, Part F, 3.4.4.7]
package struct ATTReadMultipleRequest: ATTPDU {
    package static let name: StaticString = "ATT_READ_MULTIPLE_REQ"
    package static let section = SpecSection(3, "F", "3.4.4.7")
    package static let opcode = ATTOpcode.readMultipleRequest
    package var handles: [ATTHandle] = []

    package init() {}
    package init(handles: [ATTHandle]) {
        self.handles = handles
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.list("Set Of Handles", &handles)
    }
}

/// ATT_READ_MULTIPLE_RSP: values without their lengths. [Vol 3, Part F, 3.4.4.8]
package struct ATTReadMultipleResponse: ATTPDU {
    package static let name: StaticString = "ATT_READ_MULTIPLE_RSP"
    package static let section = SpecSection(3, "F", "3.4.4.8")
    package static let opcode = ATTOpcode.readMultipleResponse
    package var values: [UInt8] = []

    package init() {}
    package init(values: [UInt8]) {
        self.values = values
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.rest("Set Of Values", &values)
    }
}

/// ATT_READ_MULTIPLE_VARIABLE_REQ: asks for several values. [Vol 3, Part F, 3.4.4.11]
package struct ATTReadMultipleVariableRequest: ATTPDU {
    package static let name: StaticString = "ATT_READ_MULTIPLE_VARIABLE_REQ"
    package static let section = SpecSection(3, "F", "3.4.4.11")
    package static let opcode = ATTOpcode.readMultipleVariableRequest
    package var handles: [ATTHandle] = []

    package init() {}
    package init(handles: [ATTHandle]) {
        self.handles = handles
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.list("Set Of Handles", &handles)
    }
}

/// ATT_READ_MULTIPLE_VARIABLE_RSP: lengths and values; the last value may be cut. [Vol 3, Part F, 3.4.4.12]
package struct ATTReadMultipleVariableResponse: ATTPDU {
    package static let name: StaticString = "ATT_READ_MULTIPLE_VARIABLE_RSP"
    package static let section = SpecSection(3, "F", "3.4.4.12")
    package static let opcode = ATTOpcode.readMultipleVariableResponse
    /// Length (2 octets) and value, one pair after the other.
    package var list: [UInt8] = []

    package init() {}
    package init(list: [UInt8]) {
        self.list = list
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.rest("Length Value Tuple List", &list)
    }
}

/// One handle of a list.
package struct ATTHandle: FieldStructure, Equatable {
    package var handle: AttributeHandle = .none

    package init() {}
    package init(_ handle: AttributeHandle) { self.handle = handle }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
    }
}
