import BLEWire

/// What manufacturers and beacons say in advertisements.
package enum ManufacturerData {
    /// The company identifier that manufacturer data begins with; nil where the data is too short. [Vol 3, Part C, 18]
    package static func company(of data: [UInt8]) -> UInt16? {
        data.count < 2 ? nil : UInt16(data[0]) | UInt16(data[1]) << 8
    }

    /// What the data says; nil where its form isn't known. Known: Apple's kinds and iBeacon, RuuviTag.
    package static func decode(_ data: [UInt8]) -> DecodedValue? {
        switch company(of: data) {
        case AppleData.company: AppleData.decode(data.dropFirst(2))
        case RuuviTag.company: RuuviTag.decode(data.dropFirst(2))
        default: nil
        }
    }
}
