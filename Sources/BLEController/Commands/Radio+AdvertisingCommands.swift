import BLEWire

/// Legacy advertising commands. [Vol 4, Part E, 7.8.5]
extension Radio {
    mutating func executeAdvertising(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leSetAdvertisingParameters(let command):
            let status = setParameters(command, controller)
            complete(command, status, controller, into: &out)
        case .leReadAdvertisingPhysicalChannelTxPower(let command):
            let power = controllers[controller].profile.transmitPower
            complete(command, .init(status: .success, transmitPower: power), controller, into: &out)
        case .leSetAdvertisingData(let command):
            advertisers[controllers[controller].legacy].data = command.data
            if advertisers[controllers[controller].legacy].isEnabled {
                encodeAdvertising(controllers[controller].legacy)
            }
            complete(command, controller, into: &out)
        case .leSetScanResponseData(let command):
            advertisers[controllers[controller].legacy].scanResponse = command.data
            if advertisers[controllers[controller].legacy].isEnabled {
                encodeAdvertising(controllers[controller].legacy)
            }
            complete(command, controller, into: &out)
        case .leSetAdvertisingEnable(let command): enable(command, controller, at: now, into: &out)
        default: return false
        }
        return true
    }

    private mutating func setParameters(_ command: LESetAdvertisingParameters, _ controller: Int) -> HCIStatus {
        guard !advertisers[controllers[controller].legacy].isEnabled else { return .commandDisallowed }
        let isHighDuty = command.type == .directedHighDutyCycle
        guard isHighDuty || command.intervalMinimum <= command.intervalMaximum else { return .invalidParameters }
        guard controllers[controller].supports(command.ownAddressType) else { return .unsupportedFeature }
        advertisers[controllers[controller].legacy].parameters = command
        return .success
    }

    private mutating func enable(
        _ command: LESetAdvertisingEnable, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        let place = controllers[controller].legacy
        guard command.isEnabled else {
            stopAdvertising(place)
            complete(command, controller, into: &out)
            return tellState(of: controller, into: &out)
        }
        let advertiser = advertisers[place]
        guard let address = controllers[controller].advertisingAddress(of: advertiser) else {
            return complete(command, .invalidParameters, controller, into: &out)
        }
        // A peripheral without room for a link doesn't invite to one. [Vol 4, Part E, 7.8.9]
        guard !advertiser.isConnectable || controllers[controller].hasRoomAsPeripheral else {
            return complete(command, .connectionLimitExceeded, controller, into: &out)
        }
        complete(command, controller, into: &out)
        startAdvertising(place, address: address, at: now)
        tellState(of: controller, into: &out)
    }
}
