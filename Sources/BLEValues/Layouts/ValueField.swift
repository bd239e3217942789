/// A field of a characteristic's value, as data: where the layout of a value is published, it is a list of these.
package struct ValueField: Sendable {
    /// How a field is laid out; little endian throughout. [Vol 3, Part G, 2.4]
    enum Kind: Equatable, Sendable {
        /// A whole number of so many octets, 1 to 8.
        case number(octets: Int, isSigned: Bool)
        /// As many such numbers as there are octets for.
        case numbers(octets: Int, isSigned: Bool)
        /// An IEEE 11073-20601 number of 2 octets (SFLOAT) or 4 (FLOAT): mantissa and power of ten.
        case medical(octets: Int)
        /// An IEEE 754 number of 4 or 8 octets.
        case binary(octets: Int)
        /// Bits with names; nil: as many octets as are left, up to 8.
        case bits(octets: Int?)
        /// Fields of less than an octet; each is shown as a field.
        case packed(octets: Int)
        /// UTF-8, with zeros at the end left out; nil: to the end.
        case text(octets: Int?)
        /// UTF-8 to a zero.
        case terminatedText
        /// Octets without a meaning that is known; nil: to the end.
        case raw(octets: Int?)
        /// A number that is written in hexadecimal.
        case hexadecimal(octets: Int)
        /// The layout of another characteristic.
        case characteristic(UInt16)
        /// The fields below it.
        case structure
        /// The fields below it, again and again; the first octet is the size of all of one.
        case records
        case special(SpecialKind)
    }

    /// Kinds that no number of exponents describes.
    enum SpecialKind: String, Sendable {
        /// Year, month, day, hours, minutes, seconds: 7 octets.
        case dateTime = "dt"
        /// Year, month, day: 4 octets.
        case date = "ymd"
        /// Days since 1970: 3 octets.
        case days
        /// Seconds since the beginning of a year: 4 octets.
        case secondsSince1900 = "s1900"
        case secondsSince1970 = "s1970"
        case secondsSince2000 = "s2000"
        /// Quarters of an hour from UTC: 1 octet.
        case quarters
        /// 1.1 to the power of what is 64 less, in seconds: 1 octet.
        case exponential = "exp8"
        /// A UUID of 16 bits, or of 128 where there are so many octets.
        case uuid
        case shortUUID = "uuid16"
        /// UUIDs of units to the end.
        case units = "unit*"
        case company
        case appearance
        /// A device address, and an EUI-64.
        case address
        case extendedIdentifier = "eui"
        /// The items of a HID report descriptor.
        case reportMap = "hid"
    }

    /// Which numbers stand in some bits of the flags that were last seen.
    struct Condition: Equatable, Sendable {
        /// In place of the flags the field before.
        let isOfFieldBefore: Bool
        let bits: ClosedRange<Int>
        let value: UInt64
        let isEqual: Bool
    }

    /// Bits of a field, or one: what they are called, the unit of their number, and what their numbers are called.
    struct Bits: Sendable {
        let bits: ClosedRange<Int>
        let name: String
        let unit: String
        var words: [Int64: String] = [:]
    }

    let name: String
    let kind: Kind
    /// The number stands for itself × multiplier × 10^decimal × 2^binary.
    var scale = Scale()
    var unit = ""
    var conditions: [Condition] = []
    /// Whether conditions behind it are about it.
    var isFlags = false
    /// Whether it may be missing at the end.
    var isOptional = false
    /// What some numbers are called.
    var words: [Int64: String] = [:]
    var bits: [Bits] = []
    var fields: [ValueField] = []
}

/// The exponents that the Bluetooth SIG calls M, d and b.
struct Scale: Equatable, Sendable {
    var multiplier = 1
    var decimal = 0
    var binary = 0
}
