import BLECrypto
import BLEWire

/// The Database Hash. [Vol 3, Part G, 7.3.1]
extension GATTDatabase {
    /// What the hash is made over: declarations with their values, descriptors without.
    package var hashedOctets: [UInt8] {
        var octets: [UInt8] = []
        for attribute in attributes {
            switch attribute.type {
            case GATTType.primaryService, GATTType.secondaryService, GATTType.include, GATTType.characteristic,
                GATTType.extendedProperties:
                octets += attribute.handle.octets + attribute.type.attLittleEndian
                if case .stored(let value) = attribute.content { octets += value }
            case GATTType.userDescription, GATTType.clientConfiguration, GATTType.serverConfiguration,
                GATTType.presentationFormat, GATTType.aggregateFormat:
                octets += attribute.handle.octets + attribute.type.attLittleEndian
            default: continue
            }
        }
        return octets
    }

    /// The hash as the characteristic's value carries it: least significant octet first.
    package var hash: [UInt8] {
        let code = AESCMAC.code(hashedOctets, key: 0)
        return (0..<16).map { UInt8(truncatingIfNeeded: code >> (8 * UInt128($0))) }
    }
}
