/// A command of the Security Manager Protocol. `visitFields` walks what follows the code. [Vol 3, Part H, 3.3]
package protocol SMPPDU: WirePDU {
    static var code: SMPCode { get }
}

extension SMPPDU {
    /// The whole command, code first.
    package func pdu() throws(WireError) -> [UInt8] {
        var writer = WireWriter(reserving: 17)
        writer.append(Self.code.rawValue)
        try encode(into: &writer)
        return writer.finish()
    }

    /// Reads the fields behind the code up to the end of the command.
    init(behindCode reader: inout WireReader) throws(WireError) {
        self.init()
        try visitFields(&reader)
        try reader.end()
    }
}
