// LE events about keys. [Vol 4, Part E, 7.7.65.5]

/// HCI_LE_Long_Term_Key_Request: the central encrypts a link; the host replies with the key.
/// [Vol 4, Part E, 7.7.65.5]
package struct LELongTermKeyRequest: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Long_Term_Key_Request"
    package static let section = SpecSection(4, "E", "7.7.65.5")
    package static var subeventCode: LESubeventCode? { .longTermKeyRequest }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var random: UInt64 = 0
    package var encryptedDiversifier: UInt16 = 0

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), random: UInt64 = 0, encryptedDiversifier: UInt16 = 0
    ) {
        self.handle = handle
        self.random = random
        self.encryptedDiversifier = encryptedDiversifier
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u64("Random_Number", &random)
        try v.u16("Encrypted_Diversifier", &encryptedDiversifier)
    }
}

/// HCI_LE_Read_Local_P-256_Public_Key_Complete: a new public key.
/// [Vol 4, Part E, 7.7.65.8]
package struct LEReadLocalP256PublicKeyComplete: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Read_Local_P-256_Public_Key_Complete"
    package static let section = SpecSection(4, "E", "7.7.65.8")
    package static var subeventCode: LESubeventCode? { .readLocalP256PublicKeyComplete }

    package var status: HCIStatus = HCIStatus.success
    package var x: [UInt8] = [UInt8](repeating: 0, count: 32)
    package var y: [UInt8] = [UInt8](repeating: 0, count: 32)

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, x: [UInt8] = [UInt8](repeating: 0, count: 32),
        y: [UInt8] = [UInt8](repeating: 0, count: 32)
    ) {
        self.status = status
        self.x = x
        self.y = y
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.octets("Key_X_Coordinate", &x, count: 32)
        try v.octets("Key_Y_Coordinate", &y, count: 32)
    }
}

/// HCI_LE_Generate_DHKey_Complete: the shared secret.
/// [Vol 4, Part E, 7.7.65.9]
package struct LEGenerateDHKeyComplete: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Generate_DHKey_Complete"
    package static let section = SpecSection(4, "E", "7.7.65.9")
    package static var subeventCode: LESubeventCode? { .generateDHKeyComplete }

    package var status: HCIStatus = HCIStatus.success
    package var key: [UInt8] = [UInt8](repeating: 0, count: 32)

    package init() {}
    package init(status: HCIStatus = HCIStatus.success, key: [UInt8] = [UInt8](repeating: 0, count: 32)) {
        self.status = status
        self.key = key
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.octets("DH_Key", &key, count: 32)
    }
}
