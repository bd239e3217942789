#if BlueZ
    import CSystemd
    import Glibc

    /// Reads and writes the values of an sd-bus message.
    struct SdBusMessage {
        let message: OpaquePointer
        /// Takes a descriptor that came, and gives those that go out.
        let sockets: any SocketExchange

        func append(_ values: [DBusValue]) throws(DBusFailure) {
            for value in values { try append(value) }
        }

        private func append(_ value: DBusValue) throws(DBusFailure) {
            switch value {
            case .byte(let number): try basic("y", number)
            case .bool(let flag): try basic("b", Int32(flag ? 1 : 0))
            case .int16(let number): try basic("n", number)
            case .uint16(let number): try basic("q", number)
            case .int32(let number): try basic("i", number)
            case .uint32(let number): try basic("u", number)
            case .int64(let number): try basic("x", number)
            case .uint64(let number): try basic("t", number)
            case .double(let number): try basic("d", number)
            case .string(let text): try text_("s", text)
            case .path(let text): try text_("o", text)
            case .signature(let text): try text_("g", text)
            case .socket(let number): try descriptor(number)
            case .bytes(let octets):
                try check(sd_bus_message_append_array(message, code("y"), octets, octets.count), "octets")
            case .array(let element, let values):
                try container("a", element) { () throws(DBusFailure) in try append(values) }
            case .dictionary(let key, let value, let entries):
                try container("a", "{" + key + value + "}") { () throws(DBusFailure) in
                    for entry in entries {
                        try container("e", key + value) { () throws(DBusFailure) in
                            try append([entry.key, entry.value])
                        }
                    }
                }
            case .structure(let members):
                try container("r", members.map(\.typeSignature).joined()) { () throws(DBusFailure) in
                    try append(members)
                }
            case .variant(let inner):
                try container("v", inner.typeSignature) { () throws(DBusFailure) in try append(inner) }
            }
        }

        private func basic<Number: BitwiseCopyable>(_ type: Character, _ number: Number) throws(DBusFailure) {
            var number = number
            try check(sd_bus_message_append_basic(message, code(type), &number), "a number")
        }

        /// D-Bus strings hold no zero octet, and paths have a form: what doesn't fit is refused by the library.
        private func text_(_ type: Character, _ text: String) throws(DBusFailure) {
            guard !text.utf8.contains(0) else { throw DBusFailure.local("a text with a zero octet can't be sent") }
            try check(text.withCString { sd_bus_message_append_basic(message, code(type), $0) }, "\"\(text)\"")
        }

        /// The library makes a copy of it for the message.
        private func descriptor(_ number: SocketNumber) throws(DBusFailure) {
            guard let taken = sockets.takeRemoteEnd(of: number) else {
                throw DBusFailure.local("the socket's other end is gone already")
            }
            defer { close(taken) }
            try basic("h", taken)
        }

        private func container(
            _ type: Character, _ contents: String, _ body: () throws(DBusFailure) -> Void
        ) throws(DBusFailure) {
            try check(sd_bus_message_open_container(message, code(type), contents), "a container")
            try body()
            try check(sd_bus_message_close_container(message), "a container")
        }

        // MARK: - Reading

        /// All values; what is of a type that nobody sends to us ends the list.
        func read() throws(DBusFailure) -> [DBusValue] {
            var values: [DBusValue] = []
            while let value = try next() { values.append(value) }
            return values
        }

        private func next() throws(DBusFailure) -> DBusValue? {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            guard try check(sd_bus_message_peek_type(message, &type, &contents), "a type") > 0 else { return nil }
            let inner = contents.map { String(cString: $0) } ?? ""
            switch Character(UnicodeScalar(UInt8(bitPattern: type))) {
            case "y": return .byte(try number(type, 0))
            case "b": return .bool(try number(type, Int32(0)) != 0)
            case "n": return .int16(try number(type, 0))
            case "q": return .uint16(try number(type, 0))
            case "i": return .int32(try number(type, 0))
            case "u": return .uint32(try number(type, 0))
            case "x": return .int64(try number(type, 0))
            case "t": return .uint64(try number(type, 0))
            case "d": return .double(try number(type, 0))
            case "s": return .string(try text(type))
            case "o": return .path(try text(type))
            case "g": return .signature(try text(type))
            case "h": return .socket(sockets.adopt(copyOf: try number(type, Int32(0))))
            case "v":
                return .variant(
                    try entered(type, inner) { () throws(DBusFailure) in
                        guard let value = try next() else { throw DBusFailure.local("an empty variant came") }
                        return value
                    })
            case "r": return .structure(try entered(type, inner) { () throws(DBusFailure) in try read() })
            case "a" where inner == "y": return .bytes(try octets())
            case "a" where inner.hasPrefix("{"): return try dictionary(type, inner)
            case "a": return .array(of: inner, try entered(type, inner) { () throws(DBusFailure) in try read() })
            case let other: throw DBusFailure.local("a value of the type \(other) came")
            }
        }

        private func number<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) throws(DBusFailure) -> Number {
            var number = zero
            try check(sd_bus_message_read_basic(message, type, &number), "a number")
            return number
        }

        private func text(_ type: CChar) throws(DBusFailure) -> String {
            var text: UnsafePointer<CChar>?
            try check(sd_bus_message_read_basic(message, type, &text), "a text")
            return text.map { String(cString: $0) } ?? ""
        }

        private func octets() throws(DBusFailure) -> [UInt8] {
            var start: UnsafeRawPointer?
            var count = 0
            try check(sd_bus_message_read_array(message, code("y"), &start, &count), "octets")
            return Array(UnsafeRawBufferPointer(start: start, count: count))
        }

        private func dictionary(_ type: CChar, _ contents: String) throws(DBusFailure) -> DBusValue {
            let pair = contents.dropFirst().dropLast()
            let entries = try entered(type, contents) { () throws(DBusFailure) -> [DBusValue.Entry] in
                var entries: [DBusValue.Entry] = []
                while try check(sd_bus_message_enter_container(message, code("e"), String(pair)), "an entry") > 0 {
                    guard let key = try next(), let value = try next() else {
                        throw DBusFailure.local("half of an entry came")
                    }
                    entries.append(DBusValue.Entry(key, value))
                    try check(sd_bus_message_exit_container(message), "an entry")
                }
                return entries
            }
            return .dictionary(key: String(pair.prefix(1)), value: String(pair.dropFirst()), entries)
        }

        private func entered<Value>(
            _ type: CChar, _ contents: String, _ body: () throws(DBusFailure) -> Value
        ) throws(DBusFailure) -> Value {
            try check(sd_bus_message_enter_container(message, type, contents), "a container")
            let value = try body()
            try check(sd_bus_message_exit_container(message), "a container")
            return value
        }

        private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

        @discardableResult
        private func check(_ result: Int32, _ what: @autoclosure () -> String) throws(DBusFailure) -> Int32 {
            guard result >= 0 else { throw DBusFailure.library(result, what()) }
            return result
        }
    }
#endif

/// Where the descriptors of messages come from and go to.
protocol SocketExchange {
    /// Keeps a copy of a descriptor that belongs to a message.
    func adopt(copyOf descriptor: Int32) -> SocketNumber
    /// The other end of a socket of ours, to be closed by the caller once it is sent; nil if it was taken before.
    func takeRemoteEnd(of number: SocketNumber) -> Int32?
}

extension DBusFailure {
    /// What went wrong on our side of the bus.
    static func local(_ cause: String) -> DBusFailure { DBusFailure("org.ravning.Error.Local", cause) }
}
