import BLEWire

// The power-on sequence: what the controller can do is read, and nothing is taken for granted.
extension HostMachine {
    mutating func powerOn(at now: Instant, into out: inout [HostOutput]) {
        power.isWanted = true
        switch power.phase {
        case .off, .failed:
            power.failures = 0
            guard power.isTransportOpen else {
                return trace(.info, "hci", "powers on when the transport is there", into: &out)
            }
            startPowerOn()
        case .on: out.append(.event(.stateChanged(.poweredOn)))
        case .starting, .stopping: break
        }
    }

    /// Begins with HCI_Reset, whatever the controller was doing.
    mutating func startPowerOn() {
        commands.removeAll()
        controller = ControllerCapabilities()
        flow = DataFlow()
        privacy = PrivacyControl()
        begin(.reset)
    }

    private mutating func begin(_ step: PowerOnStep) {
        power.phase = .starting(step)
        switch step {
        case .reset: ask(HCIReset())
        case .version: ask(HCIReadLocalVersionInformation())
        case .supportedCommands: ask(HCIReadLocalSupportedCommands())
        case .localFeatures: ask(HCIReadLocalSupportedFeatures())
        case .publicAddress: ask(HCIReadBDAddr())
        case .eventMask:
            ask(
                HCISetEventMask(mask: [
                    .disconnectionComplete, .encryptionChange, .hardwareError, .dataBufferOverflow,
                    .encryptionKeyRefreshComplete, .leMeta,
                ]))
        case .hostSupport: ask(HCIWriteLEHostSupport(isSupported: true))
        case .leEventMask: ask(LESetEventMask(mask: eventMask))
        case .leFeatures: ask(LEReadLocalSupportedFeatures())
        case .extendedEventMask:
            ask(LESetEventMask(mask: eventMask.union(extendedEvents)))
        case .maximumAdvertisingDataLength: ask(LEReadMaximumAdvertisingDataLength())
        case .resolvingListSize: ask(LEReadResolvingListSize())
        case .bufferSizeV2: ask(LEReadBufferSizeV2())
        case .bufferSize: ask(LEReadBufferSize())
        case .sharedBufferSize: ask(HCIReadBufferSize())
        case .supportedStates: ask(LEReadSupportedStates())
        case .acceptListSize: ask(LEReadFilterAcceptListSize())
        case .clearAcceptList: ask(LEClearFilterAcceptList())
        case .maximumDataLength: ask(LEReadMaximumDataLength())
        case .suggestedDataLength:
            ask(
                LEWriteSuggestedDefaultDataLength(
                    maxTransmitOctets: controller.maximumTransmitOctets,
                    maxTransmitTime: controller.maximumTransmitTime))
        case .randomAddress:
            privacy.address = usesPrivacy ? makePrivateAddress() : nil
            ask(LESetRandomAddress(address: privacy.address ?? ownAddress))
        }
    }

    /// The LE events that every controller may have.
    private var eventMask: LEEventMask {
        var mask: LEEventMask = [
            .connectionComplete, .advertisingReport, .connectionUpdateComplete, .readRemoteFeaturesComplete,
            .longTermKeyRequest, .remoteConnectionParameterRequest, .dataLengthChange, .phyUpdateComplete,
        ]
        // It says which address a peer that was resolved has used. [Vol 4, Part E, 7.7.65.10]
        if controller.commands != nil, controller.supports(LEAddDeviceToResolvingList.self) {
            mask.insert(.enhancedConnectionComplete)
        }
        return mask
    }

    /// Those that come with extended advertising, and with periodic advertising where the controller has it.
    private var extendedEvents: LEEventMask {
        var mask: LEEventMask = [.extendedAdvertisingReport, .advertisingSetTerminated]
        if controller.lackForPeriodicReception == nil {
            mask.formUnion([
                .periodicAdvertisingSyncEstablished, .periodicAdvertisingReport, .periodicAdvertisingSyncLost,
            ])
        }
        return mask
    }

    private mutating func ask<Command: HCICommandPDU>(_ command: Command) {
        guard case .starting(let step) = power.phase else { return }
        send(command, for: .powerOn(step))
    }

