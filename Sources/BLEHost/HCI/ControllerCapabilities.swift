import BLEWire

/// What a controller said at power on that it is and can do; nothing is taken for granted.
struct ControllerCapabilities: Equatable {
    /// HCI_Version of HCI_Read_Local_Version_Information; nil where it wasn't told.
    var version: UInt8?
    /// The bits of HCI_Read_Local_Supported_Commands; nil where they weren't told: then a command is tried.
    var commands: HCISupportedCommands?
    /// The LMP features, page 0. [Vol 2, Part C, 3.3]
    var lmpFeatures: UInt64?
    var features = LEFeatures(rawValue: 0)
    var states = SupportedStates()
    /// Nil where it has none.
    var publicAddress: DeviceAddress?
    var acceptListSize = 0
    var maximumTransmitOctets: UInt16 = 27
    var maximumTransmitTime: UInt16 = 328
    var maximumAdvertisingDataLength: UInt16 = 31
    /// Whether it advertises, scans and connects by the extended commands.
    var hasExtendedCommands = false

    /// Whether the controller says that it knows a command, or leaves it open.
    func supports<Command: HCICommandPDU>(_ command: Command.Type) -> Bool {
        commands?.contains(command) ?? true
    }

    /// Whether it names the feature and every command that takes the place of a legacy one.
    var namesExtendedCommands: Bool {
        let needed: [any HCICommandPDU.Type] = [
            LESetAdvertisingSetRandomAddress.self, LESetExtendedAdvertisingParameters.self,
            LESetExtendedAdvertisingData.self, LESetExtendedScanResponseData.self,
            LESetExtendedAdvertisingEnable.self, LESetExtendedScanParameters.self, LESetExtendedScanEnable.self,
            LEExtendedCreateConnection.self,
        ]
        guard features.contains(.extendedAdvertising), let commands else { return false }
        return needed.allSatisfy(commands.contains)
    }

    /// Whether it has said that it can't do LE.
    var lacksLE: Bool { lmpFeatures.map { $0 >> 38 & 1 == 0 } ?? false }
    /// Whether it does BR/EDR besides.
    var isDualMode: Bool { lmpFeatures.map { $0 >> 37 & 1 == 0 } ?? false }
}

/// Which states and roles a controller can be in at a time. [Vol 4, Part E, 7.8.27]
struct SupportedStates: Equatable {
    var bits: UInt64 = 0

    private func has(_ bit: UInt64) -> Bool { bits >> bit & 1 == 1 }

    /// Whether it scans while it initiates.
    func scansWhileInitiating(active: Bool) -> Bool { has(active ? 23 : 22) }
    /// Whether it advertises, open to connections, as peripheral of another link.
    var advertisesAsPeripheral: Bool { has(38) }
    /// Whether it advertises, open to connections, as central of a link.
    var advertisesAsCentral: Bool { has(35) }
}
