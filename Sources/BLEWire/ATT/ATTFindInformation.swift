/// ATT_FIND_INFORMATION_REQ: asks for handles and types. [Vol 3, Part F, 3.4.3.1]
package struct ATTFindInformationRequest: ATTPDU {
    package static let name: StaticString = "ATT_FIND_INFORMATION_REQ"
    package static let section = SpecSection(3, "F", "3.4.3.1")
    package static let opcode = ATTOpcode.findInformationRequest
    package var startingHandle: AttributeHandle = .first
    package var endingHandle: AttributeHandle = .last

    package init() {}
    package init(startingHandle: AttributeHandle, endingHandle: AttributeHandle) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Starting Handle", &startingHandle)
        try visitor.field("Ending Handle", &endingHandle)
    }
}

/// ATT_FIND_INFORMATION_RSP: handles and types of one format. [Vol 3, Part F, 3.4.3.2]
package struct ATTFindInformationResponse: ATTPDU {
    package static let name: StaticString = "ATT_FIND_INFORMATION_RSP"
    package static let section = SpecSection(3, "F", "3.4.3.2")
    package static let opcode = ATTOpcode.findInformationResponse
    /// 1: types of 2 octets; 2: types of 16.
    package var format: UInt8 = 1
    /// Handle and type, one pair after the other.
    package var information: [UInt8] = []

    package init() {}
    package init(format: UInt8, information: [UInt8]) {
        self.format = format
        self.information = information
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.u8("Format", &format, in: 1...2)
        try visitor.rest("Information Data", &information)
    }

    /// Octets of one pair of handle and type.
    package var stride: Int { format == 1 ? 4 : 18 }
}
