/// Any PDU of the Attribute Protocol, read and written through one concrete entry. [Vol 3, Part F, 3.4]
///
/// Calls that are generic over the PDU don't specialise across modules; a `switch` over the opcode does.
package enum ATTPacket: Equatable, Sendable {
    case errorResponse(ATTErrorResponse)
    case exchangeMTURequest(ATTExchangeMTURequest)
    case exchangeMTUResponse(ATTExchangeMTUResponse)
    case findInformationRequest(ATTFindInformationRequest)
    case findInformationResponse(ATTFindInformationResponse)
    case findByTypeValueRequest(ATTFindByTypeValueRequest)
    case findByTypeValueResponse(ATTFindByTypeValueResponse)
    case readByTypeRequest(ATTReadByTypeRequest)
    case readByTypeResponse(ATTReadByTypeResponse)
    case readRequest(ATTReadRequest)
    case readResponse(ATTReadResponse)
    case readBlobRequest(ATTReadBlobRequest)
    case readBlobResponse(ATTReadBlobResponse)
    case readMultipleRequest(ATTReadMultipleRequest)
    case readMultipleResponse(ATTReadMultipleResponse)
    case readByGroupTypeRequest(ATTReadByGroupTypeRequest)
    case readByGroupTypeResponse(ATTReadByGroupTypeResponse)
    case writeRequest(ATTWriteRequest)
    case writeResponse(ATTWriteResponse)
    case prepareWriteRequest(ATTPrepareWriteRequest)
    case prepareWriteResponse(ATTPrepareWriteResponse)
    case executeWriteRequest(ATTExecuteWriteRequest)
    case executeWriteResponse(ATTExecuteWriteResponse)
    case handleValueNotification(ATTHandleValueNotification)
    case handleValueIndication(ATTHandleValueIndication)
    case handleValueConfirmation(ATTHandleValueConfirmation)
    case readMultipleVariableRequest(ATTReadMultipleVariableRequest)
    case readMultipleVariableResponse(ATTReadMultipleVariableResponse)
    case multipleHandleValueNotification(ATTMultipleHandleValueNotification)
    case writeCommand(ATTWriteCommand)
    case signedWriteCommand(ATTSignedWriteCommand)
}

extension ATTPacket {
    /// Reads a whole PDU, opcode first. Fails with `unknown` where the opcode isn't defined.
    package init(decoding span: RawSpan) throws(WireError) {
        var reader = WireReader(span)
        var opcode = ATTOpcode(rawValue: 0)
        try reader.field("Attribute Opcode", &opcode)
        switch opcode {
        case .errorResponse: self = .errorResponse(try ATTErrorResponse(behindOpcode: &reader))
        case .exchangeMTURequest: self = .exchangeMTURequest(try ATTExchangeMTURequest(behindOpcode: &reader))
        case .exchangeMTUResponse: self = .exchangeMTUResponse(try ATTExchangeMTUResponse(behindOpcode: &reader))
        case .findInformationRequest:
            self = .findInformationRequest(try ATTFindInformationRequest(behindOpcode: &reader))
        case .findInformationResponse:
            self = .findInformationResponse(try ATTFindInformationResponse(behindOpcode: &reader))
        case .findByTypeValueRequest:
            self = .findByTypeValueRequest(try ATTFindByTypeValueRequest(behindOpcode: &reader))
        case .findByTypeValueResponse:
            self = .findByTypeValueResponse(try ATTFindByTypeValueResponse(behindOpcode: &reader))
        case .readByTypeRequest: self = .readByTypeRequest(try ATTReadByTypeRequest(behindOpcode: &reader))
        case .readByTypeResponse: self = .readByTypeResponse(try ATTReadByTypeResponse(behindOpcode: &reader))
        case .readRequest: self = .readRequest(try ATTReadRequest(behindOpcode: &reader))
        case .readResponse: self = .readResponse(try ATTReadResponse(behindOpcode: &reader))
        case .readBlobRequest: self = .readBlobRequest(try ATTReadBlobRequest(behindOpcode: &reader))
        case .readBlobResponse: self = .readBlobResponse(try ATTReadBlobResponse(behindOpcode: &reader))
        case .readMultipleRequest: self = .readMultipleRequest(try ATTReadMultipleRequest(behindOpcode: &reader))
        case .readMultipleResponse: self = .readMultipleResponse(try ATTReadMultipleResponse(behindOpcode: &reader))
        case .readByGroupTypeRequest:
            self = .readByGroupTypeRequest(try ATTReadByGroupTypeRequest(behindOpcode: &reader))
        case .readByGroupTypeResponse:
            self = .readByGroupTypeResponse(try ATTReadByGroupTypeResponse(behindOpcode: &reader))
        case .writeRequest: self = .writeRequest(try ATTWriteRequest(behindOpcode: &reader))
        case .writeResponse: self = .writeResponse(try ATTWriteResponse(behindOpcode: &reader))
        case .prepareWriteRequest: self = .prepareWriteRequest(try ATTPrepareWriteRequest(behindOpcode: &reader))
        case .prepareWriteResponse: self = .prepareWriteResponse(try ATTPrepareWriteResponse(behindOpcode: &reader))
        case .executeWriteRequest: self = .executeWriteRequest(try ATTExecuteWriteRequest(behindOpcode: &reader))
        case .executeWriteResponse: self = .executeWriteResponse(try ATTExecuteWriteResponse(behindOpcode: &reader))
        case .handleValueNotification:
            self = .handleValueNotification(try ATTHandleValueNotification(behindOpcode: &reader))
        case .handleValueIndication: self = .handleValueIndication(try ATTHandleValueIndication(behindOpcode: &reader))
        case .handleValueConfirmation:
            self = .handleValueConfirmation(try ATTHandleValueConfirmation(behindOpcode: &reader))
        case .readMultipleVariableRequest:
            self = .readMultipleVariableRequest(try ATTReadMultipleVariableRequest(behindOpcode: &reader))
        case .readMultipleVariableResponse:
            self = .readMultipleVariableResponse(try ATTReadMultipleVariableResponse(behindOpcode: &reader))
        case .multipleHandleValueNotification:
            self = .multipleHandleValueNotification(try ATTMultipleHandleValueNotification(behindOpcode: &reader))
        case .writeCommand: self = .writeCommand(try ATTWriteCommand(behindOpcode: &reader))
        case .signedWriteCommand: self = .signedWriteCommand(try ATTSignedWriteCommand(behindOpcode: &reader))
        default: throw .unknown(what: "ATT opcode", value: UInt64(opcode.rawValue))
        }
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        try unsafe self.init(decoding: bytes.span.bytes)
    }

