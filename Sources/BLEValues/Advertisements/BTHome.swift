import BLEWire

/// BTHome: open readings of home sensors in service data, in two versions, in the clear or encrypted with AES-CCM
/// (bthome.io/format, bthome.io/encryption).
package enum BTHome {
    /// The services whose data it is: of version 1 in the clear and encrypted, and of version 2.
    package static let plainService1: UInt16 = 0x181C
    package static let encryptedService1: UInt16 = 0x181E
    package static let service2: UInt16 = 0xFCD2

    /// What is to be decrypted, with AES-CCM and a tag of 4 octets.
    package struct Sealed: Equatable, Sendable {
        package let nonce: [UInt8]
        package let ciphertext: [UInt8]
        package let tag: [UInt8]
        package let additional: [UInt8]
    }

    /// What a device says; nil where the service isn't one of BTHome's, or its version isn't known.
    ///
    /// - Parameters:
    ///   - address: The device's address, most significant octet first, for what is encrypted; nil where it isn't known.
    ///     What the device says of it in its data goes before.
    ///   - open: Decrypts; nil where it can't, for want of a key or since the tag isn't right.
    package static func decode(
        service: UInt16, _ data: [UInt8], address: [UInt8]? = nil, open: (Sealed) -> [UInt8]? = { _ in nil }
    ) -> DecodedValue? {
        switch service {
        case plainService1: return decode1(data[...])
        case encryptedService1:
            return opened(data[...], address, [0x1E, 0x18], additional: [0x11], open).map(decode1) ?? locked
        case service2:
            guard let information = data.first, information >> 5 == 2 else { return nil }
            var rest = data.dropFirst()
            var address = address
            if information >> 1 & 1 == 1 {
                address = Array(rest.prefix(6).reversed())
                rest = rest.dropFirst(6)
            }
            guard information & 1 == 1 else { return decode2(rest) }
            return opened(rest, address, [0xD2, 0xFC, information], additional: [], open).map(decode2) ?? locked
        default: return nil
        }
    }

    private static let locked = DecodedValue(problem: "encrypted, and there is no key that opens it")

    /// Counter and tag stand behind the ciphertext.
    private static func opened(
        _ data: ArraySlice<UInt8>, _ address: [UInt8]?, _ middle: [UInt8], additional: [UInt8],
        _ open: (Sealed) -> [UInt8]?
    ) -> ArraySlice<UInt8>? {
        guard let address, address.count == 6, data.count > 8 else { return nil }
        let counter = data.suffix(8).prefix(4)
        let sealed = Sealed(
            nonce: address + middle + counter, ciphertext: Array(data.dropLast(8)), tag: Array(data.suffix(4)),
            additional: additional)
        return open(sealed).map { $0[...] }
    }

    /// Objects whose number says how long they are.
    private static func decode2(_ data: ArraySlice<UInt8>) -> DecodedValue {
        var rest = data
        var decoded = DecodedValue()
        while let object = rest.popFirst(), decoded.problem == nil {
            switch object {
            case 0x3A where rest.isEmpty, 0x53 where rest.isEmpty, 0x54 where rest.isEmpty, 0x3B where rest.isEmpty:
                decoded.problem = "ends within object \(Hex.prefixed(object))"
            case 0x3B, 0x53, 0x54:
                // A command has its number behind the length, which has three bits for later.
                let length = object == 0x3B ? Int(rest.removeFirst() & 0x1F) + 1 : Int(rest.removeFirst())
                guard rest.count >= length else {
                    decoded.problem = "ends within object \(Hex.prefixed(object))"
                    break
                }
                decoded.fields.append(variable(object, rest.prefix(length)))
                rest = rest.dropFirst(length)
            case 0xF1, 0xF2:
                let length = object == 0xF1 ? 4 : 3
                guard rest.count >= length else {
                    decoded.problem = "ends within object \(Hex.prefixed(object))"
                    break
                }
                let version = rest.prefix(length).reversed().map(String.init).joined(separator: ".")
                decoded.fields.append(DecodedField("Firmware version", .text(version)))
                rest = rest.dropFirst(length)
            default:
                guard let layout = objects.block(of: UInt16(object)).flatMap(ValueLayout.init(parsing:)) else {
                    decoded.problem = "object \(Hex.prefixed(object)) isn't known, nor what is behind it"
                    break
                }
                var decoder = ValueDecoder(rest)
                decoder.decode(layout.fields)
                decoded.fields += decoder.decoded.fields
                decoded.problem = decoder.decoded.problem
                rest = decoder.rest
            }
        }
        return decoded
    }

    private static func variable(_ object: UInt8, _ octets: ArraySlice<UInt8>) -> DecodedField {
        switch object {
        case 0x3B:
            let commands = ["off", "on", "toggle", "step up", "step down"]
            let command = Int(octets.first ?? 0xFF)
            let words = [command < commands.count ? commands[command] : String(command)]
            let arguments = octets.dropFirst()
            return DecodedField(
                "Command", .text((words + (arguments.isEmpty ? [] : [Hex.string(arguments)])).joined(separator: " ")))
        case 0x53:
            return DecodedField("Text", .text(String(validating: octets, as: UTF8.self) ?? Hex.string(octets)))
        default: return DecodedField("Raw", .text(Hex.string(octets)))
        }
    }

    /// Objects that say how long and of what form they are.
    private static func decode1(_ data: ArraySlice<UInt8>) -> DecodedValue {
        var rest = data
        var decoded = DecodedValue()
        while let head = rest.popFirst() {
            let length = Int(head & 0x1F)
            guard length > 0, rest.count >= length, let object = rest.first else {
                decoded.problem = "an object has \(length) octets, but there are \(rest.count)"
                return decoded
            }
            let octets = rest.prefix(length).dropFirst()
            rest = rest.dropFirst(length)
            guard let known = objects.block(of: UInt16(object)).flatMap(ValueLayout.init(parsing:))?.fields.first else {
                decoded.fields.append(DecodedField("Object \(Hex.prefixed(object))", .text(Hex.string(octets))))
                continue
            }
            let kind: ValueField.Kind
            switch (head >> 5, octets.count) {
            case (0, 1...8): kind = .number(octets: octets.count, isSigned: false)
            case (1, 1...8): kind = .number(octets: octets.count, isSigned: true)
            case (2, 4), (2, 8): kind = .binary(octets: octets.count)
            case (3, _): kind = .text(octets: nil)
            default: kind = .raw(octets: nil)
            }
            var field = ValueField(name: known.name, kind: kind)
            field.scale = known.scale
            field.unit = known.unit
            field.words = known.words
            var decoder = ValueDecoder(octets)
            decoder.decode([field])
            decoder.finish()
            decoded.fields += decoder.decoded.fields
            decoded.problem = decoded.problem ?? decoder.decoded.problem
        }
        return decoded
    }
}
