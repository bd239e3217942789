internal import BLEBackend
internal import Foundation

// What a central manager gets back from the run before. [contract 3, 124]

extension CentralSession {
    /// Tells the delegate before it hears of the state for the first time; what was running goes on when the power is
    /// on. Links ended with the process that had them, so each peripheral comes back as being connected.
    func restore(_ manager: CBCentralManager) {
        guard let left = restoration?.take() else { return }
        var dictionary: [String: Any] = [:]
        let known = backend?.knownPeers(left.peripherals.map(\.peer)) ?? []
        let peripherals = known.map(peripheral(for:))
        for peripheral in peripherals {
            _ = peripheral.startConnecting {
                self.peripherals.withLock { $0.setEngaged(true, peripheral.peerID, generation: peripheral.generation) }
            }
        }
        if !peripherals.isEmpty { dictionary[CBCentralManagerRestoredStatePeripheralsKey] = peripherals }
        if let scan = left.scan?.request {
            if let services = scan.services {
                dictionary[CBCentralManagerRestoredStateScanServicesKey] = services.map(CBUUID.init)
            }
            dictionary[CBCentralManagerRestoredStateScanOptionsKey] = Self.options(scan)
        }
        self.left.set(\.self, left)
        guard !dictionary.isEmpty else { return }
        willCall("centralManager(_:willRestoreState:)")
        manager.delegate?.centralManager(manager, willRestoreState: dictionary)
    }

    /// The power is on: what was running goes on, of that what the program has kept.
    func resume() {
        guard let left = left.take() else { return }
        for entry in left.peripherals {
            guard let peripheral = peripherals.withLock({ $0[entry.peer] }), peripheral.state == .connecting else {
                restoration?.change { $0.remove(entry.peer) }
                continue
            }
            perform(.connect(entry.peer, entry.options))
        }
        if let scan = left.scan?.request, !isScanning { startScan(scan) }
    }

    private static func options(_ scan: ScanRequest) -> [String: Any] {
        var options: [String: Any] = [
            CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: scan.allowDuplicates)
        ]
        if !scan.solicitedServices.isEmpty {
            options[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] = scan.solicitedServices.map(CBUUID.init)
        }
        return options
    }
}
