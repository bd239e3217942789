// The layouts themselves, from the Bluetooth SIG's GATT Specification Supplement and the services' specifications.

extension ValueFormat {
    private static let bodyLocations = ["other", "chest", "wrist", "finger", "hand", "ear lobe", "foot"]
    private static let temperatureTypes = [
        "reserved", "armpit", "body", "ear", "finger", "gastro-intestinal tract", "mouth", "rectum", "toe", "tympanum",
    ]
    private static let text = ValueFormat(ValueField("", .text))

    static let table: [UInt16: ValueFormat] = [
        // Generic Access. [Vol 3, Part C, 12]
        0x2A00: text,
        0x2A01: ValueFormat(ValueField("appearance", .unsigned(2))),
        0x2A04: ValueFormat(
            ValueField("minimum interval", .unsigned(2), unit: "× 1.25 ms"),
            ValueField("maximum interval", .unsigned(2), unit: "× 1.25 ms"),
            ValueField("latency", .unsigned(2), unit: "events"),
            ValueField("timeout", .unsigned(2), unit: "× 10 ms")),
        // Tx Power Service, Battery Service.
        0x2A07: ValueFormat(ValueField("power", .signed(1), unit: "dBm")),
        0x2A19: ValueFormat(ValueField("level", .unsigned(1), unit: "%")),
        // Health Thermometer Service.
        0x2A1C: thermometer,
        0x2A1E: thermometer,
        0x2A1D: ValueFormat(ValueField("type", .choice(temperatureTypes))),
        // Device Information Service.
        0x2A24: text,
        0x2A25: text,
        0x2A26: text,
        0x2A27: text,
        0x2A28: text,
        0x2A29: text,
        0x2A50: ValueFormat(
            ValueField("vendor source", .unsigned(1)), ValueField("vendor", .unsigned(2)),
            ValueField("product", .unsigned(2)), ValueField("version", .unsigned(2))),
        // Heart Rate Service.
        0x2A37: ValueFormat(
            ValueField("flags", .flags),
            ValueField("rate", .unsigned(1), unit: "bpm", when: .clear(0)),
            ValueField("rate", .unsigned(2), unit: "bpm", when: .set(0)),
            ValueField("energy", .unsigned(2), unit: "kJ", when: .set(3)),
            ValueField("RR interval", .numbers, unit: "/ 1024 s", when: .set(4))),
        0x2A38: ValueFormat(ValueField("location", .choice(bodyLocations))),
        // Environmental Sensing Service.
        0x2A6D: ValueFormat(ValueField("pressure", .unsigned(4), places: 1, unit: "Pa")),
        0x2A6E: ValueFormat(ValueField("temperature", .signed(2), places: 2, unit: "°C")),
        0x2A6F: ValueFormat(ValueField("humidity", .unsigned(2), places: 2, unit: "%")),
    ]

    /// Temperature Measurement and Intermediate Temperature; what is behind a time stamp isn't read yet.
    private static let thermometer = ValueFormat(
        ValueField("flags", .flags),
        ValueField("temperature", .float, unit: "°C", when: .clear(0)),
        ValueField("temperature", .float, unit: "°F", when: .set(0)))
}
