/// The functions of LE legacy pairing. Numbers are written as the specification prints them.
package enum LegacyPairing {
    /// Confirm value function c1. Pairing commands have 56 bits, addresses 48. [Vol 3, Part H, 2.2.3]
    package static func c1(
        k: UInt128, r: UInt128, request: UInt64, response: UInt64, initiatorType: UInt8, responderType: UInt8,
        initiator: UInt64, responder: UInt64
    ) -> UInt128 {
        let p1 = p1(request, response, initiatorType, responderType)
        let p2 = p2(initiator, responder)
        return AES128.encrypt(AES128.encrypt(r ^ p1, key: k) ^ p2, key: k)
    }

    package static func p1(
        _ request: UInt64, _ response: UInt64, _ initiatorType: UInt8, _ responderType: UInt8
    ) -> UInt128 {
        UInt128(response) << 72 | UInt128(request) << 16 | UInt128(responderType) << 8 | UInt128(initiatorType)
    }

    package static func p2(_ initiator: UInt64, _ responder: UInt64) -> UInt128 {
        UInt128(initiator) << 48 | UInt128(responder)
    }

    /// Key generation function s1: the halves of two random values that count less. [Vol 3, Part H, 2.2.4]
    package static func s1(k: UInt128, r1: UInt128, r2: UInt128) -> UInt128 {
        AES128.encrypt(r1 << 64 | r2 & UInt128(UInt64.max), key: k)
    }
}
