/// The code of a signalling command. [Vol 3, Part A, 4]
package struct L2CAPSignallingCode: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let commandReject = L2CAPSignallingCode(rawValue: 0x01)
    package static let disconnectionRequest = L2CAPSignallingCode(rawValue: 0x06)
    package static let disconnectionResponse = L2CAPSignallingCode(rawValue: 0x07)
    package static let connectionParameterUpdateRequest = L2CAPSignallingCode(rawValue: 0x12)
    package static let connectionParameterUpdateResponse = L2CAPSignallingCode(rawValue: 0x13)
    package static let leCreditBasedConnectionRequest = L2CAPSignallingCode(rawValue: 0x14)
    package static let leCreditBasedConnectionResponse = L2CAPSignallingCode(rawValue: 0x15)
    package static let flowControlCredit = L2CAPSignallingCode(rawValue: 0x16)
    package static let creditBasedConnectionRequest = L2CAPSignallingCode(rawValue: 0x17)
    package static let creditBasedConnectionResponse = L2CAPSignallingCode(rawValue: 0x18)
    package static let creditBasedReconfigureRequest = L2CAPSignallingCode(rawValue: 0x19)
    package static let creditBasedReconfigureResponse = L2CAPSignallingCode(rawValue: 0x1A)
}

/// Any signalling command of an LE link. [Vol 3, Part A, 4]
package enum L2CAPSignal: Equatable, Sendable {
    case commandReject(L2CAPCommandReject)
    case disconnectionRequest(L2CAPDisconnectionRequest)
    case disconnectionResponse(L2CAPDisconnectionResponse)
    case connectionParameterUpdateRequest(L2CAPConnectionParameterUpdateRequest)
    case connectionParameterUpdateResponse(L2CAPConnectionParameterUpdateResponse)
    case leCreditBasedConnectionRequest(L2CAPLECreditBasedConnectionRequest)
    case leCreditBasedConnectionResponse(L2CAPLECreditBasedConnectionResponse)
    case flowControlCredit(L2CAPFlowControlCredit)
    case creditBasedConnectionRequest(L2CAPCreditBasedConnectionRequest)
    case creditBasedConnectionResponse(L2CAPCreditBasedConnectionResponse)
    case creditBasedReconfigureRequest(L2CAPCreditBasedReconfigureRequest)
    case creditBasedReconfigureResponse(L2CAPCreditBasedReconfigureResponse)
    /// A command that LE links don't know: answered by a reject. [Vol 3, Part A, 4.1]
    case unknown(L2CAPSignallingCode)
    /// A command whose data is not what its code says.
    case malformed(L2CAPSignallingCode, WireError)
}

extension L2CAPSignal {
    package var code: L2CAPSignallingCode {
        switch self {
        case .commandReject: .commandReject
        case .disconnectionRequest: .disconnectionRequest
        case .disconnectionResponse: .disconnectionResponse
        case .connectionParameterUpdateRequest: .connectionParameterUpdateRequest
        case .connectionParameterUpdateResponse: .connectionParameterUpdateResponse
        case .leCreditBasedConnectionRequest: .leCreditBasedConnectionRequest
        case .leCreditBasedConnectionResponse: .leCreditBasedConnectionResponse
        case .flowControlCredit: .flowControlCredit
        case .creditBasedConnectionRequest: .creditBasedConnectionRequest
        case .creditBasedConnectionResponse: .creditBasedConnectionResponse
        case .creditBasedReconfigureRequest: .creditBasedReconfigureRequest
        case .creditBasedReconfigureResponse: .creditBasedReconfigureResponse
        case .unknown(let code), .malformed(let code, _): code
        }
    }

    /// Whether it asks for an answer. [Vol 3, Part A, 4]
    package var isRequest: Bool {
        switch self {
        case .disconnectionRequest, .connectionParameterUpdateRequest, .leCreditBasedConnectionRequest,
            .creditBasedConnectionRequest, .creditBasedReconfigureRequest:
            true
        default: false
        }
    }

    /// Reads the data of the command with this code.
    package init(_ code: L2CAPSignallingCode, data: RawSpan) {
        do throws(WireError) {
            switch code {
            case .commandReject:
                self = .commandReject(try L2CAPCommandReject(decoding: data))
            case .disconnectionRequest:
                self = .disconnectionRequest(try L2CAPDisconnectionRequest(decoding: data))
            case .disconnectionResponse:
                self = .disconnectionResponse(try L2CAPDisconnectionResponse(decoding: data))
            case .connectionParameterUpdateRequest:
                self = .connectionParameterUpdateRequest(try L2CAPConnectionParameterUpdateRequest(decoding: data))
            case .connectionParameterUpdateResponse:
                self = .connectionParameterUpdateResponse(try L2CAPConnectionParameterUpdateResponse(decoding: data))
            case .leCreditBasedConnectionRequest:
                self = .leCreditBasedConnectionRequest(try L2CAPLECreditBasedConnectionRequest(decoding: data))
            case .leCreditBasedConnectionResponse:
                self = .leCreditBasedConnectionResponse(try L2CAPLECreditBasedConnectionResponse(decoding: data))
            case .flowControlCredit:
                self = .flowControlCredit(try L2CAPFlowControlCredit(decoding: data))
            case .creditBasedConnectionRequest:
                self = .creditBasedConnectionRequest(try L2CAPCreditBasedConnectionRequest(decoding: data))
            case .creditBasedConnectionResponse:
                self = .creditBasedConnectionResponse(try L2CAPCreditBasedConnectionResponse(decoding: data))
            case .creditBasedReconfigureRequest:
                self = .creditBasedReconfigureRequest(try L2CAPCreditBasedReconfigureRequest(decoding: data))
            case .creditBasedReconfigureResponse:
                self = .creditBasedReconfigureResponse(try L2CAPCreditBasedReconfigureResponse(decoding: data))
            default: self = .unknown(code)
            }
        } catch {
            self = .malformed(code, error)
        }
    }

    func encode(into writer: inout WireWriter) throws(WireError) {
        switch self {
        case .commandReject(let pdu): try pdu.encode(into: &writer)
        case .disconnectionRequest(let pdu): try pdu.encode(into: &writer)
        case .disconnectionResponse(let pdu): try pdu.encode(into: &writer)
        case .connectionParameterUpdateRequest(let pdu): try pdu.encode(into: &writer)
        case .connectionParameterUpdateResponse(let pdu): try pdu.encode(into: &writer)
        case .leCreditBasedConnectionRequest(let pdu): try pdu.encode(into: &writer)
        case .leCreditBasedConnectionResponse(let pdu): try pdu.encode(into: &writer)
        case .flowControlCredit(let pdu): try pdu.encode(into: &writer)
        case .creditBasedConnectionRequest(let pdu): try pdu.encode(into: &writer)
        case .creditBasedConnectionResponse(let pdu): try pdu.encode(into: &writer)
        case .creditBasedReconfigureRequest(let pdu): try pdu.encode(into: &writer)
        case .creditBasedReconfigureResponse(let pdu): try pdu.encode(into: &writer)
        case .unknown, .malformed: break
        }
    }
}
