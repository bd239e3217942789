import BLEWire

// Scanning, connecting and advertising in the commands that the controller has: the extended ones where it has them all,
// else the legacy ones; it takes one of both until it is reset. [Vol 4, Part E, 3.1.1]
extension HostMachine {
    var usesExtendedCommands: Bool { controller.hasExtendedCommands }

    /// Names the one advertising set of this host.
    private var setHandle: UInt8 { 0 }

    // MARK: Scanning

    mutating func sendScanParameters(_ settings: ScanSettings) {
        guard usesExtendedCommands else {
            let command = LESetScanParameters(
                isActive: settings.isActive, interval: settings.interval, window: settings.window,
                ownAddressType: ownAddressType, filterPolicy: 0)
            return send(command, for: .setScanParameters)
        }
        var phys = PHYSet.le1M
        var windows = [settings.window]
        // One radio listens on one PHY at a time: the Coded PHY gets a quarter.
        let coded = max(settings.window / 4, 4)
        if configuration.scanning.listensOnCoded, controller.features.contains(.leCoded),
            settings.window >= 8, settings.interval >= 8
        {
            phys.insert(.leCoded)
            windows = [min(settings.window, settings.interval - coded), coded]
        }
        let command = LESetExtendedScanParameters(
            ownAddressType: ownAddressType, filterPolicy: 0, scanningPHYs: phys.rawValue,
            settings: windows.map { window in
                .init(isActive: settings.isActive, interval: settings.interval, window: window)
            })
        send(command, for: .setScanParameters)
    }

    mutating func sendScanEnable(_ isEnabled: Bool, filterDuplicates: Bool = false) {
        let purpose: CommandPurpose = isEnabled ? .enableScan : .disableScan
        guard usesExtendedCommands else {
            return send(LESetScanEnable(isEnabled: isEnabled, filterDuplicates: filterDuplicates), for: purpose)
        }
        send(LESetExtendedScanEnable(isEnabled: isEnabled, filterDuplicates: filterDuplicates ? 1 : 0), for: purpose)
    }

    // MARK: Connecting

    /// `peer` is nil where the Filter Accept List has those to connect to.
    mutating func sendCreateConnection(
        _ peer: DeviceAddress?, _ settings: ConnectionSettings, onCoded: Bool
    ) {
        let parameters = settings.parameters
        guard usesExtendedCommands else {
            let command = LECreateConnection(
                scanInterval: settings.scanInterval, scanWindow: settings.scanWindow, usesAcceptList: peer == nil,
                peer: peer ?? DeviceAddress(0), ownAddressType: ownAddressType,
                intervalMinimum: parameters.intervalMinimum, intervalMaximum: parameters.intervalMaximum,
                latency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout)
            return send(command, for: .createConnection)
        }
        var one = LEExtendedCreateConnection.Settings()
        one.scanInterval = settings.scanInterval
        one.scanWindow = settings.scanWindow
        one.intervalMinimum = parameters.intervalMinimum
        one.intervalMaximum = parameters.intervalMaximum
        one.latency = parameters.latency
        one.supervisionTimeout = parameters.supervisionTimeout
        var phys = PHYSet.le1M
        if controller.features.contains(.le2M) { phys.insert(.le2M) }
        if onCoded, controller.features.contains(.leCoded) { phys.insert(.leCoded) }
        let command = LEExtendedCreateConnection(
            usesAcceptList: peer == nil, ownAddressType: ownAddressType, peer: peer ?? DeviceAddress(0),
            initiatingPHYs: phys.rawValue,
            settings: Array(repeating: one, count: phys.rawValue.nonzeroBitCount))
        send(command, for: .createConnection)
    }

    // MARK: Advertising

