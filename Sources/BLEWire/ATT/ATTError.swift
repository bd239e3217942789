/// ATT_ERROR_RSP: a request can't be carried out, with the reason. [Vol 3, Part F, 3.4.1.1]
package struct ATTErrorResponse: ATTPDU {
    package static let name: StaticString = "ATT_ERROR_RSP"
    package static let section = SpecSection(3, "F", "3.4.1.1")
    package static let opcode = ATTOpcode.errorResponse
    /// Opcode of the request.
    package var request: ATTOpcode = ATTOpcode(rawValue: 0)
    /// The attribute that caused it, or 0.
    package var handle: AttributeHandle = .none
    package var error: ATTErrorCode = .unlikelyError

    package init() {}
    package init(request: ATTOpcode, handle: AttributeHandle, error: ATTErrorCode) {
        self.request = request
        self.handle = handle
        self.error = error
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.field("Request Opcode In Error", &request)
        try visitor.field("Attribute Handle In Error", &handle)
        try visitor.field("Error Code", &error)
    }
}
