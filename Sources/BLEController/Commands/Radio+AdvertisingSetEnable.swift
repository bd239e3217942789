import BLEWire

/// HCI_LE_Set_Extended_Advertising_Enable. [Vol 4, Part E, 7.8.56]
extension Radio {
    mutating func enable(
        _ command: LESetExtendedAdvertisingEnable, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        let places = command.sets.map { place(ofSet: $0.handle, controller) }
        guard command.isEnabled else {
            guard !places.contains(nil) else {
                return complete(command, .unknownAdvertisingIdentifier, controller, into: &out)
            }
            // No set is all of them.
            let all = controllers[controller].advertisers.filter { advertisers[$0].handle != nil }
            for place in command.sets.isEmpty ? all : places.compactMap(\.self) { stopAdvertising(place) }
            complete(command, controller, into: &out)
            return tellState(of: controller, into: &out)
        }
        var addresses: [DeviceAddress] = []
        for (index, set) in command.sets.enumerated() {
            let status = judge(set, places[index], controller, isTwice: places[..<index].contains(places[index]))
            guard status == .success, let place = places[index],
                let address = controllers[controller].advertisingAddress(of: advertisers[place])
            else { return complete(command, status, controller, into: &out) }
            addresses.append(address)
        }
        guard !command.sets.isEmpty else { return complete(command, .invalidParameters, controller, into: &out) }
        complete(command, controller, into: &out)
        for (index, set) in command.sets.enumerated() {
            guard let place = places[index] else { continue }
            advertisers[place].set.duration = .milliseconds(Int64(set.duration) * 10)
            advertisers[place].set.maximumEvents = set.maximumEvents
            startAdvertising(place, address: addresses[index], at: now)
        }
        tellState(of: controller, into: &out)
    }

    /// Whether a set may begin to advertise; a success comes with an address.
    private func judge(
        _ set: LESetExtendedAdvertisingEnable.AdvertisingSet, _ place: Int?, _ controller: Int, isTwice: Bool
    ) -> HCIStatus {
        guard let place else { return .unknownAdvertisingIdentifier }
        let advertiser = advertisers[place]
        guard !isTwice, controllers[controller].advertisingAddress(of: advertiser) != nil else {
            return .invalidParameters
        }
        // 1.28 s at most. [Vol 4, Part E, 7.8.56]
        if !advertiser.isExtended, advertiser.parameters.type == .directedHighDutyCycle, set.duration > 128 {
            return .invalidParameters
        }
        guard advertiser.set.fragments == nil, advertiser.set.responseFragments == nil else {
            return .commandDisallowed
        }
        if advertiser.isExtended, advertiser.isScannable, advertiser.scanResponse.isEmpty { return .commandDisallowed }
        guard advertiser.fits(advertiser.data.count, false) else { return .packetTooLong }
        guard !advertiser.isConnectable || controllers[controller].hasRoomAsPeripheral else {
            return .connectionLimitExceeded
        }
        return .success
    }
}
