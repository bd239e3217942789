/// A value of the D-Bus type system, as far as BlueZ uses it. [D-Bus Specification, Type System]
package indirect enum DBusValue: Equatable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case path(String)
    case signature(String)
    /// A descriptor that travels with the message. Machines know it by a number only.
    case socket(SocketNumber)
    /// `ay`.
    case bytes([UInt8])
    case array(of: String, [DBusValue])
    case dictionary(key: String, value: String, [Entry])
    case structure([DBusValue])
    case variant(DBusValue)

    package struct Entry: Equatable, Sendable {
        package var key: DBusValue
        package var value: DBusValue
        package init(_ key: DBusValue, _ value: DBusValue) {
            self.key = key
            self.value = value
        }
    }
}

/// Names a socket between a program and BlueZ, on our side of it.
package struct SocketNumber: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Properties of an interface by their names, out of their variants.
package typealias DBusProperties = [String: DBusValue]

extension DBusValue {
    /// `a{sv}`, in the order given.
    package static func properties(_ entries: KeyValuePairs<String, DBusValue>) -> DBusValue {
        .dictionary(key: "s", value: "v", entries.map { Entry(.string($0.key), .variant($0.value)) })
    }

    package static func strings(_ texts: [String]) -> DBusValue { .array(of: "s", texts.map { .string($0) }) }
    package static func paths(_ texts: [String]) -> DBusValue { .array(of: "o", texts.map { .path($0) }) }
}

// What is in a value that came from elsewhere; nil where it's of another type.
extension DBusValue {
    /// A string, or an object's path.
    package var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        case .variant(let value): value.text
        default: nil
        }
    }

    package var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .variant(let value): value.flag
        default: nil
        }
    }

    /// An integer of any width.
    package var number: Int? {
        switch self {
        case .byte(let number): Int(number)
        case .int16(let number): Int(number)
        case .uint16(let number): Int(number)
        case .int32(let number): Int(number)
        case .uint32(let number): Int(exactly: number)
        case .int64(let number): Int(exactly: number)
        case .uint64(let number): Int(exactly: number)
        case .variant(let value): value.number
        default: nil
        }
    }

    package var octets: [UInt8]? {
        switch self {
        case .bytes(let octets): octets
        case .variant(let value): value.octets
        default: nil
        }
    }

    package var list: [DBusValue]? {
        switch self {
        case .array(_, let values): values
        case .variant(let value): value.list
        default: nil
        }
    }

    /// Strings or paths of an array.
    package var texts: [String]? { list?.compactMap(\.text) }

    package var entries: [Entry]? {
        switch self {
        case .dictionary(_, _, let entries): entries
        case .variant(let value): value.entries
        default: nil
        }
    }

    /// A dictionary with strings as keys: its values, out of their variants.
    package var properties: DBusProperties? {
        guard let entries else { return nil }
        var properties: DBusProperties = [:]
        for entry in entries {
            guard let name = entry.key.text else { return nil }
            properties[name] = entry.value.unwrapped
        }
        return properties
    }

    package var unwrapped: DBusValue {
        if case .variant(let value) = self { value.unwrapped } else { self }
    }

    package var isSocket: SocketNumber? {
        if case .socket(let number) = self { number } else { nil }
    }
}

extension DBusValue {
    /// The type's signature. [D-Bus Specification, Type System, Summary of types]
    package var typeSignature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .socket: "h"
        case .bytes: "ay"
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        case .structure(let members): "(" + members.map(\.typeSignature).joined() + ")"
        case .variant: "v"
        }
    }
}
