/// Which of the machine's USB controllers is meant.
package enum USBSelection: Hashable, Sendable {
    /// The Nth of those that say that they are Bluetooth controllers, counted from 0 in the bus's order.
    case number(UInt8)
    /// By vendor and product, as `lsusb` shows them; also one that doesn't say what it is.
    case product(vendor: UInt16, product: UInt16)
}

extension USBSelection: CustomStringConvertible {
    package var description: String {
        switch self {
        case .number(let number): "usb:\(number)"
        case .product(let vendor, let product): "usb:\(Self.digits(vendor)):\(Self.digits(product))"
        }
    }

    private static func digits(_ value: UInt16) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 4 - text.count) + text
    }
}

extension USBSelection {
    /// Reads what stands behind `usb:`: a number, or vendor and product in hexadecimal; nil where it is neither.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1:
            guard let number = UInt8(parts[0]) else { return nil }
            self = .number(number)
        case 2:
            guard let vendor = Self.identifier(parts[0]), let product = Self.identifier(parts[1]) else { return nil }
            self = .product(vendor: vendor, product: product)
        default: return nil
        }
    }

    private static func identifier(_ text: some StringProtocol) -> UInt16? {
        text.utf8.count == 4 && text.allSatisfy(\.isHexDigit) ? UInt16(text, radix: 16) : nil
    }
}
