/// ATT_EXCHANGE_MTU_REQ: what the client can receive. [Vol 3, Part F, 3.4.2.1]
package struct ATTExchangeMTURequest: ATTPDU {
    package static let name: StaticString = "ATT_EXCHANGE_MTU_REQ"
    package static let section = SpecSection(3, "F", "3.4.2.1")
    package static let opcode = ATTOpcode.exchangeMTURequest
    package var receiveMTU: UInt16 = 23

    package init() {}
    package init(receiveMTU: UInt16) {
        self.receiveMTU = receiveMTU
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.u16("Client Rx MTU", &receiveMTU)
    }
}

/// ATT_EXCHANGE_MTU_RSP: what the server can receive. [Vol 3, Part F, 3.4.2.2]
package struct ATTExchangeMTUResponse: ATTPDU {
    package static let name: StaticString = "ATT_EXCHANGE_MTU_RSP"
    package static let section = SpecSection(3, "F", "3.4.2.2")
    package static let opcode = ATTOpcode.exchangeMTUResponse
    package var receiveMTU: UInt16 = 23

    package init() {}
    package init(receiveMTU: UInt16) {
        self.receiveMTU = receiveMTU
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.u16("Server Rx MTU", &receiveMTU)
    }
}
