/// Any command of the Security Manager Protocol, read and written through one concrete entry. [Vol 3, Part H, 3.3]
package enum SMPPacket: Equatable, Sendable {
    case pairingRequest(SMPPairingRequest)
    case pairingResponse(SMPPairingResponse)
    case pairingConfirm(SMPPairingConfirm)
    case pairingRandom(SMPPairingRandom)
    case pairingFailed(SMPPairingFailed)
    case encryptionInformation(SMPEncryptionInformation)
    case centralIdentification(SMPCentralIdentification)
    case identityInformation(SMPIdentityInformation)
    case identityAddressInformation(SMPIdentityAddressInformation)
    case signingInformation(SMPSigningInformation)
    case securityRequest(SMPSecurityRequest)
    case pairingPublicKey(SMPPairingPublicKey)
    case pairingDHKeyCheck(SMPPairingDHKeyCheck)
    case pairingKeypressNotification(SMPPairingKeypressNotification)
}

extension SMPPacket {
    package var code: SMPCode {
        switch self {
        case .pairingRequest: .pairingRequest
        case .pairingResponse: .pairingResponse
        case .pairingConfirm: .pairingConfirm
        case .pairingRandom: .pairingRandom
        case .pairingFailed: .pairingFailed
        case .encryptionInformation: .encryptionInformation
        case .centralIdentification: .centralIdentification
        case .identityInformation: .identityInformation
        case .identityAddressInformation: .identityAddressInformation
        case .signingInformation: .signingInformation
        case .securityRequest: .securityRequest
        case .pairingPublicKey: .pairingPublicKey
        case .pairingDHKeyCheck: .pairingDHKeyCheck
        case .pairingKeypressNotification: .pairingKeypressNotification
        }
    }

    /// Reads a whole command, code first. Fails with `unknown` where the code isn't defined.
    package init(decoding span: RawSpan) throws(WireError) {
        var reader = WireReader(span)
        var code = SMPCode(rawValue: 0)
        try reader.field("Code", &code)
        switch code {
        case .pairingRequest: self = .pairingRequest(try SMPPairingRequest(behindCode: &reader))
        case .pairingResponse: self = .pairingResponse(try SMPPairingResponse(behindCode: &reader))
        case .pairingConfirm: self = .pairingConfirm(try SMPPairingConfirm(behindCode: &reader))
        case .pairingRandom: self = .pairingRandom(try SMPPairingRandom(behindCode: &reader))
        case .pairingFailed: self = .pairingFailed(try SMPPairingFailed(behindCode: &reader))
        case .encryptionInformation: self = .encryptionInformation(try SMPEncryptionInformation(behindCode: &reader))
        case .centralIdentification: self = .centralIdentification(try SMPCentralIdentification(behindCode: &reader))
        case .identityInformation: self = .identityInformation(try SMPIdentityInformation(behindCode: &reader))
        case .identityAddressInformation:
            self = .identityAddressInformation(try SMPIdentityAddressInformation(behindCode: &reader))
        case .signingInformation: self = .signingInformation(try SMPSigningInformation(behindCode: &reader))
        case .securityRequest: self = .securityRequest(try SMPSecurityRequest(behindCode: &reader))
        case .pairingPublicKey: self = .pairingPublicKey(try SMPPairingPublicKey(behindCode: &reader))
        case .pairingDHKeyCheck: self = .pairingDHKeyCheck(try SMPPairingDHKeyCheck(behindCode: &reader))
        case .pairingKeypressNotification:
            self = .pairingKeypressNotification(try SMPPairingKeypressNotification(behindCode: &reader))
        default: throw .unknown(what: "SMP code", value: UInt64(code.rawValue))
        }
    }

    package init(decoding octets: [UInt8]) throws(WireError) {
        try unsafe self.init(decoding: octets.span.bytes)
    }

    /// The whole command, code first.
    package func encoded() throws(WireError) -> [UInt8] {
        switch self {
        case .pairingRequest(let pdu): try pdu.pdu()
        case .pairingResponse(let pdu): try pdu.pdu()
        case .pairingConfirm(let pdu): try pdu.pdu()
        case .pairingRandom(let pdu): try pdu.pdu()
        case .pairingFailed(let pdu): try pdu.pdu()
        case .encryptionInformation(let pdu): try pdu.pdu()
        case .centralIdentification(let pdu): try pdu.pdu()
        case .identityInformation(let pdu): try pdu.pdu()
        case .identityAddressInformation(let pdu): try pdu.pdu()
        case .signingInformation(let pdu): try pdu.pdu()
        case .securityRequest(let pdu): try pdu.pdu()
        case .pairingPublicKey(let pdu): try pdu.pdu()
        case .pairingDHKeyCheck(let pdu): try pdu.pdu()
        case .pairingKeypressNotification(let pdu): try pdu.pdu()
        }
    }
}
