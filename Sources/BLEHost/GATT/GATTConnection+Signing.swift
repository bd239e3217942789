import BLECrypto
import BLEWire

extension GATTConnection {
    /// A Signed Write Command; nil without a key. [Vol 3, Part C, 10.4.1]
    func sign(_ handle: AttributeHandle, _ value: [UInt8]) throws(WireError) -> [UInt8]? {
        guard let key = signingKey, key.counter < .max else { return nil }
        let message = [ATTOpcode.signedWriteCommand.rawValue] + handle.octets + value
        let signature = ATTSignature.sign(message, csrk: key.csrk, counter: key.counter)
        return try ATTPacket.signedWriteCommand(.init(handle: handle, valueAndSignature: value + signature)).encoded()
    }
}
