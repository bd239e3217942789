// Control PDUs that change how much and how fast a link carries. [Vol 6, Part B, 5.1.9], [Vol 6, Part B, 5.1.10]

/// LL_LENGTH_REQ: the lengths and times that the sender wants. [Vol 6, Part B, 2.4.2.21]
package struct LLLengthReq: LLControlPDU {
    package static let name: StaticString = "LL_LENGTH_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.21")
    package static var opcode: LLOpcode { .lengthReq }

    package var maximumReceiveOctets: UInt16 = 27
    /// Microseconds.
    package var maximumReceiveTime: UInt16 = 328
    package var maximumTransmitOctets: UInt16 = 27
    /// Microseconds.
    package var maximumTransmitTime: UInt16 = 328

    package init() {}
    package init(
        maximumReceiveOctets: UInt16, maximumReceiveTime: UInt16, maximumTransmitOctets: UInt16,
        maximumTransmitTime:
            UInt16
    ) {
        self.maximumReceiveOctets = maximumReceiveOctets
        self.maximumReceiveTime = maximumReceiveTime
        self.maximumTransmitOctets = maximumTransmitOctets
        self.maximumTransmitTime = maximumTransmitTime
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("MaxRxOctets", &maximumReceiveOctets)
        try v.u16("MaxRxTime", &maximumReceiveTime)
        try v.u16("MaxTxOctets", &maximumTransmitOctets)
        try v.u16("MaxTxTime", &maximumTransmitTime)
    }
}

/// LL_LENGTH_RSP: the lengths and times that the answerer wants. [Vol 6, Part B, 2.4.2.21]
package struct LLLengthRsp: LLControlPDU {
    package static let name: StaticString = "LL_LENGTH_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.21")
    package static var opcode: LLOpcode { .lengthRsp }

    package var maximumReceiveOctets: UInt16 = 27
    /// Microseconds.
    package var maximumReceiveTime: UInt16 = 328
    package var maximumTransmitOctets: UInt16 = 27
    /// Microseconds.
    package var maximumTransmitTime: UInt16 = 328

    package init() {}
    package init(
        maximumReceiveOctets: UInt16, maximumReceiveTime: UInt16, maximumTransmitOctets: UInt16,
        maximumTransmitTime:
            UInt16
    ) {
        self.maximumReceiveOctets = maximumReceiveOctets
        self.maximumReceiveTime = maximumReceiveTime
        self.maximumTransmitOctets = maximumTransmitOctets
        self.maximumTransmitTime = maximumTransmitTime
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("MaxRxOctets", &maximumReceiveOctets)
        try v.u16("MaxRxTime", &maximumReceiveTime)
        try v.u16("MaxTxOctets", &maximumTransmitOctets)
        try v.u16("MaxTxTime", &maximumTransmitTime)
    }
}

/// LL_PHY_REQ: the PHYs that the sender would use. [Vol 6, Part B, 2.4.2.22]
package struct LLPHYReq: LLControlPDU {
    package static let name: StaticString = "LL_PHY_REQ"
    package static let section = SpecSection(6, "B", "2.4.2.22")
    package static var opcode: LLOpcode { .phyReq }

    package var transmit: PHYSet = PHYSet.le1M
    package var receive: PHYSet = PHYSet.le1M

    package init() {}
    package init(transmit: PHYSet, receive: PHYSet) {
        self.transmit = transmit
        self.receive = receive
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("TX_PHYS", &transmit)
        try v.field("RX_PHYS", &receive)
    }
}

/// LL_PHY_RSP: the PHYs that the answerer would use. [Vol 6, Part B, 2.4.2.22]
package struct LLPHYRsp: LLControlPDU {
    package static let name: StaticString = "LL_PHY_RSP"
    package static let section = SpecSection(6, "B", "2.4.2.22")
    package static var opcode: LLOpcode { .phyRsp }

    package var transmit: PHYSet = PHYSet.le1M
    package var receive: PHYSet = PHYSet.le1M

    package init() {}
    package init(transmit: PHYSet, receive: PHYSet) {
        self.transmit = transmit
        self.receive = receive
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("TX_PHYS", &transmit)
        try v.field("RX_PHYS", &receive)
    }
}

/// LL_PHY_UPDATE_IND: the central changes the PHYs at an instant; none means that one stays. [Vol 6, Part B, 2.4.2.23]
package struct LLPHYUpdateInd: LLControlPDU {
    package static let name: StaticString = "LL_PHY_UPDATE_IND"
    package static let section = SpecSection(6, "B", "2.4.2.23")
    package static var opcode: LLOpcode { .phyUpdateInd }

    package var centralToPeripheral: PHYSet = []
    package var peripheralToCentral: PHYSet = []
    package var instant: UInt16 = 0

    package init() {}
    package init(centralToPeripheral: PHYSet, peripheralToCentral: PHYSet, instant: UInt16) {
        self.centralToPeripheral = centralToPeripheral
        self.peripheralToCentral = peripheralToCentral
        self.instant = instant
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("PHY_C_TO_P", &centralToPeripheral)
        try v.field("PHY_P_TO_C", &peripheralToCentral)
        try v.u16("Instant", &instant)
    }
}
