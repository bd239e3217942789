import BLEHost
import BLEWire

/// Hosts that follow periodic advertising, on a controller that finds a train when a test says so.
enum PeriodicBench {
    static let token = OperationToken(rawValue: 7)
    static let other = OperationToken(rawValue: 8)
    static let advertiser = DeviceAddress(0xC0FF_EE00_0009, .randomDevice)
    static let handle = ConnectionHandle(rawValue: 3)

    static func bench(
        _ configuration: HostConfiguration = .quiet, _ change: (inout ScriptedController) -> Void = { _ in }
    ) -> HostBench {
        HostBench.poweredOn(configuration) {
            $0.features.insert([.extendedAdvertising, .periodicAdvertising])
            // The search goes on: its end is for the tests to tell.
            $0.answer(LEPeriodicAdvertisingCreateSync.self, [LEPeriodicAdvertisingCreateSync.accepted()])
            change(&$0)
        }
    }

    /// A bench that looks for the train of the advertiser.
    static func following(
        _ settings: PeriodicSettings = PeriodicSettings(advertiser), _ configuration: HostConfiguration = .quiet,
        _ change: (inout ScriptedController) -> Void = { _ in }
    ) -> HostBench {
        var bench = bench(configuration, change)
        bench.command(.followPeriodic(token, settings))
        return bench
    }

    static func searching(_ change: (inout ScriptedController) -> Void = { _ in }) -> HostBench {
        var bench = following(PeriodicSettings(advertiser), .quiet, change)
        bench.hear()
        bench.forget()
        return bench
    }

    static func established(_ change: (inout ScriptedController) -> Void = { _ in }) -> HostBench {
        var bench = searching(change)
        bench.establish()
        bench.forget()
        return bench
    }
}

extension HostBench {
    /// The controller hears a set of an advertiser; 0 = it has no train.
    mutating func hear(
        set: UInt8 = 5, interval: UInt16 = 80, by address: DeviceAddress = PeriodicBench.advertiser
    ) {
        var report = LEExtendedAdvertisingReport.Report()
        report.address = address
        report.setIdentifier = set
        report.periodicInterval = interval
        receive(LEExtendedAdvertisingReport(reports: [report]).packet())
    }

    /// The controller has found a train.
    mutating func establish(
        of address: DeviceAddress = PeriodicBench.advertiser, set: UInt8 = 5,
        handle: ConnectionHandle = PeriodicBench.handle
    ) {
        receive(
            LEPeriodicAdvertisingSyncEstablished(
                handle: handle, setIdentifier: set, advertiser: address, phy: .le2M, interval: 80
            ).packet())
    }
}
