/// The layout of a characteristic's value, for characteristics that the Bluetooth SIG has published one for.
package struct ValueFormat: Sendable {
    package let fields: [ValueField]

    package init(_ fields: ValueField...) { self.fields = fields }

    /// The format of the characteristic with a 16-bit UUID; nil where this table hasn't got it.
    package static func of(_ characteristic: UInt16) -> ValueFormat? { table[characteristic] }

    /// The fields of a value; nil where the value is shorter than its flags say, or otherwise not laid out like this.
    ///
    /// *Limits*: octets behind the last field are left alone, since later versions of a service may add fields.
    package func decode(_ value: [UInt8]) -> [DecodedField]? {
        var rest = value[...]
        var flags: UInt32 = 0
        var decoded: [DecodedField] = []
        for field in fields {
            switch field.condition {
            case .set(let bit) where flags >> bit & 1 == 0: continue
            case .clear(let bit) where flags >> bit & 1 == 1: continue
            default: break
            }
            guard let values = Self.take(field, from: &rest, &flags) else { return nil }
            decoded += values.map { DecodedField(field.name, $0, unit: field.unit) }
        }
        return decoded
    }

    /// Takes one field off the value: no, one or several values; nil where there are too few octets.
    private static func take(
        _ field: ValueField, from rest: inout ArraySlice<UInt8>, _ flags: inout UInt32
    ) -> [DecodedField.Value]? {
        switch field.layout {
        case .unsigned(let size):
            guard let number = unsigned(size, from: &rest) else { return nil }
            return [.number(Decimal.text(Int64(number), exponent: -field.places))]
        case .signed(let size):
            guard let number = unsigned(size, from: &rest) else { return nil }
            let shift = 32 - 8 * size
            let value = Int32(bitPattern: number << shift) >> shift
            return [.number(Decimal.text(Int64(value), exponent: -field.places))]
        case .float:
            guard let bits = unsigned(4, from: &rest) else { return nil }
            return [Decimal.float(bits)]
        case .numbers:
            guard rest.count.isMultiple(of: 2) else { return nil }
            var numbers: [DecodedField.Value] = []
            while let number = unsigned(2, from: &rest) {
                numbers.append(.number(Decimal.text(Int64(number), exponent: -field.places)))
            }
            return numbers
        case .text:
            defer { rest = [] }
            // Some devices end their texts as C does.
            let octets = rest.last == 0 ? rest.dropLast() : rest
            return String(validating: octets, as: UTF8.self).map { [.text($0)] }
        case .choice(let words):
            guard let number = rest.popFirst() else { return nil }
            return [Int(number) < words.count ? .text(words[Int(number)]) : .number(String(number))]
        case .flags:
            guard let octet = rest.popFirst() else { return nil }
            flags = UInt32(octet)
            return []
        }
    }

    private static func unsigned(_ size: Int, from rest: inout ArraySlice<UInt8>) -> UInt32? {
        guard rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
