// HCI LE commands for encryption and the keys of pairing. [Vol 4, Part E, 7.8.22]

/// HCI_LE_Encrypt: encrypts one block by AES-128.
/// [Vol 4, Part E, 7.8.22]
package struct LEEncrypt: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Encrypt"
    package static let section = SpecSection(4, "E", "7.8.22")
    package static var opcode: HCIOpcode { .leEncrypt }
    package static var supportedBit: Int? { 27 * 8 + 6 }

    package var key: UInt128 = 0
    package var plaintext: UInt128 = 0

    package init() {}
    package init(key: UInt128 = 0, plaintext: UInt128 = 0) {
        self.key = key
        self.plaintext = plaintext
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u128("Key", &key)
        try v.u128("Plaintext_Data", &plaintext)
    }

    /// What HCI_LE_Encrypt returns. [Vol 4, Part E, 7.8.22]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Encrypt return parameters"
        package static let section = SpecSection(4, "E", "7.8.22")

        package var status: HCIStatus = HCIStatus.success
        package var encrypted: UInt128 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, encrypted: UInt128 = 0) {
            self.status = status
            self.encrypted = encrypted
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u128("Encrypted_Data", &encrypted)
        }
    }
}

/// HCI_LE_Rand: gives 8 random octets.
/// [Vol 4, Part E, 7.8.23]
package struct LERand: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Rand"
    package static let section = SpecSection(4, "E", "7.8.23")
    package static var opcode: HCIOpcode { .leRand }
    package static var supportedBit: Int? { 27 * 8 + 7 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Rand returns. [Vol 4, Part E, 7.8.23]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Rand return parameters"
        package static let section = SpecSection(4, "E", "7.8.23")

        package var status: HCIStatus = HCIStatus.success
        package var random: UInt64 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, random: UInt64 = 0) {
            self.status = status
            self.random = random
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u64("Random_Number", &random)
        }
    }
}

/// HCI_LE_Enable_Encryption: encrypts a link as its central.
/// [Vol 4, Part E, 7.8.24]
package struct LEEnableEncryption: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Enable_Encryption"
    package static let section = SpecSection(4, "E", "7.8.24")
    package static var opcode: HCIOpcode { .leEnableEncryption }
    package static var supportedBit: Int? { 28 * 8 + 0 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var random: UInt64 = 0
    package var encryptedDiversifier: UInt16 = 0
    package var longTermKey: UInt128 = 0

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), random: UInt64 = 0, encryptedDiversifier: UInt16 = 0,
        longTermKey: UInt128 = 0
    ) {
        self.handle = handle
        self.random = random
        self.encryptedDiversifier = encryptedDiversifier
        self.longTermKey = longTermKey
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u64("Random_Number", &random)
        try v.u16("Encrypted_Diversifier", &encryptedDiversifier)
        try v.u128("Long_Term_Key", &longTermKey)
    }
}

/// HCI_LE_Long_Term_Key_Request_Reply: gives the key that the controller asked for.
/// [Vol 4, Part E, 7.8.25]
package struct LELongTermKeyRequestReply: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Long_Term_Key_Request_Reply"
    package static let section = SpecSection(4, "E", "7.8.25")
    package static var opcode: HCIOpcode { .leLongTermKeyRequestReply }
    package static var supportedBit: Int? { 28 * 8 + 1 }
    package typealias ReturnParameters = HCIHandleReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var longTermKey: UInt128 = 0

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0), longTermKey: UInt128 = 0) {
        self.handle = handle
        self.longTermKey = longTermKey
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u128("Long_Term_Key", &longTermKey)
    }
}

/// HCI_LE_Long_Term_Key_Request_Negative_Reply: says that there is no such key.
/// [Vol 4, Part E, 7.8.26]
package struct LELongTermKeyRequestNegativeReply: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Long_Term_Key_Request_Negative_Reply"
    package static let section = SpecSection(4, "E", "7.8.26")
    package static var opcode: HCIOpcode { .leLongTermKeyRequestNegativeReply }
    package static var supportedBit: Int? { 28 * 8 + 2 }
    package typealias ReturnParameters = HCIHandleReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }
}

/// HCI_LE_Read_Local_P-256_Public_Key: makes a key pair and gives its public half.
/// [Vol 4, Part E, 7.8.36]
package struct LEReadLocalP256PublicKey: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Local_P-256_Public_Key"
    package static let section = SpecSection(4, "E", "7.8.36")
    package static var opcode: HCIOpcode { .leReadLocalP256PublicKey }
    package static var supportedBit: Int? { 34 * 8 + 1 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// HCI_LE_Generate_DHKey [v1]: makes the shared secret with the peer's public key.
/// [Vol 4, Part E, 7.8.37]
package struct LEGenerateDHKey: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Generate_DHKey [v1]"
    package static let section = SpecSection(4, "E", "7.8.37")
    package static var opcode: HCIOpcode { .leGenerateDHKey }
    package static var supportedBit: Int? { 34 * 8 + 2 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var x: [UInt8] = [UInt8](repeating: 0, count: 32)
    package var y: [UInt8] = [UInt8](repeating: 0, count: 32)

    package init() {}
    package init(x: [UInt8] = [UInt8](repeating: 0, count: 32), y: [UInt8] = [UInt8](repeating: 0, count: 32)) {
        self.x = x
        self.y = y
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.octets("Key_X_Coordinate", &x, count: 32)
        try v.octets("Key_Y_Coordinate", &y, count: 32)
    }
}

/// HCI_LE_Generate_DHKey [v2]: the same, with a choice of this side's key.
/// [Vol 4, Part E, 7.8.37]
package struct LEGenerateDHKeyV2: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Generate_DHKey [v2]"
    package static let section = SpecSection(4, "E", "7.8.37")
    package static var opcode: HCIOpcode { .leGenerateDHKeyV2 }
    package static var supportedBit: Int? { 41 * 8 + 2 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var x: [UInt8] = [UInt8](repeating: 0, count: 32)
    package var y: [UInt8] = [UInt8](repeating: 0, count: 32)
    /// 0 the key pair of HCI_LE_Read_Local_P-256_Public_Key, 1 the debug key.
    package var keyType: UInt8 = 0

    package init() {}
    package init(
        x: [UInt8] = [UInt8](repeating: 0, count: 32), y: [UInt8] = [UInt8](repeating: 0, count: 32), keyType: UInt8 = 0
    ) {
        self.x = x
        self.y = y
        self.keyType = keyType
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.octets("Key_X_Coordinate", &x, count: 32)
        try v.octets("Key_Y_Coordinate", &y, count: 32)
        try v.u8("Key_Type", &keyType, in: 0...1)
    }
}
