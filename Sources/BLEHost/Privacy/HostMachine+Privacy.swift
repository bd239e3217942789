import BLECrypto
import BLEWire

// Private addresses: our own, renewed by time, and those of bonded peers. [Vol 3, Part C, 10.7]
extension HostMachine {
    /// Whether this host shows private addresses.
    var usesPrivacy: Bool { configuration.privacy.isEnabled && !configuration.identityResolvingKey.isZero }

    /// Whether the controller resolves and makes private addresses. [Vol 6, Part B, 4.6.7]
    var hasControllerPrivacy: Bool {
        controller.features.contains(.privacy) && controller.commands != nil
            && controller.supports(LEAddDeviceToResolvingList.self)
            && controller.supports(LESetAddressResolutionEnable.self)
    }

    /// A new address for the next while. [Vol 6, Part B, 1.3.2.2]
    mutating func makePrivateAddress() -> DeviceAddress {
        KeyDerivation.resolvableAddress(
            irk: configuration.identityResolvingKey.value, random: UInt32(truncatingIfNeeded: random.next()))
    }

    private var lifetime: Delay {
        min(max(configuration.privacy.lifetime, .seconds(1)), .seconds(3600))
    }

    /// The host is on: its first address holds from now.
    mutating func startPrivacy(at now: Instant) {
        privacy.deadline = privacy.address == nil ? .never : now + lifetime
    }

    /// Brings the controller one command nearer to what it should know; everything that uses addresses rests meanwhile.
    mutating func stepPrivacy(at now: Instant, into out: inout [HostOutput]) {
        guard isOn, privacy.isDue(at: now, bondChanges: security.bonds.changes) else { return }
        guard let step = nextStep(at: now) else {
            privacy.listedChanges = security.bonds.changes
            guard privacy.holds else { return }
            privacy.holds = false
            return resume(at: now, into: &out)
        }
        if !privacy.holds {
            privacy.holds = true
            resume(at: now, into: &out)
        }
        guard isAtRest else { return }
        privacy.pending = step
        switch step {
        case .remove(let peer): send(LERemoveDeviceFromResolvingList(peer: peer), for: .privacy)
        case .add(let entry):
            let own = usesPrivacy ? configuration.identityResolvingKey.value : 0
            send(
                LEAddDeviceToResolvingList(peer: entry.peer, peerIRK: entry.irk.value, localIRK: own), for: .privacy)
        case .setDeviceMode(let peer): send(LESetPrivacyMode(peer: peer, mode: 1), for: .privacy)
        case .enable(let isEnabled): send(LESetAddressResolutionEnable(isEnabled: isEnabled), for: .privacy)
        case .setLifetime:
            let seconds = UInt16(clamping: Int(lifetime / .seconds(1)))
            send(LESetResolvablePrivateAddressTimeout(timeout: seconds), for: .privacy)
        case .setAddress(let address): send(LESetRandomAddress(address: address), for: .privacy)
        }
    }

    /// Lets advertising, scan and initiating see whether they may go on.
    private mutating func resume(at now: Instant, into out: inout [HostOutput]) {
        stepAdvertising(into: &out)
        stepScan(at: now, into: &out)
        stepConnecting(at: now, into: &out)
        stepPeriodic(at: now, into: &out)
    }

    /// Nothing uses an address, so that addresses may change. [Vol 4, Part E, 7.8.4], [Vol 4, Part E, 7.8.38]
    private var isAtRest: Bool {
        advertising.running == nil && !advertising.isBusy && scan.running == nil && !scan.isBusy
            && connecting.phase == .idle && periodic.phase == .idle
    }

    private mutating func nextStep(at now: Instant) -> PrivacyControl.Step? {
        if privacy.listSize > 0 {
            let wanted = wantedList
            if let surplus = privacy.listed.first(where: { !wanted.contains($0) }) { return .remove(surplus.peer) }
            if let missing = wanted.first(where: { !privacy.listed.contains($0) }) { return .add(missing) }
            if let peer = privacy.needsMode.first { return .setDeviceMode(peer) }
            if privacy.isResolving == wanted.isEmpty { return .enable(!wanted.isEmpty) }
            if !wanted.isEmpty, usesPrivacy, !privacy.hasLifetime,
                controller.supports(LESetResolvablePrivateAddressTimeout.self)
            {
                return .setLifetime
            }
        }
        return privacy.deadline <= now ? .setAddress(makePrivateAddress()) : nil
    }

    /// The bonds that the controller's list has room for, those that were used last first.
    private var wantedList: [PrivacyControl.Listed] {
        security.bonds.all.suffix(privacy.listSize).compactMap { bond in
            bond.irk.flatMap { $0.isZero ? nil : PrivacyControl.Listed(peer: bond.peer, irk: $0) }
        }
    }

    /// The step was answered.
    mutating func privacyAnswered(status: HCIStatus, at now: Instant, into out: inout [HostOutput]) {
        guard let step = privacy.pending.take() else { return }
        if status != .success {
            trace(.notice, "gap", "private addresses: the controller refuses \(step.name): \(status.text)", into: &out)
        }
        switch step {
        case .remove(let peer): privacy.listed.removeAll { $0.peer == peer }
        case .add(let entry):
            if status == .success {
                privacy.listed.append(entry)
                // Peers that don't rotate although they have a key are common; who hides itself wants the same of
                // them. [Vol 6, Part B, 4.7]
                if !usesPrivacy, controller.supports(LESetPrivacyMode.self) { privacy.needsMode.append(entry.peer) }
            } else {
                // It takes no more: what it has must do.
                privacy.listSize = privacy.listed.count
            }
        case .setDeviceMode(let peer): privacy.needsMode.removeAll { $0 == peer }
        case .enable(let isEnabled):
            // What is refused would be refused for ever.
            if status == .success { privacy.isResolving = isEnabled } else { privacy.listSize = 0 }
        case .setLifetime: privacy.hasLifetime = true
        case .setAddress(let address):
            if status == .success {
                privacy.address = address
                privacy.deadline = now + lifetime
                // The advertising set has the old one.
                if usesExtendedCommands { advertising.configured = nil }
            } else {
                privacy.deadline = now + .seconds(1)
            }
        }
    }

    /// Who an address that was heard belongs to, as far as keys of bonds tell: the identity, or the address itself; nil
    /// for the identity address of a peer that doesn't use it, which is somebody else's doing. [Vol 3, Part C, 10.8.2.3]
    mutating func identity(of address: DeviceAddress) -> DeviceAddress? {
        // The controller has resolved it.
        if address.kind.rawValue >= 2 { return address.withoutIdentity }
        if security.bonds.all.isEmpty { return address }
        if address.isResolvablePrivate {
            return privacy.identity(of: address, among: security.bonds) ?? address
        }
        if usesPrivacy, let irk = security.bonds[address]?.irk, !irk.isZero { return nil }
        return address
    }
}

extension PrivacyControl.Step {
    /// For the log, without addresses and keys.
    fileprivate var name: String {
        switch self {
        case .remove: "to remove a peer"
        case .add: "another peer"
        case .setDeviceMode: "device privacy mode"
        case .enable: "to resolve addresses"
        case .setLifetime: "the addresses' lifetime"
        case .setAddress: "an address"
        }
    }
}
