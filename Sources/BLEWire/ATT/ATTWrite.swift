/// ATT_WRITE_REQ: writes a value and wants to know. [Vol 3, Part F, 3.4.5.1]
package struct ATTWriteRequest: ATTPDU {
    package static let name: StaticString = "ATT_WRITE_REQ"
    package static let section = SpecSection(3, "F", "3.4.5.1")
    package static let opcode = ATTOpcode.writeRequest
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

/// ATT_WRITE_RSP: the value was written. [Vol 3, Part F, 3.4.5.2]
package struct ATTWriteResponse: ATTPDU {
    package static let name: StaticString = "ATT_WRITE_RSP"
    package static let section = SpecSection(3, "F", "3.4.5.2")
    package static let opcode = ATTOpcode.writeResponse

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {}
}

/// ATT_WRITE_CMD: writes a value without an answer. [Vol 3, Part F, 3.4.5.3]
package struct ATTWriteCommand: ATTPDU {
    package static let name: StaticString = "ATT_WRITE_CMD"
    package static let section = SpecSection(3, "F", "3.4.5.3")
    package static let opcode = ATTOpcode.writeCommand
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

/// ATT_SIGNED_WRITE_CMD: writes a value without an answer, signed. [Vol 3, Part F, 3.4.5.4]
package struct ATTSignedWriteCommand: ATTPDU {
    package static let name: StaticString = "ATT_SIGNED_WRITE_CMD"
    package static let section = SpecSection(3, "F", "3.4.5.4")
    package static let opcode = ATTOpcode.signedWriteCommand
    package var handle: AttributeHandle = .none
    /// The value, and behind it the 12 octets of the signature.
    package var valueAndSignature: [UInt8] = []

    package init() {}
    package init(handle: AttributeHandle, valueAndSignature: [UInt8]) {
        self.handle = handle
        self.valueAndSignature = valueAndSignature
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Attribute Handle", &handle)
        try visitor.rest("Attribute Value and Authentication Signature", &valueAndSignature)
    }

    /// Octets of a signature: a counter of 4 and a code of 8. [Vol 3, Part H, 2.4.5]
    package static let signatureLength = 12
}
