import BLEWire

/// Commands for advertising sets. [Vol 4, Part E, 7.8.52]
extension Radio {
    mutating func executeAdvertisingSets(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        let profile = controllers[controller].profile
        switch command {
        case .leSetAdvertisingSetRandomAddress(let command):
            let status = setAddress(command, controller)
            complete(command, status, controller, into: &out)
        case .leSetExtendedAdvertisingParameters(let command):
            let status = setParameters(command, controller)
            complete(
                command, .init(status: status, selectedTransmitPower: profile.transmitPower), controller, into: &out)
        case .leSetExtendedAdvertisingData(let command):
            let status = setData(command.handle, command.operation, command.data, controller, \.data)
            complete(command, status, controller, into: &out)
        case .leSetExtendedScanResponseData(let command):
            let status = setData(command.handle, command.operation, command.data, controller, \.scanResponse)
            complete(command, status, controller, into: &out)
        case .leSetExtendedAdvertisingEnable(let command):
            enable(command, controller, at: now, into: &out)
        case .leReadMaximumAdvertisingDataLength(let command):
            let length = UInt16(clamping: profile.maximumAdvertisingDataLength)
            complete(command, .init(status: .success, length: length), controller, into: &out)
        case .leReadNumberOfSupportedAdvertisingSets(let command):
            let count = UInt8(clamping: profile.advertisingSets)
            complete(command, .init(status: .success, count: count), controller, into: &out)
        case .leRemoveAdvertisingSet(let command):
            let status = remove(command.handle, controller)
            complete(command, status, controller, into: &out)
        case .leClearAdvertisingSets(let command):
            let places = setPlaces(controller)
            let isBusy = places.contains { isInUse($0) }
            if !isBusy { for place in places { removeSet(place) } }
            complete(command, isBusy ? .commandDisallowed : .success, controller, into: &out)
        default: return false
        }
        return true
    }

    /// The place of a set.
    func place(ofSet handle: UInt8, _ controller: Int) -> Int? {
        controllers[controller].advertisers.first { advertisers[$0].handle == handle }
    }

    private func setPlaces(_ controller: Int) -> [Int] {
        controllers[controller].advertisers.filter { advertisers[$0].handle != nil }
    }

    private func isInUse(_ place: Int) -> Bool { advertisers[place].isEnabled || isPeriodicOn(place) }

    /// Not while it may be answered to. [Vol 4, Part E, 7.8.52]
    private mutating func setAddress(_ command: LESetAdvertisingSetRandomAddress, _ controller: Int) -> HCIStatus {
        guard let place = place(ofSet: command.handle, controller) else { return .unknownAdvertisingIdentifier }
        guard !advertisers[place].isEnabled || !advertisers[place].isConnectable else { return .commandDisallowed }
        advertisers[place].randomAddress = command.address.bits
        return .success
    }

    // MARK: Sets come and go

    private mutating func addSet(_ handle: UInt8, _ controller: Int) -> Int? {
        guard setPlaces(controller).count < controllers[controller].profile.advertisingSets else { return nil }
        let place: Int
        if let free = freeAdvertisers.popLast() {
            place = free
            let stamp = advertisers[place].stamp &+ 1
            advertisers[place] = Advertiser(owner: controller)
            advertisers[place].stamp = stamp
        } else {
            place = advertisers.count
            advertisers.append(Advertiser(owner: controller))
        }
        advertisers[place].handle = handle
        advertisers[place].set.dataIdentifier = UInt16(controllers[controller].timing.below(0x1000))
        controllers[controller].advertisers.append(place)
        return place
    }

    private mutating func remove(_ handle: UInt8, _ controller: Int) -> HCIStatus {
        guard let place = place(ofSet: handle, controller) else { return .unknownAdvertisingIdentifier }
        guard !isInUse(place) else { return .commandDisallowed }
        removeSet(place)
        return .success
    }

    private mutating func removeSet(_ place: Int) {
        removePeriodic(of: place)
        controllers[advertisers[place].owner].advertisers.removeAll { $0 == place }
        advertisers[place].reset()
        freeAdvertisers.append(place)
    }

    // MARK: Parameters [Vol 4, Part E, 7.8.53]

    private mutating func setParameters(
        _ command: LESetExtendedAdvertisingParameters, _ controller: Int
    ) -> HCIStatus {
        let known = place(ofSet: command.handle, controller)
        if let known, advertisers[known].isEnabled { return .commandDisallowed }
        let profile = controllers[controller].profile
        guard command.intervalMinimum <= command.intervalMaximum else { return .invalidParameters }
        guard controllers[controller].supports(command.ownAddressType) else { return .unsupportedFeature }
        let phys = [command.primaryPHY, command.secondaryPHY].map { PhysicalLayer($0).mask }
        guard phys.allSatisfy(profile.supportedPHYs.contains) else { return .unsupportedFeature }
        guard let type = command.legacyType ?? (command.isExtendedType ? .nonConnectable : nil) else {
            return .invalidParameters
        }
        let isLegacy = command.properties.contains(.legacy)
        guard command.primaryPHY != .le2M, !isLegacy || command.primaryPHY == .le1M else { return .invalidParameters }
        if let known {
            let longest = max(advertisers[known].data.count, advertisers[known].scanResponse.count)
            guard !isLegacy || longest <= 31 else { return .invalidParameters }
        }
        guard let place = known ?? addSet(command.handle, controller) else { return .memoryCapacityExceeded }
        advertisers[place].set.parameters = command
        advertisers[place].isExtended = !isLegacy
        var parameters = LESetAdvertisingParameters()
        parameters.type = type
        parameters.ownAddressType = command.ownAddressType
        parameters.peer = command.peer
        parameters.channelMap = command.channelMap
        parameters.filterPolicy = command.filterPolicy
        advertisers[place].parameters = parameters
        return .success
    }