    /// Whether a step has something to do, from what is known by then.
    private func isNeeded(_ step: PowerOnStep) -> Bool {
        switch step {
        case .reset, .version, .supportedCommands: true
        case .localFeatures: controller.supports(HCIReadLocalSupportedFeatures.self)
        case .publicAddress: controller.supports(HCIReadBDAddr.self)
        case .eventMask: controller.supports(HCISetEventMask.self)
        case .hostSupport: controller.isDualMode && controller.supports(HCIWriteLEHostSupport.self)
        case .leEventMask: controller.supports(LESetEventMask.self)
        case .leFeatures: controller.supports(LEReadLocalSupportedFeatures.self)
        case .extendedEventMask: controller.hasExtendedCommands
        case .maximumAdvertisingDataLength:
            controller.hasExtendedCommands && controller.supports(LEReadMaximumAdvertisingDataLength.self)
        case .resolvingListSize: hasControllerPrivacy && controller.supports(LEReadResolvingListSize.self)
        // Only where it's known to be there: older controllers would refuse it.
        case .bufferSizeV2: controller.commands != nil && controller.supports(LEReadBufferSizeV2.self)
        case .bufferSize: flow.capacity == 0 && controller.supports(LEReadBufferSize.self)
        case .sharedBufferSize: flow.capacity == 0
        case .supportedStates: controller.supports(LEReadSupportedStates.self)
        case .acceptListSize: controller.supports(LEReadFilterAcceptListSize.self)
        case .clearAcceptList: controller.acceptListSize > 0 && controller.supports(LEClearFilterAcceptList.self)
        case .maximumDataLength:
            controller.features.contains(.dataPacketLengthExtension)
                && controller.supports(LEReadMaximumDataLength.self)
        case .suggestedDataLength:
            (configuration.asCentral.requestsDataLength || configuration.asPeripheral.requestsDataLength)
                && controller.maximumTransmitOctets > 27 && controller.supports(LEWriteSuggestedDefaultDataLength.self)
        case .randomAddress: ownAddress.isRandom || usesPrivacy
        }
    }

    mutating func powerOnAnswered(
        _ step: PowerOnStep, _ event: HCICommandComplete?, status: HCIStatus, at now: Instant,
        into out: inout [HostOutput]
    ) {
        if status == .success, let event {
            do throws(WireError) {
                try take(event, for: step)
            } catch {
                trace(.warning, "hci", "\(step) returned what can't be read: \(error)", into: &out)
            }
        } else {
            trace(.notice, "hci", "the controller refuses \(step): \(status.text)", into: &out)
        }
        if let (error, cause) = reasonToStop(after: step, status: status) {
            trace(.error, "hci", "the controller can't be used: \(cause); name another adapter", into: &out)
            power.phase = .failed
            commands.removeAll()
            return tell(.unsupported(error), into: &out)
        }
        if step == .publicAddress || (step == .localFeatures && !isNeeded(.publicAddress)) { chooseAddress() }
        var next = step.next
        while let candidate = next, !isNeeded(candidate) { next = candidate.next }
        guard let next else { return poweredOn(at: now, into: &out) }
        begin(next)
    }

