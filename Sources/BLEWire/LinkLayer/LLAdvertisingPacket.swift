/// Any PDU of an advertising channel with its header: the concrete entry for who receives them.
/// [Vol 6, Part B, 2.3]
package struct LLAdvertisingPacket: Equatable, Sendable {
    package enum Payload: Equatable, Sendable {
        case advInd(LLAdvInd)
        case advDirectInd(LLAdvDirectInd)
        case advNonconnInd(LLAdvNonconnInd)
        case scanReq(LLScanReq)
        case scanRsp(LLScanRsp)
        case connectInd(LLConnectInd)
        case advScanInd(LLAdvScanInd)
        /// ADV_EXT_IND, AUX_ADV_IND, AUX_SCAN_RSP, AUX_SYNC_IND and AUX_CHAIN_IND have one type.
        case extended(LLExtendedAdvertising)
        case auxConnectRsp(LLAuxConnectRsp)
        /// A type that is not known here, with its octets.
        case other([UInt8])
    }

    package var header: AdvertisingHeader
    package var payload: Payload

    /// The header's length is filled in when the packet is encoded.
    package init(header: AdvertisingHeader, payload: Payload) {
        self.header = header
        self.payload = payload
    }

    /// Reads header and payload. A length that isn't that of the octets is an error: on a real air the CRC would
    /// have been looked for in the wrong place.
    package init(decoding pdu: RawSpan) throws(WireError) {
        guard pdu.byteCount >= 2 else {
            throw .truncated(field: "Header", offset: 0, needed: 2, available: pdu.byteCount)
        }
        let header = try AdvertisingHeader(decoding: pdu.extracting(first: 2))
        let body = pdu.extracting(droppingFirst: 2)
        guard body.byteCount >= Int(header.length) else {
            throw .truncated(field: "Payload", offset: 2, needed: Int(header.length), available: body.byteCount)
        }
        guard body.byteCount == Int(header.length) else {
            throw .trailing(offset: 2 + Int(header.length), count: body.byteCount - Int(header.length))
        }
        self.header = header
        switch header.type {
        case .advInd: payload = .advInd(try LLAdvInd(decoding: body))
        case .advDirectInd: payload = .advDirectInd(try LLAdvDirectInd(decoding: body))
        case .advNonconnInd: payload = .advNonconnInd(try LLAdvNonconnInd(decoding: body))
        case .scanReq: payload = .scanReq(try LLScanReq(decoding: body))
        case .scanRsp: payload = .scanRsp(try LLScanRsp(decoding: body))
        case .connectInd: payload = .connectInd(try LLConnectInd(decoding: body))
        case .advScanInd: payload = .advScanInd(try LLAdvScanInd(decoding: body))
        case .advExtInd: payload = .extended(try LLExtendedAdvertising(decoding: body))
        case .auxConnectRsp: payload = .auxConnectRsp(try LLAuxConnectRsp(decoding: body))
        default:
            var reader = WireReader(body)
            var octets: [UInt8] = []
            try reader.rest("Payload", &octets, limit: 0xFF)
            payload = .other(octets)
        }
    }

    package init(decoding pdu: [UInt8]) throws(WireError) { try unsafe self.init(decoding: pdu.span.bytes) }

    /// Header with the right length, and payload.
    package func encoded() throws(WireError) -> [UInt8] {
        var writer = WireWriter()
        try header.encode(into: &writer)
        switch payload {
        case .advInd(let pdu): try pdu.encode(into: &writer)
        case .advDirectInd(let pdu): try pdu.encode(into: &writer)
        case .advNonconnInd(let pdu): try pdu.encode(into: &writer)
        case .scanReq(let pdu): try pdu.encode(into: &writer)
        case .scanRsp(let pdu): try pdu.encode(into: &writer)
        case .connectInd(let pdu): try pdu.encode(into: &writer)
        case .advScanInd(let pdu): try pdu.encode(into: &writer)
        case .extended(let pdu): try pdu.encode(into: &writer)
        case .auxConnectRsp(let pdu): try pdu.encode(into: &writer)
        case .other(var octets): try writer.rest("Payload", &octets, limit: 0xFF)
        }
        var octets = writer.finish()
        octets[1] = UInt8(truncatingIfNeeded: octets.count - 2)
        return octets
    }
}
