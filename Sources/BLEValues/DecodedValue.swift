/// A field with what was found in it.
package struct DecodedField: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        /// A decimal number, written out: `36.6`.
        case number(String)
        case text(String)
    }
    /// Empty where it is all that the value has.
    package let name: String
    package let value: Value
    /// Empty = none.
    package let unit: String

    package init(_ name: String, _ value: Value, unit: String = "") {
        self.name = name
        self.value = value
        self.unit = unit
    }

    /// `Heart Rate 61 bpm`, for a person.
    package var text: String {
        let value =
            switch self.value {
            case .number(let number): number
            case .text(let text): text
            }
        return [name, value, unit].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// What a layout finds in a value.
package struct DecodedValue: Equatable, Sendable {
    package var fields: [DecodedField] = []
    /// What the value lacks or has too much of, or what in it makes no sense; nil where it is as its layout says.
    package var problem: String?

    package init(_ fields: [DecodedField] = [], problem: String? = nil) {
        self.fields = fields
        self.problem = problem
    }

    /// `Heart Rate 61 bpm, Energy Expended 4 kJ (1 octet too many: 00)`, for a person.
    package var text: String {
        let fields = fields.map(\.text).joined(separator: ", ")
        guard let problem else { return fields }
        return fields.isEmpty ? "(\(problem))" : "\(fields) (\(problem))"
    }
}
