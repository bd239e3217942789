// HCI LE commands for the resolving list and private addresses. [Vol 4, Part E, 7.8.38]

/// HCI_LE_Add_Device_To_Resolving_List: adds a peer with the keys of both sides.
/// [Vol 4, Part E, 7.8.38]
package struct LEAddDeviceToResolvingList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Add_Device_To_Resolving_List"
    package static let section = SpecSection(4, "E", "7.8.38")
    package static var opcode: HCIOpcode { .leAddDeviceToResolvingList }
    package static var supportedBit: Int? { 34 * 8 + 3 }
    package typealias ReturnParameters = HCIStatusReturn

    package var peer: DeviceAddress = DeviceAddress(0)
    package var peerIRK: UInt128 = 0
    package var localIRK: UInt128 = 0

    package init() {}
    package init(peer: DeviceAddress = DeviceAddress(0), peerIRK: UInt128 = 0, localIRK: UInt128 = 0) {
        self.peer = peer
        self.peerIRK = peerIRK
        self.localIRK = localIRK
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Peer_Identity_Address_Type", "Peer_Identity_Address", &peer, kinds: 0...1)
        try v.u128("Peer_IRK", &peerIRK)
        try v.u128("Local_IRK", &localIRK)
    }
}

/// HCI_LE_Remove_Device_From_Resolving_List: removes a peer.
/// [Vol 4, Part E, 7.8.39]
package struct LERemoveDeviceFromResolvingList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Remove_Device_From_Resolving_List"
    package static let section = SpecSection(4, "E", "7.8.39")
    package static var opcode: HCIOpcode { .leRemoveDeviceFromResolvingList }
    package static var supportedBit: Int? { 34 * 8 + 4 }
    package typealias ReturnParameters = HCIStatusReturn

    package var peer: DeviceAddress = DeviceAddress(0)

    package init() {}
    package init(peer: DeviceAddress = DeviceAddress(0)) {
        self.peer = peer
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Peer_Identity_Address_Type", "Peer_Identity_Address", &peer, kinds: 0...1)
    }
}

/// HCI_LE_Clear_Resolving_List: empties the list.
/// [Vol 4, Part E, 7.8.40]
package struct LEClearResolvingList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Clear_Resolving_List"
    package static let section = SpecSection(4, "E", "7.8.40")
    package static var opcode: HCIOpcode { .leClearResolvingList }
    package static var supportedBit: Int? { 34 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// HCI_LE_Read_Resolving_List_Size: reads how many peers the list holds.
/// [Vol 4, Part E, 7.8.41]
package struct LEReadResolvingListSize: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Resolving_List_Size"
    package static let section = SpecSection(4, "E", "7.8.41")
    package static var opcode: HCIOpcode { .leReadResolvingListSize }
    package static var supportedBit: Int? { 34 * 8 + 6 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Resolving_List_Size returns. [Vol 4, Part E, 7.8.41]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Resolving_List_Size return parameters"
        package static let section = SpecSection(4, "E", "7.8.41")

        package var status: HCIStatus = HCIStatus.success
        package var size: UInt8 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, size: UInt8 = 0) {
            self.status = status
            self.size = size
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u8("Resolving_List_Size", &size)
        }
    }
}

/// HCI_LE_Read_Peer_Resolvable_Address: reads the private address that a peer uses.
/// [Vol 4, Part E, 7.8.42]
package struct LEReadPeerResolvableAddress: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Peer_Resolvable_Address"
    package static let section = SpecSection(4, "E", "7.8.42")
    package static var opcode: HCIOpcode { .leReadPeerResolvableAddress }
    package static var supportedBit: Int? { 34 * 8 + 7 }

    package var peer: DeviceAddress = DeviceAddress(0)

    package init() {}
    package init(peer: DeviceAddress = DeviceAddress(0)) {
        self.peer = peer
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Peer_Identity_Address_Type", "Peer_Identity_Address", &peer, kinds: 0...1)
    }

    /// What HCI_LE_Read_Peer_Resolvable_Address returns. [Vol 4, Part E, 7.8.42]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Peer_Resolvable_Address return parameters"
        package static let section = SpecSection(4, "E", "7.8.42")

        package var status: HCIStatus = HCIStatus.success
        package var address: DeviceAddress = DeviceAddress(0, .randomDevice)

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, address: DeviceAddress = DeviceAddress(0, .randomDevice)) {
            self.status = status
            self.address = address
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.address("Peer_Resolvable_Address", &address)
        }
    }
}

