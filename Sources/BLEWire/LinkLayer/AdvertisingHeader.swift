/// The type of a PDU on an advertising channel. [Vol 6, Part B, 2.3]
package struct AdvertisingPDUType: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let advInd = AdvertisingPDUType(rawValue: 0x0)
    package static let advDirectInd = AdvertisingPDUType(rawValue: 0x1)
    package static let advNonconnInd = AdvertisingPDUType(rawValue: 0x2)
    package static let scanReq = AdvertisingPDUType(rawValue: 0x3)
    package static let scanRsp = AdvertisingPDUType(rawValue: 0x4)
    package static let connectInd = AdvertisingPDUType(rawValue: 0x5)
    package static let advScanInd = AdvertisingPDUType(rawValue: 0x6)
    /// The PDUs of extended advertising.
    package static let advExtInd = AdvertisingPDUType(rawValue: 0x7)
    package static let auxConnectRsp = AdvertisingPDUType(rawValue: 0x8)
}

/// The header of a PDU on an advertising channel. [Vol 6, Part B, 2.3]
package struct AdvertisingHeader: FieldStructure, Equatable {
    /// Type in bits 0 to 3, ChSel bit 5, TxAdd bit 6, RxAdd bit 7; bit 4 is reserved.
    package var flags: UInt8 = 0
    /// Octets of the payload.
    package var length: UInt8 = 0

    package init() {}
    package init(
        type: AdvertisingPDUType, channelSelection2: Bool = false, transmitterIsRandom: Bool = false,
        receiverIsRandom: Bool = false, length: UInt8 = 0
    ) {
        flags =
            type.rawValue & 0x0F | (channelSelection2 ? 0x20 : 0) | (transmitterIsRandom ? 0x40 : 0)
            | (receiverIsRandom ? 0x80 : 0)
        self.length = length
    }

    package var type: AdvertisingPDUType { AdvertisingPDUType(rawValue: flags & 0x0F) }
    /// ChSel: the sender can use channel selection algorithm #2.
    package var channelSelection2: Bool { flags & 0x20 != 0 }
    /// TxAdd of the PDUs that have an address of their sender first.
    package var transmitterKind: DeviceAddress.Kind { flags & 0x40 != 0 ? .randomDevice : .publicDevice }
    /// RxAdd of the PDUs that name a receiver.
    package var receiverKind: DeviceAddress.Kind { flags & 0x80 != 0 ? .randomDevice : .publicDevice }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Flags", &flags)
        try v.u8("Length", &length)
    }
}