    /// Reads what a step returned.
    private mutating func take(_ event: HCICommandComplete, for step: PowerOnStep) throws(WireError) {
        switch step {
        case .version: controller.version = try event.returned(by: HCIReadLocalVersionInformation.self).hciVersion
        case .supportedCommands:
            controller.commands = try event.returned(by: HCIReadLocalSupportedCommands.self).commands
        case .localFeatures:
            controller.lmpFeatures = try event.returned(by: HCIReadLocalSupportedFeatures.self).features
        case .publicAddress:
            let address = try event.returned(by: HCIReadBDAddr.self).address
            // Nothing but zeros or ones is how a chip without an address of its own says so.
            let isReal = address.bits != 0 && address.bits != 0xFFFF_FFFF_FFFF
            controller.publicAddress = isReal ? DeviceAddress(address.bits) : nil
        case .leFeatures:
            controller.features = try event.returned(by: LEReadLocalSupportedFeatures.self).features
            controller.hasExtendedCommands =
                configuration.controller.usesExtendedCommands && controller.namesExtendedCommands
        case .maximumAdvertisingDataLength:
            controller.maximumAdvertisingDataLength =
                try event.returned(by: LEReadMaximumAdvertisingDataLength.self).length
        case .resolvingListSize:
            privacy.listSize = Int(try event.returned(by: LEReadResolvingListSize.self).size)
        case .bufferSizeV2:
            let size = try event.returned(by: LEReadBufferSizeV2.self)
            configureFlow(size.aclDataPacketLength, UInt16(size.totalACLDataPackets))
        case .bufferSize:
            let size = try event.returned(by: LEReadBufferSize.self)
            configureFlow(size.aclDataPacketLength, UInt16(size.totalACLDataPackets))
        case .sharedBufferSize:
            let size = try event.returned(by: HCIReadBufferSize.self)
            configureFlow(size.aclDataPacketLength, size.totalACLDataPackets)
        case .supportedStates:
            controller.states = SupportedStates(bits: try event.returned(by: LEReadSupportedStates.self).states)
        case .acceptListSize:
            controller.acceptListSize = Int(try event.returned(by: LEReadFilterAcceptListSize.self).size)
        case .maximumDataLength:
            let length = try event.returned(by: LEReadMaximumDataLength.self)
            controller.maximumTransmitOctets = length.maxTransmitOctets
            controller.maximumTransmitTime = length.maxTransmitTime
        case .reset, .eventMask, .hostSupport, .leEventMask, .extendedEventMask, .clearAcceptList, .suggestedDataLength,
            .randomAddress:
            break
        }
    }

    /// A length or a count of zero: the controller has no buffers of this kind. [Vol 4, Part E, 7.8.2]
    private mutating func configureFlow(_ length: UInt16, _ count: UInt16) {
        if length > 0, count > 0 { flow.configure(packetLength: Int(length), capacity: Int(count)) }
    }

    /// What the host can't do without.
    private func reasonToStop(after step: PowerOnStep, status: HCIStatus) -> (HostError, cause: String)? {
        switch step {
        case .reset, .randomAddress:
            if status == .success { return nil }
            return (.hci(status), "it refuses \(step), \(status.text)")
        case .localFeatures:
            if !controller.lacksLE { return nil }
            return (.hci(.unsupportedFeature), "it has no Bluetooth LE")
        case .sharedBufferSize:
            if flow.capacity > 0 { return nil }
            return (.hci(status == .success ? .memoryCapacityExceeded : status), "it has no buffers for data")
        default: return nil
        }
    }

    private mutating func chooseAddress() {
        switch configuration.ownAddress {
        case .publicOrStatic:
            ownAddress = controller.publicAddress ?? makeStaticAddress()
        case .staticRandom(let bits):
            ownAddress = DeviceAddress(bits | 0b11 << 46, .randomDevice)
        }
    }

    /// A random static address, the same for the life of the machine. [Vol 6, Part B, 1.3.2.1]
    private mutating func makeStaticAddress() -> DeviceAddress {
        if let staticAddress { return staticAddress }
        // At least one bit of the random part must be 0 and one 1.
        var bits: UInt64
        repeat { bits = random.next() & 0x3FFF_FFFF_FFFF } while bits == 0 || bits == 0x3FFF_FFFF_FFFF
        let address = DeviceAddress(bits | 0b11 << 46, .randomDevice)
        staticAddress = address
        return address
    }

    private mutating func poweredOn(at now: Instant, into out: inout [HostOutput]) {
        power.phase = .on
        power.failures = 0
        connecting = ConnectionQueue()
        connecting.listSize = controller.acceptListSize
        scan = ScanControl()
        advertising = AdvertisingControl()
        periodic = PeriodicControl()
        startPrivacy(at: now)
        tell(.poweredOn, into: &out)
    }

    var ownAddressType: LEOwnAddressType {
        // Towards peers in its list the controller makes the address, towards others it takes the one that it was given.
        if usesPrivacy { return privacy.listed.isEmpty ? .randomDevice : .resolvableOrRandom }
        return ownAddress.isRandom ? .randomDevice : .publicDevice
    }

    mutating func tell(_ newState: HostState, into out: inout [HostOutput]) {
        if state == newState { return }
        state = newState
        out.append(.event(.stateChanged(newState)))
    }
}
