import BLEWire

/// What manufacturers and beacons say in advertisements, as far as a small table goes.
package enum ManufacturerData {
    /// Some of the companies in the Bluetooth SIG's list of assigned numbers.
    private static let companies: [UInt16: String] = [
        0x0006: "Microsoft", 0x000D: "Texas Instruments", 0x000F: "Broadcom", 0x004C: "Apple", 0x0059: "Nordic",
        0x0075: "Samsung", 0x0087: "Garmin", 0x00E0: "Google", 0x0157: "Huami", 0x02E5: "Espressif",
        0x0499: "Ruuvi",
    ]

    /// The company identifier that manufacturer data begins with; nil where the data is too short. [Vol 3, Part C, 18]
    package static func company(of data: [UInt8]) -> UInt16? {
        data.count < 2 ? nil : UInt16(data[0]) | UInt16(data[1]) << 8
    }

    /// The name of a company; nil where this table hasn't got it.
    package static func name(of company: UInt16) -> String? { companies[company] }

    /// What the data says; nil where its form isn't known. Known: iBeacon.
    package static func decode(_ data: [UInt8]) -> [DecodedField]? {
        guard data.count == 25, company(of: data) == 0x004C, data[2] == 0x02, data[3] == 0x15 else { return nil }
        func number(_ index: Int) -> String { String(Int(data[index]) << 8 | Int(data[index + 1])) }
        let uuid = data[4..<20].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return [
            DecodedField("beacon", .text("iBeacon")),
            DecodedField("uuid", .text(BluetoothUUID(full: uuid).description)),
            DecodedField("major", .number(number(20))), DecodedField("minor", .number(number(22))),
            DecodedField("power at 1 m", .number(String(Int8(bitPattern: data[24]))), unit: "dBm"),
        ]
    }
}
