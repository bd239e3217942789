/// The access addresses of packets. [Vol 6, Part B, 2.1.2]
package enum AccessAddress {
    /// Of every packet on the advertising channels.
    package static let advertising: UInt32 = 0x8E89_BED6

    /// A new address for a link that keeps the rules; `isTaken` names those in use.
    package static func random(
        using generator: inout some RandomNumberGenerator, isTaken: (UInt32) -> Bool = { _ in false }
    ) -> UInt32 {
        while true {
            let candidate = UInt32(truncatingIfNeeded: generator.next())
            if isAllowed(candidate), !isTaken(candidate) { return candidate }
        }
    }

    /// Whether a link may have this address; the rules for devices with the Coded PHY are kept by all.
    package static func isAllowed(_ address: UInt32) -> Bool {
        let difference = address ^ advertising
        // Neither the advertising address nor one that differs from it in one bit.
        guard difference.nonzeroBitCount > 1 else { return false }
        guard address != UInt32(address & 0xFF) &* 0x0101_0101 else { return false }
        guard longestRun(of: address) <= 6 else { return false }
        let transitions = address ^ address >> 1
        // 31 places where neighbours may differ; five of them within the six most significant bits.
        guard (transitions & 0x7FFF_FFFF).nonzeroBitCount <= 24 else { return false }
        guard (transitions >> 26 & 0x1F).nonzeroBitCount >= 2 else { return false }
        guard (address & 0xFF).nonzeroBitCount >= 3 else { return false }
        return (transitions & 0x7FFF).nonzeroBitCount <= 11
    }

    private static func longestRun(of address: UInt32) -> Int {
        var longest = 1
        var run = 1
        for bit in UInt32(1)..<32 {
            run = address >> bit & 1 == address >> (bit - 1) & 1 ? run + 1 : 1
            longest = max(longest, run)
        }
        return longest
    }
}