    mutating func sendAdvertisingParameters(_ settings: AdvertisingSettings) {
        guard usesExtendedCommands else {
            let command = LESetAdvertisingParameters(
                intervalMinimum: settings.intervalMinimum, intervalMaximum: settings.intervalMaximum,
                type: settings.type, ownAddressType: ownAddressType)
            return send(command, for: .setAdvertisingParameters)
        }
        let isExtended = settings.needsExtendedPDUs
        let command = LESetExtendedAdvertisingParameters(
            handle: setHandle, properties: isExtended ? settings.extendedProperties : settings.legacyProperties,
            intervalMinimum: UInt32(settings.intervalMinimum), intervalMaximum: UInt32(settings.intervalMaximum),
            ownAddressType: ownAddressType,
            secondaryPHY: isExtended && controller.features.contains(.le2M) ? .le2M : .le1M)
        send(command, for: .setAdvertisingParameters)
    }

    /// A set has a random address of its own; answers false where it needs none. [Vol 4, Part E, 7.8.52]
    mutating func sendAdvertisingAddress() -> Bool {
        guard usesExtendedCommands, ownAddressType != .publicDevice else { return false }
        let address = privacy.address ?? ownAddress
        send(LESetAdvertisingSetRandomAddress(handle: setHandle, address: address), for: .setAdvertisingAddress)
        return true
    }

    /// All data of an extended advertisement is in its first part, since it isn't asked for more.
    mutating func sendAdvertisingData(_ settings: AdvertisingSettings) {
        guard usesExtendedCommands else {
            return send(LESetAdvertisingData(data: settings.data), for: .setAdvertisingData)
        }
        guard settings.needsExtendedPDUs else {
            let command = LESetExtendedAdvertisingData(handle: setHandle, data: settings.data)
            return send(command, for: .setAdvertisingData)
        }
        let data = settings.data + settings.scanResponse
        let starts = Array(stride(from: 0, to: data.count, by: 251))
        for start in starts {
            let operation: LEAdvertisingDataOperation =
                starts.count == 1
                ? .complete
                : start == 0 ? .firstFragment : start == starts.last ? .lastFragment : .intermediateFragment
            let part = Array(data[start..<min(start + 251, data.count)])
            let command = LESetExtendedAdvertisingData(handle: setHandle, operation: operation, data: part)
            // The answer to the last one says that all are there: it fails where one before did.
            send(command, for: start == starts.last ? .setAdvertisingData : .reply)
        }
    }

    /// Answers false where there is nobody who could ask for it.
    mutating func sendScanResponse(_ settings: AdvertisingSettings) -> Bool {
        guard usesExtendedCommands else {
            send(LESetScanResponseData(data: settings.scanResponse), for: .setScanResponseData)
            return true
        }
        guard !settings.needsExtendedPDUs, settings.isConnectable || settings.isScannable else { return false }
        send(LESetExtendedScanResponseData(handle: setHandle, data: settings.scanResponse), for: .setScanResponseData)
        return true
    }

    mutating func sendAdvertisingEnable(_ isEnabled: Bool) {
        let purpose: CommandPurpose = isEnabled ? .enableAdvertising : .disableAdvertising
        guard usesExtendedCommands else { return send(LESetAdvertisingEnable(isEnabled: isEnabled), for: purpose) }
        send(LESetExtendedAdvertisingEnable(isEnabled: isEnabled, sets: [.init(handle: setHandle)]), for: purpose)
    }

    /// What is wrong with what is to be advertised, by what the controller can do.
    func fault(of settings: AdvertisingSettings) -> String? {
        let isAllowed = configuration.advertising.usesExtendedPDUs && usesExtendedCommands
        return settings.fault(longest: isAllowed ? Int(controller.maximumAdvertisingDataLength) : nil)
    }
}

extension AdvertisingSettings {
    /// Whether the data doesn't fit in legacy PDUs.
    var needsExtendedPDUs: Bool { data.count > 31 || scanResponse.count > 31 }

    /// [Vol 4, Part E, 7.8.53]
    fileprivate var legacyProperties: LEAdvertisingProperties {
        if isConnectable { return [.legacy, .connectable, .scannable] }
        return isScannable ? [.legacy, .scannable] : .legacy
    }

    fileprivate var extendedProperties: LEAdvertisingProperties { isConnectable ? .connectable : [] }
}