    /// The whole PDU, opcode first.
    package func encoded() throws(WireError) -> [UInt8] {
        switch self {
        case .errorResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 4)
        case .exchangeMTURequest(let pdu): try pdu.encodedBehindOpcode(reserving: 2)
        case .exchangeMTUResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 2)
        case .findInformationRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 4)
        case .findInformationResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 1 &+ pdu.information.count)
        case .findByTypeValueRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 6 &+ pdu.value.count)
        case .findByTypeValueResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 4 &* pdu.handles.count)
        case .readByTypeRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 20)
        case .readByTypeResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 1 &+ pdu.data.count)
        case .readRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 2)
        case .readResponse(let pdu): try pdu.encodedBehindOpcode(reserving: pdu.value.count)
        case .readBlobRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 4)
        case .readBlobResponse(let pdu): try pdu.encodedBehindOpcode(reserving: pdu.value.count)
        case .readMultipleRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 2 &* pdu.handles.count)
        case .readMultipleResponse(let pdu): try pdu.encodedBehindOpcode(reserving: pdu.values.count)
        case .readByGroupTypeRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 20)
        case .readByGroupTypeResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 1 &+ pdu.data.count)
        case .writeRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 2 &+ pdu.value.count)
        case .writeResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 0)
        case .prepareWriteRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 4 &+ pdu.value.count)
        case .prepareWriteResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 4 &+ pdu.value.count)
        case .executeWriteRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 1)
        case .executeWriteResponse(let pdu): try pdu.encodedBehindOpcode(reserving: 0)
        case .handleValueNotification(let pdu): try pdu.encodedBehindOpcode(reserving: 2 &+ pdu.value.count)
        case .handleValueIndication(let pdu): try pdu.encodedBehindOpcode(reserving: 2 &+ pdu.value.count)
        case .handleValueConfirmation(let pdu): try pdu.encodedBehindOpcode(reserving: 0)
        case .readMultipleVariableRequest(let pdu): try pdu.encodedBehindOpcode(reserving: 2 &* pdu.handles.count)
        case .readMultipleVariableResponse(let pdu): try pdu.encodedBehindOpcode(reserving: pdu.list.count)
        case .multipleHandleValueNotification(let pdu): try pdu.encodedBehindOpcode(reserving: pdu.list.count)
        case .writeCommand(let pdu): try pdu.encodedBehindOpcode(reserving: 2 &+ pdu.value.count)
        case .signedWriteCommand(let pdu): try pdu.encodedBehindOpcode(reserving: 2 &+ pdu.valueAndSignature.count)
        }
    }
}
