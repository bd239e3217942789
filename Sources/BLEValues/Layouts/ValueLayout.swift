import BLEWire

/// The layout of a characteristic's value, for characteristics that one is published for.
package struct ValueLayout: Sendable {
    let fields: [ValueField]

    /// The layout for the characteristic with a 16-bit UUID; nil where the table hasn't got it.
    package static func of(_ characteristic: UInt16) -> ValueLayout? {
        table.block(of: characteristic).flatMap(ValueLayout.init(parsing:))
    }

    /// The characteristics that the table has a layout for, in the order of their numbers.
    package static var characteristics: [UInt16] { table.numbers { _ in true } }

    /// What a value says. It never fails: what is missing or left over is told beside what was found.
    package func decode(_ value: [UInt8]) -> DecodedValue {
        var decoder = ValueDecoder(value[...])
        // A value that is a single field has the characteristic's own name.
        decoder.decode(fields, as: fields.count == 1 ? "" : nil)
        decoder.finish()
        return decoder.decoded
    }
}
