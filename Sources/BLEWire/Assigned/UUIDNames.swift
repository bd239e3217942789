/// The names that the Bluetooth SIG has given to 16-bit UUIDs of GATT services, characteristics and descriptors.
package enum UUIDNames {
    /// `Heart Rate` for 0x180D; nil where no name is assigned.
    package static func name(of uuid: UInt16) -> String? { table.line(of: uuid) }

    /// The UUIDs whose name passes, in their order.
    package static func uuids(where isMeant: (Substring) -> Bool) -> [UInt16] { table.numbers(where: isMeant) }
}
