import BLEWire

// What numbers, bits and texts look like.
extension ValueDecoder {
    /// A number of so many octets: the word for it, or the number with its exponents.
    mutating func show(_ number: UInt64, _ octets: Int, _ isSigned: Bool, _ field: ValueField, _ name: String) {
        let shift = UInt64(64 - 8 * octets)
        let signed = Int64(bitPattern: number << shift) >> Int64(shift)
        let value = isSigned ? Int128(signed) : Int128(number)
        if let word = Int64(exactly: value).flatMap({ field.words[$0] }) {
            add(name, .text(word))
        } else {
            add(name, .number(Decimal.text(value, scale: field.scale)), unit: field.unit)
        }
    }

    /// The names of the bits that are set, and of groups of bits with what they are. Of flags only what a name is given
    /// for: the others say which fields are there.
    mutating func showBits(_ number: UInt64, _ field: ValueField, _ name: String) {
        var shown: [String] = []
        var unknown = number
        for bits in field.bits {
            let value = Self.bits(bits.bits, of: number)
            for bit in bits.bits { unknown &= ~(1 << UInt64(bit)) }
            if !bits.words.isEmpty || bits.bits.count > 1 {
                shown.append("\(bits.name): \(bits.words[Int64(truncatingIfNeeded: value)] ?? String(value))")
            } else if value == 1 {
                shown.append(bits.name)
            }
        }
        if !field.isFlags {
            shown += (0..<64).filter { unknown >> UInt64($0) & 1 == 1 }.map { "bit \($0)" }
            if shown.isEmpty { shown = ["none"] }
        }
        if !shown.isEmpty { add(name, .text(shown.joined(separator: "; "))) }
    }

    /// Text without the zeros at its end: fixed strings are filled up with them, and some devices end theirs as C does.
    mutating func showText(_ octets: ArraySlice<UInt8>, _ name: String) {
        var octets = octets
        while octets.last == 0 { octets.removeLast() }
        guard let text = String(validating: octets, as: UTF8.self) else {
            complain((name.isEmpty ? "the text" : name) + " isn't UTF-8")
            return
        }
        add(name, .text(text))
    }
}
