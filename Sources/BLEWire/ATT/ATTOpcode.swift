/// The first octet of an ATT PDU: method, command flag, authentication signature flag. [Vol 3, Part F, 3.3.1]
package struct ATTOpcode: WireCode {
    package var rawValue: UInt8
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    @inlinable package static var errorResponse: ATTOpcode { ATTOpcode(rawValue: 0x01) }
    @inlinable package static var exchangeMTURequest: ATTOpcode { ATTOpcode(rawValue: 0x02) }
    @inlinable package static var exchangeMTUResponse: ATTOpcode { ATTOpcode(rawValue: 0x03) }
    @inlinable package static var findInformationRequest: ATTOpcode { ATTOpcode(rawValue: 0x04) }
    @inlinable package static var findInformationResponse: ATTOpcode { ATTOpcode(rawValue: 0x05) }
    @inlinable package static var findByTypeValueRequest: ATTOpcode { ATTOpcode(rawValue: 0x06) }
    @inlinable package static var findByTypeValueResponse: ATTOpcode { ATTOpcode(rawValue: 0x07) }
    @inlinable package static var readByTypeRequest: ATTOpcode { ATTOpcode(rawValue: 0x08) }
    @inlinable package static var readByTypeResponse: ATTOpcode { ATTOpcode(rawValue: 0x09) }
    @inlinable package static var readRequest: ATTOpcode { ATTOpcode(rawValue: 0x0A) }
    @inlinable package static var readResponse: ATTOpcode { ATTOpcode(rawValue: 0x0B) }
    @inlinable package static var readBlobRequest: ATTOpcode { ATTOpcode(rawValue: 0x0C) }
    @inlinable package static var readBlobResponse: ATTOpcode { ATTOpcode(rawValue: 0x0D) }
    @inlinable package static var readMultipleRequest: ATTOpcode { ATTOpcode(rawValue: 0x0E) }
    @inlinable package static var readMultipleResponse: ATTOpcode { ATTOpcode(rawValue: 0x0F) }
    @inlinable package static var readByGroupTypeRequest: ATTOpcode { ATTOpcode(rawValue: 0x10) }
    @inlinable package static var readByGroupTypeResponse: ATTOpcode { ATTOpcode(rawValue: 0x11) }
    @inlinable package static var writeRequest: ATTOpcode { ATTOpcode(rawValue: 0x12) }
    @inlinable package static var writeResponse: ATTOpcode { ATTOpcode(rawValue: 0x13) }
    @inlinable package static var prepareWriteRequest: ATTOpcode { ATTOpcode(rawValue: 0x16) }
    @inlinable package static var prepareWriteResponse: ATTOpcode { ATTOpcode(rawValue: 0x17) }
    @inlinable package static var executeWriteRequest: ATTOpcode { ATTOpcode(rawValue: 0x18) }
    @inlinable package static var executeWriteResponse: ATTOpcode { ATTOpcode(rawValue: 0x19) }
    @inlinable package static var handleValueNotification: ATTOpcode { ATTOpcode(rawValue: 0x1B) }
    @inlinable package static var handleValueIndication: ATTOpcode { ATTOpcode(rawValue: 0x1D) }
    @inlinable package static var handleValueConfirmation: ATTOpcode { ATTOpcode(rawValue: 0x1E) }
    @inlinable package static var readMultipleVariableRequest: ATTOpcode { ATTOpcode(rawValue: 0x20) }
    @inlinable package static var readMultipleVariableResponse: ATTOpcode { ATTOpcode(rawValue: 0x21) }
    @inlinable package static var multipleHandleValueNotification: ATTOpcode { ATTOpcode(rawValue: 0x23) }
    @inlinable package static var writeCommand: ATTOpcode { ATTOpcode(rawValue: 0x52) }
    @inlinable package static var signedWriteCommand: ATTOpcode { ATTOpcode(rawValue: 0xD2) }

    /// Whether the PDU is a command: nobody answers it, and one that isn't known is ignored.
    package var hasCommandFlag: Bool { rawValue & 0x40 != 0 }
    /// Whether a signature stands at the end of the PDU.
    package var hasSignatureFlag: Bool { rawValue & 0x80 != 0 }

    /// What role the PDU plays in the sequential protocol. [Vol 3, Part F, 3.3]
    package var kind: ATTKind {
        switch self {
        case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest,
            .readBlobRequest, .readMultipleRequest, .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest,
            .executeWriteRequest, .readMultipleVariableRequest:
            .request
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse,
            .readByTypeResponse, .readResponse, .readBlobResponse, .readMultipleResponse, .readByGroupTypeResponse,
            .writeResponse, .prepareWriteResponse, .executeWriteResponse, .readMultipleVariableResponse:
            .response
        case .handleValueNotification, .multipleHandleValueNotification: .notification
        case .handleValueIndication: .indication
        case .handleValueConfirmation: .confirmation
        case .writeCommand, .signedWriteCommand: .command
        default: hasCommandFlag ? .unknownCommand : .unknownRequest
        }
    }
}

/// The types of ATT PDUs. [Vol 3, Part F, 3.3]
package enum ATTKind: Sendable {
    case request, response, command, notification, indication, confirmation
    /// An opcode that isn't defined, without the command flag: answered with Request Not Supported.
    case unknownRequest
    /// An opcode that isn't defined, with the command flag: ignored.
    case unknownCommand
}
