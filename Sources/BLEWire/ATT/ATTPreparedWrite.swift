/// ATT_PREPARE_WRITE_REQ: queues the write of a part of a value. [Vol 3, Part F, 3.4.6.1]
package struct ATTPrepareWriteRequest: ATTPDU {
    package static let name: StaticString = "ATT_PREPARE_WRITE_REQ"
    package static let section = SpecSection(3, "F", "3.4.6.1")
    package static let opcode = ATTOpcode.prepareWriteRequest
    package var handle: AttributeHandle = .none
    package var offset: UInt16 = 0
    package var value: [UInt8] = []

    package init() {}
    package init(handle: AttributeHandle, offset: UInt16, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
        try visitor.u16("Value Offset", &offset)
        try visitor.rest("Part Attribute Value", &value)
    }
}

/// ATT_PREPARE_WRITE_RSP: what was queued. [Vol 3, Part F, 3.4.6.2]
package struct ATTPrepareWriteResponse: ATTPDU {
    package static let name: StaticString = "ATT_PREPARE_WRITE_RSP"
    package static let section = SpecSection(3, "F", "3.4.6.2")
    package static let opcode = ATTOpcode.prepareWriteResponse
    package var handle: AttributeHandle = .none
    package var offset: UInt16 = 0
    package var value: [UInt8] = []

    package init() {}
    package init(handle: AttributeHandle, offset: UInt16, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
        try visitor.u16("Value Offset", &offset)
        try visitor.rest("Part Attribute Value", &value)
    }
}

/// ATT_EXECUTE_WRITE_REQ: writes or drops what was queued. [Vol 3, Part F, 3.4.6.3]
package struct ATTExecuteWriteRequest: ATTPDU {
    package static let name: StaticString = "ATT_EXECUTE_WRITE_REQ"
    package static let section = SpecSection(3, "F", "3.4.6.3")
    package static let opcode = ATTOpcode.executeWriteRequest
    /// 0: drop all; 1: write all.
    package var flags: UInt8 = 0

    package init() {}
    package init(flags: UInt8) {
        self.flags = flags
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.u8("Flags", &flags, in: 0...1)
    }
}

/// ATT_EXECUTE_WRITE_RSP: the queue is done with. [Vol 3, Part F, 3.4.6.4]
package struct ATTExecuteWriteResponse: ATTPDU {
    package static let name: StaticString = "ATT_EXECUTE_WRITE_RSP"
    package static let section = SpecSection(3, "F", "3.4.6.4")
    package static let opcode = ATTOpcode.executeWriteResponse

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {}
}
