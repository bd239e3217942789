/// The signature of a Signed Write Command. [Vol 3, Part H, 2.4.5]
package enum ATTSignature {
    package static let length = 12

    /// Counter (4 octets) and code (8 octets) in the order in which they're sent.
    ///
    /// - Parameter message: the PDU up to the signature, opcode first.
    package static func sign(_ message: [UInt8], csrk: UInt128, counter: UInt32) -> [UInt8] {
        let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (8 * UInt32($0))) }
        // CMAC takes most significant octets first, the PDU comes least significant first: all is turned round.
        let code = AESCMAC.code((message + count).reversed(), key: csrk)
        return count + code.octets.prefix(8).reversed()
    }

    /// The counter of a signature that is right; nil for one that is wrong or has another length.
    package static func verify(_ message: [UInt8], signature: [UInt8], csrk: UInt128) -> UInt32? {
        guard signature.count == length else { return nil }
        let counter = signature.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let expected = sign(message, csrk: csrk, counter: counter)
        let difference = zip(expected, signature).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? counter : nil
    }
}
