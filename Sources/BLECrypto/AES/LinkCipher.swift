/// Encryption and integrity of the packets of a link. [Vol 6, Part E, 1], [Vol 6, Part E, 2]
///
/// *Role*: AES-CCM with the session key and the initialization vector of a link, both directions. A value: a copy
/// goes on by itself.
/// *Inputs and outputs*: header octet, packet counter and payload; the payload is changed in place.
/// *Limits*: packet counters are the caller's. They have 39 bits: a link would have to send for longer than any lasts.
package struct LinkCipher: Sendable {
    /// Octets that the message integrity check adds to a payload.
    package static let checkLength = 4

    private let key: UInt128
    private let vector: UInt64
    /// The direction bit of what this side sends, at the place in the counter where the nonce has it.
    private let sendDirection: UInt64
    private var sealing: CCMContext
    private var opening: CCMContext

    /// - Parameter initializationVector: the peripheral's part in the upper 32 bits, the central's in the lower.
    package init(sessionKey: UInt128, initializationVector: UInt64, isCentral: Bool) {
        key = sessionKey
        vector = initializationVector
        // Packets of the central have the bit set. [Vol 6, Part E, 2.1]
        sendDirection = isCentral ? 1 << 39 : 0
        sealing = CCMContext(key: sessionKey, seals: true)
        opening = CCMContext(key: sessionKey, seals: false)
    }

    /// The session key of a long term key and a session key diversifier, whose upper half is the peripheral's.
    /// [Vol 6, Part B, 5.1.3.1]
    package static func sessionKey(longTermKey: UInt128, diversifier: UInt128) -> UInt128 {
        AES128.encrypt(diversifier, key: longTermKey)
    }

    /// Encrypts the octets from `start` on, and appends their check. `header` is the packet's first octet.
    package mutating func seal(_ octets: inout [UInt8], from start: Int, header: UInt8, counter: UInt64) {
        if !isKnownUniquelyReferenced(&sealing) { sealing = CCMContext(key: key, seals: true) }
        sealing.seal(
            &octets, from: start, header: header & Self.headerMask, counter: counter & Self.counterMask | sendDirection,
            vector: vector)
    }

    /// Decrypts the octets from `start` on; false where the four octets of `packet` at `check` aren't their check.
    package mutating func open(
        _ octets: inout [UInt8], from start: Int, check: Int, of packet: [UInt8], header: UInt8, counter: UInt64
    ) -> Bool {
        guard check >= 0, check + Self.checkLength <= packet.count, start <= octets.count else { return false }
        if !isKnownUniquelyReferenced(&opening) { opening = CCMContext(key: key, seals: false) }
        return opening.open(
            &octets, from: start, check: check, of: packet, header: header & Self.headerMask,
            counter: counter & Self.counterMask | (sendDirection ^ 1 << 39), vector: vector)
    }

    /// NESN, SN and MD may change when a packet is sent again: they aren't authenticated. [Vol 6, Part E, 2.2]
    private static let headerMask: UInt8 = 0b1110_0011
    private static let counterMask: UInt64 = 1 << 39 - 1
}
