import BLEWire

/// The attributes of a device and the values that they begin with, in one form, to compare devices by.
package struct DeviceDatabase: Equatable, Sendable {
    /// A line for each attribute, in order.
    package let lines: [String]

    /// How much is compared.
    package enum Detail: Sendable {
        case everything
        /// What a client can find out: neither permissions nor encryption, and of values those that it may read.
        case seenFromOutside
        /// The same without any values: they may move.
        case structure
    }

    package init(_ device: DeviceDescription, _ detail: Detail = .everything) {
        var lines: [String] = []
        for service in device.services {
            lines.append("service \(service.uuid)" + (service.isPrimary ? "" : " secondary"))
            for included in service.includes where device.services.indices.contains(included) {
                lines.append("  includes \(device.services[included].uuid)")
            }
            for characteristic in service.characteristics {
                lines.append(Self.line(characteristic, detail))
                for descriptor in characteristic.descriptors {
                    lines.append("    descriptor \(descriptor.uuid) = \(Hex.string(descriptor.octets))")
                }
            }
        }
        self.lines = lines
    }

    private static func line(_ characteristic: DeviceCharacteristic, _ detail: Detail) -> String {
        func words<Words: OptionSet>(_ set: Words, _ words: [(String, Words)]) -> String where Words.Element == Words {
            words.filter { set.contains($0.1) }.map(\.0).joined(separator: ", ")
        }
        var line = "  characteristic \(characteristic.uuid) ["
        line += words(characteristic.properties, CharacteristicProperties.words) + "]"
        if detail == .everything {
            line += " may \(words(characteristic.permissions, DevicePermissions.words))"
            line += " encrypted \(words(characteristic.encryption, EncryptedAccess.words))"
        }
        let isReadable =
            characteristic.properties.contains(.read) && characteristic.permissions.contains(.read)
            && !characteristic.encryption.contains(.read)
        if detail == .everything || detail == .seenFromOutside && isReadable {
            line += " = " + Hex.string(characteristic.value.firstOctets)
        }
        return line
    }

    /// What one has and the other hasn't: `- LINE` is missing there, `+ LINE` is there only; in the order of the lines.
    package func differences(from other: DeviceDatabase) -> [String] {
        // The same attributes may stand there several times: what remains of each after the other's were taken off.
        other.lines.difference(from: lines).map { change in
            switch change {
            case .insert(_, let line, _): "+ " + line
            case .remove(_, let line, _): "- " + line
            }
        }
    }
}
