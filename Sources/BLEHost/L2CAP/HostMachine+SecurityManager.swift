import BLEWire

// The Security Manager channel while there is no pairing: whoever asks for it is told so. [Vol 3, Part H, 3.5.5]
extension HostMachine {
    private static let pairingRequest: UInt8 = 0x01
    private static let securityRequest: UInt8 = 0x0B
    private static let pairingFailed: UInt8 = 0x05
    private static let pairingNotSupported: UInt8 = 0x05

    mutating func receiveSecurityManager(_ pdu: [UInt8], linkAt index: Int, into out: inout [HostOutput]) {
        let handle = links.all[index].handle
        let isCentral = links.all[index].info.isCentral
        switch pdu.first {
        case Self.pairingRequest where !isCentral, Self.securityRequest where isCentral:
            trace(.info, "smp", "\(handle) asks for pairing, which isn't supported yet", into: &out)
            enqueue(
                [Self.pairingFailed, Self.pairingNotSupported], on: .securityManager, tag: nil, linkAt: index,
                into: &out)
        case let code?: trace(.debug, "smp", "\(handle): a PDU with the code \(Hex.prefixed(code))", into: &out)
        case nil: trace(.debug, "smp", "\(handle): an empty PDU", into: &out)
        }
    }
}
