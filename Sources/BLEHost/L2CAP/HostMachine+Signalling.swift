import BLEWire
extension HostMachine {
    mutating func signallingTimedOut(linkAt index: Int, into out: inout [HostOutput]) {}
    mutating func receiveSignalling(_ pdu: [UInt8], linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {}
    mutating func sendSignalling(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {}
}
