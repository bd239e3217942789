import BLEHost
import BLEWire
import Foundation

/// Members of a JSON object by their types.
extension [String: Any] {
    func text(_ names: String...) -> String? { names.lazy.compactMap { self[$0] as? String }.first }

    func number(_ names: String...) -> Int? { names.lazy.compactMap { (self[$0] as? NSNumber)?.intValue }.first }

    func flag(_ name: String) -> Bool { (self[name] as? NSNumber)?.boolValue ?? false }

    func object(_ name: String) -> [String: Any]? { self[name] as? [String: Any] }

    func objects(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }

    /// Hexadecimal digits; those of a list are put together.
    func octets(_ names: String...) -> [UInt8]? {
        for name in names {
            if let text = self[name] as? String { return Hex.octets(text) }
            if let list = self[name] as? [String] { return Hex.octets(list.joined()) }
        }
        return nil
    }

    func handle(_ name: String) -> AttributeHandle? {
        number(name).map { AttributeHandle(rawValue: UInt16(truncatingIfNeeded: $0)) }
    }

    /// From `start` to `end`; nil where the end is before the start, which no procedure can take.
    var range: ClosedRange<AttributeHandle>? {
        let start = handle("start") ?? .first
        let end = handle("end") ?? .last
        return start <= end ? start...end : nil
    }

    func uuid(_ name: String) -> BluetoothUUID? { text(name).flatMap { BluetoothUUID($0) } }

    /// What the link is protected by, where the message says.
    var security: LinkSecurity {
        var security = LinkSecurity()
        security.isEncrypted = flag("link_encrypted") || flag("encrypted")
        security.isAuthenticated = flag("authenticated")
        security.isSecureConnections = flag("secure")
        security.hasKey = flag("bonded") || security.isEncrypted
        security.keySize = number("key_size") ?? 16
        return security
    }

    /// Whether the test wants the stack to raise the security of the link by itself.
    var wantsElevation: Bool {
        (self["needs"] as? [String] ?? []).contains("security-elevation") || flag("security_elevation")
    }
}

extension Sequence<UInt8> {
    /// Lower-case hexadecimal digits.
    var hex: String { Hex.string(self).lowercased() }
}