    // MARK: Data [Vol 4, Part E, 7.8.54]

    private mutating func setData(
        _ handle: UInt8, _ operation: LEAdvertisingDataOperation, _ data: [UInt8], _ controller: Int,
        _ part: WritableKeyPath<Advertiser, [UInt8]>
    ) -> HCIStatus {
        guard let place = place(ofSet: handle, controller) else { return .unknownAdvertisingIdentifier }
        let isResponse = part == \Advertiser.scanResponse
        guard advertisers[place].holds(isResponse: isResponse) || data.isEmpty && operation == .complete else {
            return .invalidParameters
        }
        if !advertisers[place].isExtended {
            guard operation == .complete, data.count <= 31 else { return .invalidParameters }
        }
        let isEnabled = advertisers[place].isEnabled
        let limit = controllers[controller].profile.maximumAdvertisingDataLength
        let fragments = isResponse ? \Advertiser.set.responseFragments : \Advertiser.set.fragments
        switch operation {
        case .unchanged:
            guard isEnabled, !isResponse, !advertisers[place].data.isEmpty, data.isEmpty else {
                return .invalidParameters
            }
        case .complete:
            // A scannable set needs something to answer with. [Vol 4, Part E, 7.8.55]
            if isEnabled, isResponse, advertisers[place].isExtended, data.isEmpty { return .commandDisallowed }
            guard data.count <= limit, !isEnabled || advertisers[place].fits(data.count, isResponse) else {
                return .packetTooLong
            }
            advertisers[place][keyPath: fragments] = nil
            advertisers[place][keyPath: part] = data
        default:
            guard !isEnabled else { return .commandDisallowed }
            guard !data.isEmpty else { return .invalidParameters }
            let before = operation == .firstFragment ? [] : advertisers[place][keyPath: fragments]
            guard let before else { return .invalidParameters }
            guard before.count + data.count <= limit else {
                advertisers[place][keyPath: fragments] = nil
                advertisers[place][keyPath: part] = []
                return .memoryCapacityExceeded
            }
            let isLast = operation == .lastFragment
            advertisers[place][keyPath: fragments] = isLast ? nil : before + data
            advertisers[place][keyPath: part] = isLast ? before + data : []
        }
        advertisers[place].set.dataIdentifier = (advertisers[place].set.dataIdentifier + 1) & 0x0FFF
        if isEnabled { encodeAdvertising(place) }
        return .success
    }
}

extension LESetExtendedAdvertisingParameters {
    /// What advertises with legacy PDUs; nil where none does so. [Vol 4, Part E, 7.8.53]
    fileprivate var legacyType: LEAdvertisingType? {
        guard properties.contains(.legacy) else { return nil }
        switch properties {
        case [.legacy, .connectable, .scannable]: return .connectableAndScannable
        case [.legacy, .connectable, .directed]: return .directedLowDutyCycle
        case [.legacy, .connectable, .directed, .highDutyCycle]: return .directedHighDutyCycle
        case [.legacy, .scannable]: return .scannable
        case .legacy: return .nonConnectable
        default: return nil
        }
    }

    /// Whether the properties go together with PDUs of extended advertising.
    fileprivate var isExtendedType: Bool {
        if properties.contains(.legacy) || properties.contains(.highDutyCycle) { return false }
        if properties.isSuperset(of: [.connectable, .scannable]) { return false }
        return !properties.contains(.anonymous) || properties.isDisjoint(with: [.connectable, .scannable])
    }
}

extension Advertiser {
    /// Whether its type has room for data, or for a scan response. [Vol 4, Part E, 7.8.54]
    func holds(isResponse: Bool) -> Bool {
        if isResponse { return isScannable }
        return isExtended ? !isScannable : !isDirected
    }

    /// Whether so much data can be sent: connectable advertising has one packet, others as many as they need.
    func fits(_ count: Int, _ isResponse: Bool) -> Bool {
        guard isExtended, isConnectable, !isResponse else { return true }
        var flags: LLExtendedHeader.Flags = [.advertiser, .dataInfo]
        if isDirected { flags.insert(.target) }
        if set.parameters.properties.contains(.includesTransmitPower) { flags.insert(.transmitPower) }
        if set.periodic != nil { flags.insert(.syncInfo) }
        return count <= 254 - LLExtendedHeader.length(flags)
    }
}
