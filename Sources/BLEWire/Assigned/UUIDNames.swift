/// The names that the Bluetooth SIG has given to 16-bit UUIDs of GATT services, characteristics and descriptors.
package enum UUIDNames {
    private static let names: [UInt16: Substring] = {
        var names: [UInt16: Substring] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let value = UInt16(parts[0], radix: 16) else { continue }
            names[value] = parts[1]
        }
        return names
    }()

    /// `Heart Rate` for 0x180D; nil where no name is assigned.
    package static func name(of uuid: UInt16) -> String? { names[uuid].map(String.init) }
}
