import BLEWire

/// Commands for the resolving list and private addresses. [Vol 4, Part E, 7.8.38]
extension Radio {
    mutating func executePrivacy(
        _ command: HCICommand, _ controller: Int, at now: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        switch command {
        case .leAddDeviceToResolvingList(let command):
            let status = add(command, controller, at: now)
            complete(command, status, controller, into: &out)
        case .leRemoveDeviceFromResolvingList(let command):
            let status = change(command.peer, controller) { $0.remove(at: $1) }
            complete(command, status, controller, into: &out)
            planRenewal(controller, at: now)
        case .leClearResolvingList(let command):
            guard controllers[controller].mayChangeResolving else {
                complete(command, .commandDisallowed, controller, into: &out)
                return true
            }
            controllers[controller].resolving.removeAll()
            complete(command, controller, into: &out)
        case .leReadResolvingListSize(let command):
            let size = UInt8(clamping: controllers[controller].profile.resolvingListSize)
            complete(command, .init(status: .success, size: size), controller, into: &out)
        case .leReadPeerResolvableAddress(let command):
            let entry = entry(of: command.peer, controller)
            let status: HCIStatus = entry == nil ? .unknownConnectionIdentifier : .success
            complete(
                command, .init(status: status, address: entry?.heard ?? DeviceAddress(0, .randomDevice)), controller,
                into: &out)
        case .leReadLocalResolvableAddress(let command):
            let entry = entry(of: command.peer, controller)
            let status: HCIStatus = entry == nil ? .unknownConnectionIdentifier : .success
            complete(
                command, .init(status: status, address: entry?.local ?? DeviceAddress(0, .randomDevice)), controller,
                into: &out)
        case .leSetAddressResolutionEnable(let command):
            guard !controllers[controller].hasBackground else {
                complete(command, .commandDisallowed, controller, into: &out)
                return true
            }
            controllers[controller].resolving.isEnabled = command.isEnabled
            complete(command, controller, into: &out)
        case .leSetResolvablePrivateAddressTimeout(let command):
            controllers[controller].resolving.timeout = .seconds(Int64(command.timeout))
            complete(command, controller, into: &out)
            planRenewal(controller, at: now)
        case .leSetPrivacyMode(let command):
            let status = change(command.peer, controller) { $0.setMode(isDevice: command.mode == 1, at: $1) }
            complete(command, status, controller, into: &out)
        default: return false
        }
        return true
    }

    private func entry(of peer: DeviceAddress, _ controller: Int) -> ResolvingList.Entry? {
        let list = controllers[controller].resolving
        return list.place(of: peer).map { list.entries[$0] }
    }

    /// Not twice the same peer or key, and no more than there is room for. [Vol 4, Part E, 7.8.38]
    private mutating func add(
        _ command: LEAddDeviceToResolvingList, _ controller: Int, at now: Instant
    ) -> HCIStatus {
        guard controllers[controller].mayChangeResolving else { return .commandDisallowed }
        let list = controllers[controller].resolving
        guard list.place(of: command.peer) == nil,
            command.peerIRK == 0 || !list.entries.contains(where: { $0.peerIRK == command.peerIRK })
        else { return .invalidParameters }
        guard list.entries.count < controllers[controller].profile.resolvingListSize else {
            return .memoryCapacityExceeded
        }
        controllers[controller].resolving.append(
            ResolvingList.Entry(peer: command.peer, peerIRK: command.peerIRK, localIRK: command.localIRK))
        var generator = controllers[controller].keys
        controllers[controller].resolving.renew(at: list.entries.count, using: &generator)
        controllers[controller].keys = generator
        if list.entries.isEmpty { planRenewal(controller, at: now) }
        return .success
    }

    private mutating func change(
        _ peer: DeviceAddress, _ controller: Int, _ change: (inout ResolvingList, Int) -> Void
    ) -> HCIStatus {
        guard controllers[controller].mayChangeResolving else { return .commandDisallowed }
        guard let place = controllers[controller].resolving.place(of: peer) else { return .unknownConnectionIdentifier }
        change(&controllers[controller].resolving, place)
        return .success
    }
}

extension Controller {
    /// Not while the list is in use. [Vol 4, Part E, 7.8.38]
    fileprivate var mayChangeResolving: Bool { !resolving.isEnabled || !hasBackground }
}