/// HCI_LE_Read_Local_Resolvable_Address: reads the private address that is used towards a peer.
/// [Vol 4, Part E, 7.8.43]
package struct LEReadLocalResolvableAddress: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Local_Resolvable_Address"
    package static let section = SpecSection(4, "E", "7.8.43")
    package static var opcode: HCIOpcode { .leReadLocalResolvableAddress }
    package static var supportedBit: Int? { 35 * 8 + 0 }

    package var peer: DeviceAddress = DeviceAddress(0)

    package init() {}
    package init(peer: DeviceAddress = DeviceAddress(0)) {
        self.peer = peer
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Peer_Identity_Address_Type", "Peer_Identity_Address", &peer, kinds: 0...1)
    }

    /// What HCI_LE_Read_Local_Resolvable_Address returns. [Vol 4, Part E, 7.8.43]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Local_Resolvable_Address return parameters"
        package static let section = SpecSection(4, "E", "7.8.43")

        package var status: HCIStatus = HCIStatus.success
        package var address: DeviceAddress = DeviceAddress(0, .randomDevice)

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, address: DeviceAddress = DeviceAddress(0, .randomDevice)) {
            self.status = status
            self.address = address
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.address("Local_Resolvable_Address", &address)
        }
    }
}

/// HCI_LE_Set_Address_Resolution_Enable: turns resolving in the controller on or off.
/// [Vol 4, Part E, 7.8.44]
package struct LESetAddressResolutionEnable: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Address_Resolution_Enable"
    package static let section = SpecSection(4, "E", "7.8.44")
    package static var opcode: HCIOpcode { .leSetAddressResolutionEnable }
    package static var supportedBit: Int? { 35 * 8 + 1 }
    package typealias ReturnParameters = HCIStatusReturn

    package var isEnabled: Bool = false

    package init() {}
    package init(isEnabled: Bool = false) {
        self.isEnabled = isEnabled
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("Address_Resolution_Enable", &isEnabled)
    }
}

/// HCI_LE_Set_Resolvable_Private_Address_Timeout [v1]: sets how long a private address is used.
/// [Vol 4, Part E, 7.8.45]
package struct LESetResolvablePrivateAddressTimeout: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Resolvable_Private_Address_Timeout [v1]"
    package static let section = SpecSection(4, "E", "7.8.45")
    package static var opcode: HCIOpcode { .leSetResolvablePrivateAddressTimeout }
    package static var supportedBit: Int? { 35 * 8 + 2 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Seconds.
    package var timeout: UInt16 = 900

    package init() {}
    package init(timeout: UInt16 = 900) {
        self.timeout = timeout
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("RPA_Timeout", &timeout, in: 0x0001...0x0E10)
    }
}

/// HCI_LE_Set_Privacy_Mode: sets whether a peer may also use its identity address.
/// [Vol 4, Part E, 7.8.77]
package struct LESetPrivacyMode: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Privacy_Mode"
    package static let section = SpecSection(4, "E", "7.8.77")
    package static var opcode: HCIOpcode { .leSetPrivacyMode }
    package static var supportedBit: Int? { 39 * 8 + 2 }
    package typealias ReturnParameters = HCIStatusReturn

    package var peer: DeviceAddress = DeviceAddress(0)
    /// 0 network privacy, 1 device privacy.
    package var mode: UInt8 = 0

    package init() {}
    package init(peer: DeviceAddress = DeviceAddress(0), mode: UInt8 = 0) {
        self.peer = peer
        self.mode = mode
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Peer_Identity_Address_Type", "Peer_Identity_Address", &peer, kinds: 0...1)
        try v.u8("Privacy_Mode", &mode, in: 0...1)
    }
}
