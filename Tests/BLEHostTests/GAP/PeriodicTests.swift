import BLEHost
import BLEWire
import Testing

/// Following periodic advertising with a controller that does as it is told. [Vol 4, Part E, 7.8.67]
@Suite struct PeriodicTests {
    private func text(_ bench: HostBench) -> [String] { bench.commands.map { Hex.string($0, separator: " ") } }

    // MARK: Looking for a train

    @Test func `the events of a train are wanted where the controller has it`() {
        var bench = HostBench()
        bench.controller.features.insert([.extendedAdvertising, .periodicAdvertising])
        bench.command(.powerOn)
        let masks = bench.commands.filter { ScriptedController.opcode($0) == .leSetEventMask }
        #expect(masks.map { Hex.string($0, separator: " ") }.last == "01 01 20 08 7F FA 02 00 00 00 00 00")
    }

    @Test func `a train is looked for once its advertiser was heard, by a scan of the host's own, octet by octet`() {
        var bench = PeriodicBench.following()
        #expect(text(bench) == ["01 41 20 08 00 00 01 00 60 00 30 00", "01 42 20 06 01 00 00 00 00 00"])
        bench.forget()
        bench.hear()
        // Six events of 100 ms are less than a second.
        #expect(text(bench) == ["01 44 20 0E 00 05 01 09 00 00 EE FF C0 00 00 64 00 00"])
        #expect(bench.events.isEmpty)
        bench.forget()
        bench.establish()
        #expect(bench.events.periodic == [.established(.init(setIdentifier: 5, interval: 80, phy: .le2M))])
        #expect(text(bench) == ["01 42 20 06 00 00 00 00 00 00"])
        #expect(!bench.controller.isScanning)
    }

    @Test(
        arguments: [
            (0, nil, 80, 100), (4, nil, 800, 3000), (499, nil, 80, 0x4000), (0, 10, 800, 10), (2, 0x4000, 8, 0x4000),
        ] as [(UInt16, UInt16?, UInt16, UInt16)])
    func `a train may be silent for six events that aren't left out, or as long as is said`(
        skip: UInt16, timeout: UInt16?, interval: UInt16, expected: UInt16
    ) throws {
        var settings = PeriodicSettings(PeriodicBench.advertiser)
        settings.skip = skip
        settings.timeout = timeout
        var bench = PeriodicBench.following(settings)
        bench.hear(interval: interval)
        let packet = try #require(bench.commands.last)
        guard case .command(.lePeriodicAdvertisingCreateSync(let command)) = try HCIPacket(decoding: packet) else {
            return #expect(Bool(false), "\(packet)")
        }
        #expect(command.skip == skip && command.timeout == expected)
    }

    @Test func `a scan that the user wants is kept, and nobody is told of what the host's own hears`() {
        var bench = PeriodicBench.bench()
        bench.command(.startScanning(ScanSettings()))
        bench.forget()
        bench.command(.followPeriodic(PeriodicBench.token, PeriodicSettings(PeriodicBench.advertiser)))
        #expect(bench.commands.isEmpty)
        bench.hear()
        #expect(bench.events.count { if case .advertisingReport = $0 { true } else { false } } == 1)
        bench.forget()
        bench.command(.stopScanning)
        // It is still looked for.
        #expect(bench.controller.isScanning)
        bench.hear()
        #expect(!bench.events.contains { if case .advertisingReport = $0 { true } else { false } })
        bench.establish()
        #expect(!bench.controller.isScanning)
    }

    @Test func `a scan that hides what it has told is begun anew, so that the advertiser is heard`() {
        var bench = PeriodicBench.bench()
        var scan = ScanSettings()
        scan.filterDuplicates = true
        bench.command(.startScanning(scan))
        bench.forget()
        bench.command(.followPeriodic(PeriodicBench.token, PeriodicSettings(PeriodicBench.advertiser)))
        #expect(bench.opcodes == [.leSetExtendedScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable])
        #expect(bench.controller.isScanning)
    }

    @Test func `only the set that is wanted is followed`() {
        var bench = PeriodicBench.following(PeriodicSettings(PeriodicBench.advertiser, setIdentifier: 6))
        bench.hear(set: 5)
        bench.hear(set: 6, interval: 0)
        bench.hear(set: 6, by: DeviceAddress(1))
        #expect(!bench.opcodes.contains(.lePeriodicAdvertisingCreateSync))
        bench.hear(set: 6)
        #expect(bench.opcodes.contains(.lePeriodicAdvertisingCreateSync))
        // Another set of it changes nothing.
        bench.forget()
        bench.hear(set: 5)
        #expect(bench.commands.isEmpty)
    }

