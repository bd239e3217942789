import BLECrypto
import BLEWire

/// What a host may read of a controller. [Vol 4, Part E, 7.4], [Vol 4, Part E, 7.5], [Vol 4, Part E, 7.8]
extension Radio {
    mutating func executeInformational(
        _ command: HCICommand, _ controller: Int, into out: inout [RadioOutput]
    ) -> Bool {
        let profile = controllers[controller].profile
        switch command {
        case .readLocalVersionInformation(let command):
            complete(
                command,
                .init(
                    status: .success, hciVersion: profile.version, hciSubversion: profile.subversion,
                    lmpVersion: profile.version, companyIdentifier: profile.manufacturer,
                    lmpSubversion: profile.subversion),
                controller, into: &out)
        case .readLocalSupportedCommands(let command):
            complete(command, .init(commands: profile.supportedCommands), controller, into: &out)
        case .readLocalSupportedFeatures(let command): complete(command, .init(), controller, into: &out)
        case .readBufferSize(let command):
            complete(
                command,
                .init(
                    status: .success, aclDataPacketLength: UInt16(clamping: profile.aclPacketLength),
                    synchronousDataPacketLength: 0, totalACLDataPackets: UInt16(clamping: profile.aclPacketCount),
                    totalSynchronousDataPackets: 0),
                controller, into: &out)
        case .readBDAddr(let command):
            // A device without a public address has none to tell. [Vol 4, Part E, 7.4.6]
            let address = DeviceAddress(controllers[controller].publicAddress ?? 0)
            complete(command, .init(status: .success, address: address), controller, into: &out)
        case .readRSSI(let command):
            let end = controllers[controller].links[command.handle.rawValue]
            complete(
                command,
                .init(
                    status: end == nil ? .unknownConnectionIdentifier : .success, handle: command.handle,
                    rssi: end.map { ends[$0].rssi } ?? 127),
                controller, into: &out)
        default: return false
        }
        return true
    }

    /// LE commands about the controller as a whole. [Vol 4, Part E, 7.8]
    mutating func executeLEBasic(_ command: HCICommand, _ controller: Int, into out: inout [RadioOutput]) -> Bool {
        let profile = controllers[controller].profile
        switch command {
        case .leReadBufferSize(let command):
            complete(
                command,
                .init(
                    status: .success, aclDataPacketLength: UInt16(clamping: profile.aclPacketLength),
                    totalACLDataPackets: UInt8(clamping: profile.aclPacketCount)),
                controller, into: &out)
        case .leReadBufferSizeV2(let command):
            // There are no isochronous channels.
            complete(
                command,
                .init(
                    status: .success, aclDataPacketLength: UInt16(clamping: profile.aclPacketLength),
                    totalACLDataPackets: UInt8(clamping: profile.aclPacketCount)),
                controller, into: &out)
        case .leReadTransmitPower(let command):
            let power = profile.transmitPower
            complete(command, .init(status: .success, minimum: power, maximum: power), controller, into: &out)
        case .leReadRFPathCompensation(let command):
            let path = controllers[controller].path
            complete(
                command,
                .init(
                    status: .success, transmitCompensation: path.transmit, receiveCompensation: path.receive),
                controller, into: &out)
        case .leWriteRFPathCompensation(let command):
            let values = [command.transmitCompensation, command.receiveCompensation]
            // -128.0 to 128.0 dB. [Vol 4, Part E, 7.8.76]
            let isValid = values.allSatisfy { (-1280...1280).contains(Int16(bitPattern: $0)) }
            if isValid { controllers[controller].path = RFPath(transmit: values[0], receive: values[1]) }
            complete(command, isValid ? .success : .invalidParameters, controller, into: &out)
        case .leReadLocalSupportedFeatures(let command):
            complete(command, .init(status: .success, features: profile.features), controller, into: &out)
        case .leReadSupportedStates(let command):
            // Every combination of the legacy states. [Vol 4, Part E, 7.8.27]
            complete(command, .init(status: .success, states: 0x03FF_FFFF_FFFF), controller, into: &out)
        case .leRand(let command):
            let random = controllers[controller].timing.next()
            complete(command, .init(status: .success, random: random), controller, into: &out)
        case .leEncrypt(let command):
            let encrypted = AES128.encrypt(command.plaintext, key: command.key)
            complete(command, .init(status: .success, encrypted: encrypted), controller, into: &out)
        case .leSetRandomAddress(let command): setRandomAddress(command, controller, into: &out)
        case .leReadFilterAcceptListSize(let command):
            let size = UInt8(clamping: profile.acceptListSize)
            complete(command, .init(status: .success, size: size), controller, into: &out)
        case .leClearFilterAcceptList(let command):
            let status = changeAcceptList(controller) { $0.removeAll() }
            complete(command, status, controller, into: &out)
        case .leAddDeviceToFilterAcceptList(let command): addToAcceptList(command, controller, into: &out)
        case .leRemoveDeviceFromFilterAcceptList(let command):
            let status = changeAcceptList(controller) { list in list.removeAll { $0 == command.address } }
            complete(command, status, controller, into: &out)
        default: return false
        }
        return true
    }

    /// Not while the address is in use. [Vol 4, Part E, 7.8.4]
    private mutating func setRandomAddress(
        _ command: LESetRandomAddress, _ controller: Int, into out: inout [RadioOutput]
    ) {
        guard !controllers[controller].hasBackground else {
            return complete(command, .commandDisallowed, controller, into: &out)
        }
        controllers[controller].randomAddress = command.address.bits
        complete(command, controller, into: &out)
    }

    // MARK: Filter accept list [Vol 4, Part E, 7.8.15]

    private mutating func addToAcceptList(
        _ command: LEAddDeviceToFilterAcceptList, _ controller: Int, into out: inout [RadioOutput]
    ) {
        // 0xFF stands for anonymous advertisers, which only extended advertising has.
        let isAnonymous = command.address.kind.rawValue == 0xFF
        guard
            command.address.kind.rawValue <= 1
                || isAnonymous && controllers[controller].profile.hasExtendedAdvertising
        else {
            return complete(command, .invalidParameters, controller, into: &out)
        }
        let list = controllers[controller].acceptList
        guard list.contains(command.address) || list.count < controllers[controller].profile.acceptListSize else {
            return complete(command, .memoryCapacityExceeded, controller, into: &out)
        }
        let status = changeAcceptList(controller) { list in
            if !list.contains(command.address) { list.append(command.address) }
        }
        complete(command, status, controller, into: &out)
    }

    /// Not while advertising, scanning or initiating filters by the list. [Vol 4, Part E, 7.8.16]
    private mutating func changeAcceptList(
        _ controller: Int, _ change: (inout [DeviceAddress]) -> Void
    ) -> HCIStatus {
        guard !usesAcceptList(controller) else { return .commandDisallowed }
        change(&controllers[controller].acceptList)
        return .success
    }

    private func usesAcceptList(_ controller: Int) -> Bool {
        let scanner = controllers[controller].scanner
        let initiator = controllers[controller].initiator
        return scanner.isEnabled && scanner.parameters.filterPolicy & 1 == 1
            || initiator.isEnabled && initiator.parameters.usesAcceptList
            || controllers[controller].advertisers.contains { place in
                advertisers[place].isEnabled && advertisers[place].parameters.filterPolicy != 0
            }
    }
}
