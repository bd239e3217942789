import BLEWire

/// Private addresses in the link layer. [Vol 6, Part B, 6]
extension Radio {
    /// Plans when the addresses of a controller are renewed next, if it has any. [Vol 4, Part E, 7.8.45]
    mutating func planRenewal(_ controller: Int, at now: Instant) {
        controllers[controller].resolving.stamp &+= 1
        guard controllers[controller].resolving.rotates else { return }
        let time = now + controllers[controller].resolving.timeout
        plan(.privateAddress, controller, controllers[controller].resolving.stamp, at: time)
    }

    mutating func stepRenewal(_ controller: Int, at now: Instant) {
        var generator = controllers[controller].keys
        controllers[controller].resolving.renew(using: &generator)
        controllers[controller].keys = generator
        for place in controllers[controller].advertisers where advertisers[place].isEnabled {
            guard let address = controllers[controller].advertisingAddress(of: advertisers[place]) else { continue }
            advertisers[place].address = address
            encodeAdvertising(place)
        }
        planRenewal(controller, at: now)
    }

    /// How many times a controller set a key up to resolve addresses, and how many results it remembers.
    package func resolverUse(of id: ControllerID) -> (setups: Int, remembered: Int) {
        controllers[id.rawValue].resolving.resolverUse
    }

    /// Tells how a connection attempt ended, in the event that the host wants. [Vol 4, Part E, 7.7.65.10]
    mutating func tellConnection(
        _ event: LEConnectionComplete, local: DeviceAddress? = nil, peer: DeviceAddress? = nil, to controller: Int,
        into out: inout [RadioOutput]
    ) {
        guard controllers[controller].profile.supportsPrivacy,
            controllers[controller].host.allows(.enhancedConnectionComplete)
        else {
            // The older event knows no identity addresses.
            var plain = event
            plain.peer = event.peer.unresolved
            return send(.leConnectionComplete(plain), .connectionComplete, to: controller, into: &out)
        }
        let none = DeviceAddress(0, .randomDevice)
        let enhanced = LEEnhancedConnectionComplete(
            status: event.status, handle: event.handle, role: event.role, peer: event.peer,
            localResolvableAddress: local.flatMap { $0.isResolvablePrivate ? $0 : nil } ?? none,
            peerResolvableAddress: peer.flatMap { $0.isResolvablePrivate ? $0 : nil } ?? none,
            interval: event.interval, latency: event.latency, supervisionTimeout: event.supervisionTimeout,
            centralClockAccuracy: event.centralClockAccuracy)
        send(.leEnhancedConnectionComplete(enhanced), .enhancedConnectionComplete, to: controller, into: &out)
    }
}

extension Controller {
    /// Who an address on the air is to the host: the identity behind a private address, or the address itself; nil
    /// for one that isn't to be listened to.
    mutating func identity(of address: DeviceAddress) -> DeviceAddress? {
        guard resolving.resolves else { return address }
        switch resolving.owner(of: address) {
        case .stranger: return address
        case .impostor: return nil
        case .peer(let place):
            let peer = resolving.entries[place].peer
            guard address.isResolvablePrivate else { return address }
            return DeviceAddress(peer.bits, peer.isRandom ? .randomIdentity : .publicIdentity)
        }
    }

    /// The address of a type that a host chose, towards a peer: of this side's private ones the one that the peer
    /// resolves, or what stands in for it where there is none. [Vol 4, Part E, 7.8.5]
    ///
    /// `random` is the random address of an advertising set, where it is about one.
    func ownAddress(
        _ type: LEOwnAddressType, towards peer: DeviceAddress, random: UInt64?
    ) -> DeviceAddress? {
        guard type == .resolvableOrPublic || type == .resolvableOrRandom else {
            return type == .randomDevice ? random.map { DeviceAddress($0, .randomDevice) } : ownAddress(type)
        }
        if let place = resolving.place(of: peer), resolving.entries[place].localIRK != 0 {
            return resolving.entries[place].local
        }
        if type == .resolvableOrPublic { return ownAddress(.publicDevice) }
        return random.map { DeviceAddress($0, .randomDevice) }
    }

    func ownAddress(_ type: LEOwnAddressType, towards peer: DeviceAddress) -> DeviceAddress? {
        ownAddress(type, towards: peer, random: randomAddress)
    }

    /// The address to advertise with: advertising sets have random addresses of their own. [Vol 4, Part E, 7.8.52]
    func advertisingAddress(of advertiser: Advertiser) -> DeviceAddress? {
        ownAddress(
            advertiser.parameters.ownAddressType, towards: advertiser.parameters.peer,
            random: advertiser.handle == nil ? randomAddress : advertiser.randomAddress)
    }

    /// Whom directed advertising names: a private address of the peer where this side uses them too.
    /// [Vol 6, Part B, 6.2.3]
    func advertisingTarget(_ parameters: LESetAdvertisingParameters) -> DeviceAddress {
        guard parameters.ownAddressType.rawValue >= 2, let place = resolving.place(of: parameters.peer),
            resolving.entries[place].peerIRK != 0
        else { return parameters.peer }
        return resolving.entries[place].target
    }

    /// Whether directed advertising names this device. [Vol 6, Part B, 6.4]
    mutating func isNamed(by target: DeviceAddress) -> Bool {
        owns(target) || resolving.resolves && target.isResolvablePrivate && resolving.ownsTarget(target)
    }

    /// Whether the controller supports an own address type. [Vol 4, Part E, 7.8.5]
    func supports(_ type: LEOwnAddressType) -> Bool { type.rawValue <= 1 || profile.hasPrivacy && type.rawValue <= 3 }
}

extension DeviceAddress {
    /// The address as it stands in a list: an identity address is a device address that was resolved.
    @inline(__always)
    var unresolved: DeviceAddress { DeviceAddress(bits, isRandom ? .randomDevice : .publicDevice) }
}