    @Test func `one train is looked for at a time, and who is away keeps nobody waiting`() {
        var bench = PeriodicBench.bench()
        for number in 1...3 as ClosedRange<UInt64> {
            bench.command(.followPeriodic(OperationToken(rawValue: number), PeriodicSettings(DeviceAddress(number))))
        }
        bench.forget()
        bench.hear(by: DeviceAddress(3))
        bench.hear(by: DeviceAddress(2))
        #expect(bench.opcodes == [.lePeriodicAdvertisingCreateSync])
        bench.establish(of: DeviceAddress(3))
        #expect(bench.opcodes.count { $0 == .lePeriodicAdvertisingCreateSync } == 2)
        bench.establish(of: DeviceAddress(2), handle: ConnectionHandle(rawValue: 4))
        #expect(bench.events.periodic.count == 2)
        // The first one is still looked for.
        #expect(bench.controller.isScanning)
    }

    @Test func `a search that finds nothing lets others have their turn, and comes again`() {
        var bench = PeriodicBench.searching()
        bench.advance(by: .seconds(60))
        #expect(bench.commands.isEmpty)
        bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(DeviceAddress(2))))
        bench.hear(by: DeviceAddress(2))
        bench.forget()
        bench.advance(by: .seconds(5))
        #expect(bench.opcodes == [.lePeriodicAdvertisingCreateSyncCancel])
        bench.receive(
            LEPeriodicAdvertisingSyncEstablished(status: .operationCancelledByHost, setIdentifier: 5).packet())
        bench.establish(of: DeviceAddress(2))
        #expect(bench.events.count == 1)
        bench.forget()
        bench.hear()
        #expect(bench.opcodes == [.lePeriodicAdvertisingCreateSync])
        bench.establish(handle: ConnectionHandle(rawValue: 4))
        #expect(bench.events.periodic.count == 1)
    }

    @Test func `a train that wasn't found is tried again when its advertiser is heard, a few times`() {
        var bench = PeriodicBench.searching()
        for _ in 0..<3 {
            bench.receive(LEPeriodicAdvertisingSyncEstablished(status: .failedToBeEstablished).packet())
            #expect(bench.commands.isEmpty && bench.events.isEmpty)
            bench.hear()
            #expect(bench.opcodes == [.lePeriodicAdvertisingCreateSync])
            bench.forget()
        }
        bench.receive(LEPeriodicAdvertisingSyncEstablished(status: .failedToBeEstablished).packet())
        #expect(bench.events.periodic == [.failed(.hci(.failedToBeEstablished))])
        #expect(!bench.controller.isScanning)
    }

    @Test func `a search that failed with fields that make no sense has failed all the same`() {
        var bench = PeriodicBench.searching()
        var packet = LEPeriodicAdvertisingSyncEstablished(status: .memoryCapacityExceeded).packet()
        packet[5...6] = [0xFF, 0xFF]
        bench.receive(packet)
        #expect(bench.events.periodic == [.failed(.hci(.memoryCapacityExceeded))])
    }

    // MARK: What can't be

    @Test func `a controller that can't is named with what it lacks`() {
        func lack(_ change: @escaping (inout ScriptedController) -> Void) -> [PeriodicEvent] {
            var bench = PeriodicBench.following(PeriodicSettings(PeriodicBench.advertiser), .quiet, change)
            #expect(bench.commands.isEmpty)
            return bench.takeEvents().periodic
        }
        #expect(
            lack { $0.features.remove(.periodicAdvertising) }
                == [.failed(.unsupported("the controller lacks periodic advertising"))])
        #expect(
            lack { $0.features.remove(.extendedAdvertising) }
                == [.failed(.unsupported("the controller lacks extended scanning, or it isn't to be used"))])
        let commands: [any HCICommandPDU.Type] = [
            LEPeriodicAdvertisingCreateSync.self, LEPeriodicAdvertisingCreateSyncCancel.self,
            LEPeriodicAdvertisingTerminateSync.self,
        ]
        for command in commands {
            #expect(
                lack { $0.supported.remove(command) }
                    == [.failed(.unsupported("the controller lacks \(command.name)"))])
        }
    }

    @Test func `what the specification doesn't allow is refused, and so is a host that isn't on`() {
        for change in [
            { $0.setIdentifier = 16 }, { $0.skip = 500 }, { $0.timeout = 9 }, { $0.timeout = 0x4001 },
        ] as [(inout PeriodicSettings) -> Void] {
            var settings = PeriodicSettings(PeriodicBench.advertiser)
            change(&settings)
            let bench = PeriodicBench.following(settings)
            guard case .failed(.invalidParameters) = bench.events.periodic.first else {
                #expect(Bool(false), "\(bench.events)")
                continue
            }
            #expect(bench.commands.isEmpty)
        }
        var bench = HostBench()
        bench.command(.followPeriodic(PeriodicBench.token, PeriodicSettings(PeriodicBench.advertiser)))
        #expect(bench.events == [.periodic(PeriodicBench.token, .failed(.notPoweredOn))])
    }

    @Test(arguments: [HCIStatus.commandDisallowed, .memoryCapacityExceeded, .unknownCommand])
    func `the status of a controller that refuses to look is told, and the next one has its turn`(_ status: HCIStatus) {
        var bench = PeriodicBench.following(PeriodicSettings(PeriodicBench.advertiser), .quiet) {
            $0.refuse(LEPeriodicAdvertisingCreateSync.self, status)
        }
        bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(DeviceAddress(2))))
        bench.hear()
        #expect(bench.events == [.periodic(PeriodicBench.token, .failed(.hci(status)))])
        bench.controller.answer(
            LEPeriodicAdvertisingCreateSync.self, [LEPeriodicAdvertisingCreateSync.accepted()])
        bench.hear(by: DeviceAddress(2))
        bench.establish(of: DeviceAddress(2))
        #expect(bench.events.periodic.count == 2)
    }

    @Test func `a controller that doesn't scan finds nobody, and isn't asked for ever`() {
        let bench = PeriodicBench.following(PeriodicSettings(PeriodicBench.advertiser), .quiet) {
            $0.refuse(LESetExtendedScanParameters.self, .invalidParameters)
        }
        #expect(bench.events.periodic == [.failed(.hci(.invalidParameters))])
        #expect(bench.commands.count == 1)
    }

    @Test func `a train that is followed already isn't followed twice`() {
        var bench = PeriodicBench.established()
        bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(PeriodicBench.advertiser)))
        bench.hear()
        #expect(bench.events == [.periodic(PeriodicBench.other, .failed(.hci(.connectionAlreadyExists)))])
        #expect(!bench.opcodes.contains(.lePeriodicAdvertisingCreateSync))
    }

    // MARK: Calling off

    @Test func `a search is called off before and after its advertiser was heard`() {
        var bench = PeriodicBench.following()
        bench.command(.stopFollowing(PeriodicBench.token))
        #expect(bench.events == [.periodic(PeriodicBench.token, .failed(.cancelled))])
        #expect(!bench.controller.isScanning)
        bench = PeriodicBench.searching()
        bench.command(.stopFollowing(PeriodicBench.token))
        #expect(bench.events == [.periodic(PeriodicBench.token, .failed(.cancelled))])
        #expect(bench.opcodes.first == .lePeriodicAdvertisingCreateSyncCancel)
        // Nothing new before the search has ended.
        bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(DeviceAddress(2))))
        bench.hear(by: DeviceAddress(2))
        #expect(!bench.opcodes.contains(.lePeriodicAdvertisingCreateSync))
        bench.receive(LEPeriodicAdvertisingSyncEstablished(status: .operationCancelledByHost).packet())
        #expect(bench.opcodes.last == .lePeriodicAdvertisingCreateSync)
    }

    @Test func `a train that is found while it is called off is left`() {
        var bench = PeriodicBench.searching { $0.ignore(LEPeriodicAdvertisingCreateSyncCancel.self) }
        bench.command(.stopFollowing(PeriodicBench.token))
        bench.forget()
        bench.establish()
        bench.receive(
            HCICommandComplete(
                opcode: .lePeriodicAdvertisingCreateSyncCancel, returnParameters: [HCIStatus.commandDisallowed.rawValue]
            ).packet())
        #expect(text(bench).contains("01 46 20 02 03 00"))
        #expect(bench.events.isEmpty)
        bench.receive(LEPeriodicAdvertisingReport(handle: PeriodicBench.handle, data: [1]).packet())
        #expect(bench.events.isEmpty)
    }

    @Test func `a cancel without its event is done after the time of a command`() {
        var bench = PeriodicBench.searching()
        bench.command(.stopFollowing(PeriodicBench.token))
        bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(DeviceAddress(2))))
        bench.hear(by: DeviceAddress(2))
        bench.forget()
        bench.advance(by: .seconds(2))
        #expect(bench.opcodes.contains(.lePeriodicAdvertisingCreateSync))
        // The event comes after all: it is none of the new search's.
        bench.receive(LEPeriodicAdvertisingSyncEstablished(status: .operationCancelledByHost).packet())
        bench.establish(of: DeviceAddress(2))
        #expect(bench.events.periodic.count == 1)
    }

    @Test func `following is ended, and what still comes of it isn't told`() {
        var bench = PeriodicBench.established()
        bench.command(.stopFollowing(PeriodicBench.token))
        #expect(text(bench) == ["01 46 20 02 03 00"])
        #expect(bench.events == [.periodic(PeriodicBench.token, .ended(.cancelled))])
        bench.forget()
        bench.receive(LEPeriodicAdvertisingReport(handle: PeriodicBench.handle, data: [1]).packet())
        bench.receive(LEPeriodicAdvertisingSyncLost(handle: PeriodicBench.handle).packet())
        bench.command(.stopFollowing(PeriodicBench.token))
        #expect(bench.events.isEmpty && bench.commands.isEmpty)
    }
}
