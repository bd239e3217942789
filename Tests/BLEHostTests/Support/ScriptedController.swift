import BLEWire

/// A controller that answers HCI commands as told, and otherwise as a good one would. It has no radio: links come to
/// be because a test says so.
struct ScriptedController {
    /// How a command is answered.
    enum Answer {
        /// Not at all.
        case silence
        /// By these packets, whatever they are.
        case packets([[UInt8]])
    }
    /// Answers that differ from those of a good controller.
    var answers: [UInt16: Answer] = [:]
    var supported = ScriptedController.all
    var lmpFeatures: UInt64 = 1 << 37 | 1 << 38
    var address = DeviceAddress(0x0011_2233_4455)
    var features: LEFeatures = [.connectionParametersRequest, .dataPacketLengthExtension, .le2M]
    var bufferLength: UInt16 = 251
    var bufferCount: UInt8 = 4
    var states: UInt64 = .max
    var acceptListSize: UInt8 = 8
    /// What it has in its Filter Accept List.
    var acceptList: [DeviceAddress] = []
    var maximumAdvertisingDataLength: UInt16 = 1650
    var isScanning = false
    var isAdvertising = false

    static let all = HCISupportedCommands(HCICatalogue.commands)

    /// The opcode of a command packet.
    static func opcode(_ packet: [UInt8]) -> HCIOpcode {
        HCIOpcode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
    }

    /// Lets a command be answered with a status: by Command Status or Command Complete, as the command has it.
    mutating func refuse<Command: HCICommandPDU>(_ command: Command.Type, _ status: HCIStatus) {
        let packet =
            Command.completion == .status
            ? Command.accepted(status)
            : HCICommandComplete(opcode: Command.opcode, returnParameters: [status.rawValue]).packet()
        answers[Command.opcode.rawValue] = .packets([packet])
    }

    mutating func ignore<Command: HCICommandPDU>(_ command: Command.Type) {
        answers[Command.opcode.rawValue] = .silence
    }

    mutating func answer<Command: HCICommandPDU>(_ command: Command.Type, _ packets: [[UInt8]]) {
        answers[Command.opcode.rawValue] = .packets(packets)
    }

    mutating func behave<Command: HCICommandPDU>(_ command: Command.Type) {
        answers[Command.opcode.rawValue] = nil
    }

    /// What the controller sends for a command.
    mutating func reply(to packet: [UInt8]) -> [[UInt8]] {
        let opcode = Self.opcode(packet)
        switch answers[opcode.rawValue] {
        case .silence: return []
        case .packets(let packets): return packets
        case nil: break
        }
        guard case .command(let command)? = try? HCIPacket(decoding: packet) else {
            return [HCICommandComplete(opcode: opcode, returnParameters: [0x12]).packet()]
        }
        return reply(to: command)
    }

    private mutating func reply(to command: HCICommand) -> [[UInt8]] {
        switch command {
        case .readLocalSupportedCommands:
            return [HCIReadLocalSupportedCommands.completed(.init(commands: supported))]
        case .readLocalSupportedFeatures:
            return [HCIReadLocalSupportedFeatures.completed(.init(features: lmpFeatures))]
        case .readLocalVersionInformation: return [HCIReadLocalVersionInformation.completed(.init())]
        case .readBDAddr: return [HCIReadBDAddr.completed(.init(address: address))]
        case .leReadLocalSupportedFeatures: return [LEReadLocalSupportedFeatures.completed(.init(features: features))]
        case .leReadBufferSizeV2:
            return [
                LEReadBufferSizeV2.completed(
                    .init(aclDataPacketLength: bufferLength, totalACLDataPackets: bufferCount))
            ]
        case .leReadBufferSize:
            return [
                LEReadBufferSize.completed(.init(aclDataPacketLength: bufferLength, totalACLDataPackets: bufferCount))
            ]
        case .readBufferSize:
            return [HCIReadBufferSize.completed(.init(aclDataPacketLength: 1021, totalACLDataPackets: 8))]
        case .leReadSupportedStates: return [LEReadSupportedStates.completed(.init(states: states))]
        case .leReadFilterAcceptListSize: return [LEReadFilterAcceptListSize.completed(.init(size: acceptListSize))]
        case .leReadMaximumDataLength:
            return [
                LEReadMaximumDataLength.completed(
                    .init(maxTransmitOctets: 251, maxTransmitTime: 2120, maxReceiveOctets: 251, maxReceiveTime: 2120))
            ]
        case .readRSSI(let command): return [HCIReadRSSI.completed(.init(handle: command.handle, rssi: -42))]
        default: return replyAboutLinks(to: command)
        }
    }

    private mutating func replyAboutLinks(to command: HCICommand) -> [[UInt8]] {
        switch command {
        case .leSetScanEnable(let command): isScanning = command.isEnabled
        case .leSetAdvertisingEnable(let command): isAdvertising = command.isEnabled
        case .leSetExtendedScanEnable(let command): isScanning = command.isEnabled
        case .leSetExtendedAdvertisingEnable(let command): isAdvertising = command.isEnabled
        case .leSetExtendedAdvertisingParameters:
            return [LESetExtendedAdvertisingParameters.completed(.init(selectedTransmitPower: 0))]
        case .leReadMaximumAdvertisingDataLength:
            return [LEReadMaximumAdvertisingDataLength.completed(.init(length: maximumAdvertisingDataLength))]
        case .leExtendedCreateConnection: return [LEExtendedCreateConnection.accepted()]
        case .leAddDeviceToFilterAcceptList(let command): acceptList.append(command.address)
        case .leRemoveDeviceFromFilterAcceptList(let command): acceptList.removeAll { $0 == command.address }
        case .leCreateConnection: return [LECreateConnection.accepted()]
        case .leCreateConnectionCancel:
            return [
                LECreateConnectionCancel.completed(.init()),
                LEConnectionComplete(status: .unknownConnectionIdentifier).packet(),
            ]
        case .leReadRemoteFeatures(let command):
            return [
                LEReadRemoteFeatures.accepted(),
                LEReadRemoteFeaturesComplete(handle: command.handle, features: features).packet(),
            ]
        case .disconnect(let command):
            return [
                HCIDisconnect.accepted(),
                HCIDisconnectionComplete(handle: command.handle, reason: .localHostTerminated).packet(),
            ]
        case .leConnectionUpdate(let command):
            return [
                LEConnectionUpdate.accepted(),
                LEConnectionUpdateComplete(
                    handle: command.handle, interval: command.intervalMaximum, latency: command.latency,
                    supervisionTimeout: command.supervisionTimeout
                ).packet(),
            ]
        case .leSetPHY(let command):
            return [
                LESetPHY.accepted(),
                LEPHYUpdateComplete(handle: command.handle, transmitPHY: .le2M, receivePHY: .le2M).packet(),
            ]
        case .leSetDataLength(let command): return [LESetDataLength.completed(.init(handle: command.handle))]
        default: break
        }
        return [HCICommandComplete(opcode: command.opcode, returnParameters: [0]).packet()]
    }
}
