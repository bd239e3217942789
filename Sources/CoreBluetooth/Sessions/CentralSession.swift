internal import BLEBackend
internal import BLEWire
internal import Foundation

/// A central manager's line to its device: its scan, its peripherals and their connections.
final class CentralSession: ManagerSession, @unchecked Sendable {
    /// Set once, before the session is opened.
    weak var manager: CBCentralManager?
    /// Set once, before the session is opened; nil without a restore identifier.
    var restoration: Restoration<CentralState>?
    let peripherals = Guarded(PeripheralTable())
    /// Which connection events the manager wants to hear; nil = none.
    let connectionEvents = Guarded(ConnectionEventFilter?.none)
    /// Who hears of periodic advertising that the manager follows.
    let followers = Guarded([FollowID: @Sendable (FollowEvent) -> Void]())
    private let scanning = Guarded(false)
    /// Peripherals whose connection is being ended: kept until that is told, also when the program forgets them at once.
    private let ending = Guarded([CBPeripheral]())

    /// What the run before left, until the power is on.
    let left = Guarded(CentralState?.none)

    var isScanning: Bool { scanning.value }

    // The command is given under the lock, so that the last of two calls on two threads is also the last one told.

    func startScan(_ request: ScanRequest) {
        scanning.withLock {
            $0 = true
            perform(.startScan(request))
        }
        restoration?.change { $0.scan = .init(request) }
    }

    func stopScan() {
        scanning.withLock {
            if $0 { perform(.stopScan) }
            $0 = false
        }
        restoration?.change { $0.scan = nil }
    }

    /// The object for the device: the one there is, or a new one. [contract 34]
    func peripheral(for peer: KnownPeer) -> CBPeripheral {
        let peripheral = peripherals.withLock { table in
            if let known = table[peer.id] { return known }
            backend?.hold(peer.id)
            let new = CBPeripheral(session: self, id: peer.id, generation: table.nextGeneration())
            if table.insert(new) { perform(.forget(peer.id)) }
            return new
        }
        if let name = peer.name { peripheral.setName(name) }
        return peripheral
    }

    /// The program let go of a peripheral; a connection can't go on without it. [contract 33]
    func released(_ id: PeerID, generation: UInt64, description: String) {
        backend?.release(id)
        let wasEngaged = peripherals.withLock { table in
            let wasEngaged = table.remove(id, generation: generation)
            if wasEngaged { perform(.forget(id)) }
            return wasEngaged
        }
        if wasEngaged {
            restoration?.change { $0.remove(id) }
            Report.misuse(
                "Cancelling connection for unused peripheral \(description), Did you forget to keep a reference to it?")
        }
    }

    func keep(untilEnded peripheral: CBPeripheral) { ending.withLock { $0.append(peripheral) } }

    /// The caller holds the peripheral, so that none goes away under the lock.
    func ended(_ peripheral: CBPeripheral) { ending.withLock { $0.removeAll { $0 === peripheral } } }

    /// Nothing that the manager had running goes on without it. [contract 16]
    func managerReleased() {
        close()
        ConnectionEvents.remove(self)
        restoration?.end()
        scanning.withLock { $0 = false }
        // Let go of here, outside of the lock.
        _ = followers.withLock { followers in
            defer { followers = [:] }
            return followers
        }
        reset(keepingPeripherals: false)
    }

    override func apply(_ event: BackendEvent) {
        guard let manager else { return }
        switch event {
        case .stateChanged(let state): apply(CBManagerState(state), manager)
        case .discovered(let id, let name, let advertisement, let rssi):
            // What was still on its way when the scan ended isn't told any more.
            guard isScanning else { return }
            let peripheral = peripheral(for: KnownPeer(id: id, name: name))
            let data = AdvertisementData.dictionary(advertisement)
            willCall("centralManager(_:didDiscover:advertisementData:rssi:)")
            manager.delegate?.centralManager(
                manager, didDiscover: peripheral, advertisementData: data, rssi: NSNumber(value: rssi))
        case .periodic(let id, let event): applyFollowing(id, event)
        default:
            applyConnection(event, manager)
        }
    }

    private func apply(_ state: CBManagerState, _ manager: CBCentralManager) {
        if self.state == .unknown { restore(manager) }
        setState(state)
        if state == .poweredOn {
            resume()
        } else {
            scanning.withLock { $0 = false }
            // Links are gone without a word of each; below poweredOff the objects are dead as well. [contract 7, 8, 10]
            reset(keepingPeripherals: state == .poweredOff)
        }
        willCall("centralManagerDidUpdateState(_:)")
        manager.delegate?.centralManagerDidUpdateState(manager)
    }

    private func reset(keepingPeripherals: Bool) {
        restoration?.change { $0 = CentralState() }
        _ = left.take()
        let all = peripherals.withLock { table in
            let all = table.all
            for peripheral in all {
                table.setEngaged(false, peripheral.peerID, generation: peripheral.generation)
            }
            if !keepingPeripherals { table.removeAll() }
            return all
        }
        for peripheral in all { peripheral.reset(isValid: keepingPeripherals) }
        let ended = ending.withLock { ending in
            defer { ending = [] }
            return ending
        }
        // Let go of here, outside of the lock.
        withExtendedLifetime(ended) {}
    }
}
