internal import Foundation

extension Data {
    /// The octets, as everything under the facade carries them.
    var octets: [UInt8] { [UInt8](self) }

    /// `{length = 2, bytes = 0x0102}`, as `NSData` describes itself on Apple's platforms; long values are cut there.
    /// [contract 129]
    var appleDescription: String {
        let digits = count <= 24 ? Self.digits(self) : "\(Self.digits(prefix(16))) ... \(Self.digits(suffix(8)))"
        return "{length = \(count), bytes = 0x\(digits)}"
    }

    private static func digits(_ data: Data) -> String {
        data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
