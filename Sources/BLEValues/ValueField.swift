/// A field of a characteristic's value, as data: where the layout of a value is published, it is a list of these.
package struct ValueField: Sendable {
    /// How a field is laid out; little endian throughout. [Vol 3, Part G, 2.4]
    package enum Layout: Sendable {
        /// A whole number of so many octets, 1 to 4.
        case unsigned(Int)
        case signed(Int)
        /// An IEEE 11073-20601 FLOAT: 24 bits of mantissa and 8 of a power of ten, both signed.
        case float
        /// The rest of the value, as numbers of 16 bits.
        case numbers
        /// The rest of the value, as text.
        case text
        /// One octet that stands for a word, from 0 on.
        case choice([String])
        /// One octet of flags that says which of the fields behind it are there.
        case flags
    }

    /// Which flags make a field present.
    package enum Condition: Sendable {
        case always
        /// The bit of the flags, from 0 on.
        case set(Int)
        case clear(Int)
    }

    package let name: String
    package let layout: Layout
    /// Decimal places: 2 where the number counts hundredths.
    package let places: Int
    package let unit: String
    package let condition: Condition

    package init(
        _ name: String, _ layout: Layout, places: Int = 0, unit: String = "", when condition: Condition = .always
    ) {
        self.name = name
        self.layout = layout
        self.places = places
        self.unit = unit
        self.condition = condition
    }
}

/// A field with what was found in it.
package struct DecodedField: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        /// A decimal number, written out: `36.6`.
        case number(String)
        case text(String)
    }
    package let name: String
    package let value: Value
    /// Empty = none.
    package let unit: String

    package init(_ name: String, _ value: Value, unit: String = "") {
        self.name = name
        self.value = value
        self.unit = unit
    }

    /// `rate 61 bpm`, for a person.
    package var text: String {
        let value =
            switch self.value {
            case .number(let number): number
            case .text(let text): text
            }
        return [name, value, unit].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
