import BLEWire

/// The items of a HID report descriptor (USB Device Class Definition for Human Interface Devices 1.11, 6.2.2).
enum HIDReportMap {
    private static let main: [UInt8: String] = [
        8: "Input", 9: "Output", 10: "Collection", 11: "Feature", 12: "End Collection",
    ]
    private static let global = [
        "Usage Page", "Logical Minimum", "Logical Maximum", "Physical Minimum", "Physical Maximum", "Unit Exponent",
        "Unit",
        "Report Size", "Report ID", "Report Count", "Push", "Pop",
    ]
    private static let local = [
        "Usage", "Usage Minimum", "Usage Maximum", "Designator Index", "Designator Minimum", "Designator Maximum", "",
        "String Index", "String Minimum", "String Maximum", "Delimiter",
    ]
    private static let collections = [
        "Physical", "Application", "Logical", "Report", "Named Array", "Usage Switch", "Usage Modifier",
    ]
    private static let pages: [UInt32: String] = [
        0x01: "Generic Desktop", 0x02: "Simulation Controls", 0x05: "Game Controls", 0x06: "Generic Device Controls",
        0x07: "Keyboard/Keypad", 0x08: "LED", 0x09: "Button", 0x0C: "Consumer", 0x0D: "Digitizers",
        0x0F: "Physical Interface",
    ]

    /// Each item as a field; and what is wrong with the descriptor, at the first item that is.
    static func decode(_ octets: ArraySlice<UInt8>) -> ([DecodedField], problem: String?) {
        var rest = octets
        var fields: [DecodedField] = []
        var level = 0
        while let prefix = rest.popFirst() {
            // A long item: size, tag, data. [6.2.2.3 there]
            let size = prefix == 0xFE ? 2 + Int(rest.first ?? 0) : [0, 1, 2, 4][Int(prefix & 3)]
            guard rest.count >= size else { return (fields, "ends within the item \(Hex.string([prefix]))") }
            let data = rest.prefix(size)
            rest = rest.dropFirst(size)
            if prefix == 0xFE {
                fields.append(DecodedField("Long Item", .text(Hex.string(data, separator: " "))))
                continue
            }
            if prefix >> 2 == 0x30 { level -= 1 }
            if prefix >> 2 == 0x28 { level += 1 }
            fields.append(item(prefix, data))
        }
        return (
            fields, level == 0 ? nil : "\(level > 0 ? "a collection doesn't end" : "more collections end than begin")"
        )
    }

    private static func item(_ prefix: UInt8, _ data: ArraySlice<UInt8>) -> DecodedField {
        let tag = prefix >> 4
        let number = data.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let shift = UInt32(32 - 8 * data.count)
        let signed = data.isEmpty ? 0 : Int32(bitPattern: number << shift) >> Int32(shift)
        switch prefix >> 2 & 3 {
        case 0:
            guard let name = main[tag] else { break }
            if tag == 10 {
                let word = Int(number) < collections.count ? collections[Int(number)] : Hex.string(Array(data))
                return DecodedField(name, .text(word))
            }
            return tag == 12 ? DecodedField("", .text(name)) : DecodedField(name, .text(flags(number)))
        case 1 where Int(tag) < global.count:
            if tag == 0, let page = pages[number] { return DecodedField(global[0], .text(page)) }
            if tag >= 10 { return DecodedField("", .text(global[Int(tag)])) }
            // Minima, maxima and the unit's exponent have a sign.
            return DecodedField(global[Int(tag)], .number((1...5).contains(tag) ? String(signed) : String(number)))
        case 2 where Int(tag) < local.count && !local[Int(tag)].isEmpty:
            return DecodedField(local[Int(tag)], .number(String(number)))
        default: break
        }
        return DecodedField("Item", .text(Hex.string([prefix] + data, separator: " ")))
    }

    /// Of Input, Output and Feature: the bits that are most asked for. [6.2.2.5 there]
    private static func flags(_ number: UInt32) -> String {
        [
            number & 1 == 0 ? "Data" : "Constant", number & 2 == 0 ? "Array" : "Variable",
            number & 4 == 0 ? "Absolute" : "Relative",
        ].joined(separator: ", ")
    }
}
