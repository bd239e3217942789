import BLECrypto
import BLEHost
import BLEWire
import Testing

/// Trains that are followed, controllers that say what nobody asked, and private addresses. [Vol 4, Part E, 7.7.65.14]
@Suite struct PeriodicTrainTests {
    private func text(_ bench: HostBench) -> [String] { bench.commands.map { Hex.string($0, separator: " ") } }

    // MARK: Data

    @Test func `parts are one report, and what was cut is marked`() {
        var bench = PeriodicBench.established()
        func part(_ data: [UInt8], _ status: UInt8) {
            bench.receive(
                LEPeriodicAdvertisingReport(
                    handle: PeriodicBench.handle, transmitPower: 4, rssi: -60, dataStatus: status, data: data
                ).packet())
        }
        part([1, 2], 1)
        part([3], 1)
        #expect(bench.events.isEmpty)
        part([4], 0)
        part([5], 1)
        part([], 2)
        part([6], 0)
        part([], 0)
        let expected = [([1, 2, 3, 4], false), ([5], true), ([6], false), ([], false)] as [([UInt8], Bool)]
        #expect(
            bench.events.periodicReports
                == expected.map { PeriodicReport(data: $0, isCut: $1, rssi: -60, transmitPower: 4) })
    }

    @Test func `parts without an end don't grow without end`() {
        var bench = PeriodicBench.established()
        for number in 0..<200 {
            bench.receive(
                LEPeriodicAdvertisingReport(
                    handle: PeriodicBench.handle, dataStatus: 1, data: [UInt8](repeating: UInt8(number), count: 247)
                ).packet())
        }
        #expect(bench.events.isEmpty)
        bench.receive(LEPeriodicAdvertisingReport(handle: PeriodicBench.handle, data: [1]).packet())
        #expect(bench.events.periodicReports.map(\.data.count) == [1650])
        #expect(bench.events.periodicReports.map(\.isCut) == [true])
        bench.receive(LEPeriodicAdvertisingReport(handle: PeriodicBench.handle, data: [1]).packet())
        #expect(bench.events.periodicReports.last == PeriodicReport(data: [1]))
    }

    @Test func `a train that wasn't heard for its time-out is lost, and may be followed anew`() {
        var bench = PeriodicBench.established()
        bench.receive(LEPeriodicAdvertisingSyncLost(handle: PeriodicBench.handle).packet())
        #expect(bench.events == [.periodic(PeriodicBench.token, .lost)])
        bench.forget()
        bench.command(.followPeriodic(PeriodicBench.token, PeriodicSettings(PeriodicBench.advertiser)))
        bench.hear()
        bench.establish()
        #expect(bench.events.periodic.count == 1)
    }

    // MARK: Controllers that say what nobody asked

    @Test func `what is told of trains that nobody follows is noted, and a train that nobody wants is left`() {
        var bench = PeriodicBench.bench()
        bench.receive(LEPeriodicAdvertisingReport(handle: PeriodicBench.handle, data: [1]).packet())
        bench.receive(LEPeriodicAdvertisingSyncLost(handle: PeriodicBench.handle).packet())
        bench.receive(LEPeriodicAdvertisingSyncEstablished(status: .failedToBeEstablished).packet())
        #expect(bench.events.isEmpty && bench.commands.isEmpty)
        bench.establish()
        #expect(text(bench) == ["01 46 20 02 03 00"])
        bench = PeriodicBench.searching()
        bench.establish(of: DeviceAddress(1))
        bench.establish(set: 4)
        #expect(bench.opcodes == [.lePeriodicAdvertisingTerminateSync, .lePeriodicAdvertisingTerminateSync])
        #expect(bench.events.isEmpty)
        bench.establish()
        #expect(bench.events.count == 1)
    }

    @Test func `a handle that is given twice is the newer train's`() {
        var bench = PeriodicBench.established()
        bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(DeviceAddress(2))))
        bench.hear(by: DeviceAddress(2))
        bench.establish(of: DeviceAddress(2))
        bench.receive(LEPeriodicAdvertisingReport(handle: PeriodicBench.handle, data: [1]).packet())
        #expect(bench.events.first == .periodic(PeriodicBench.token, .lost))
        #expect(bench.events.last == .periodic(PeriodicBench.other, .report(PeriodicReport(data: [1]))))
    }

    // MARK: Ends from outside

    enum End: CaseIterable, Sendable { case powerOff, hardwareError, transport, silence }

    @Test(arguments: End.allCases)
    func `power off, a reset and a lost controller end all of it`(_ end: End) {
        var bench = PeriodicBench.established()
        bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(DeviceAddress(2))))
        bench.hear(by: DeviceAddress(2))
        bench.forget()
        let error: HostError
        switch end {
        case .powerOff:
            bench.command(.powerOff)
            error = .notPoweredOn
        case .hardwareError:
            bench.receive(HCIHardwareError(code: 1).packet())
            error = .hci(.hardwareFailure)
        case .transport:
            bench.feed(.transportClosed(reason: "gone"))
            error = .transport("gone")
        case .silence:
            bench.controller.ignore(LEPeriodicAdvertisingTerminateSync.self)
            bench.command(.followPeriodic(OperationToken(rawValue: 9), PeriodicSettings(DeviceAddress(3))))
            bench.command(.stopFollowing(OperationToken(rawValue: 9)))
            bench.controller.ignore(LEPeriodicAdvertisingCreateSyncCancel.self)
            bench.command(.stopFollowing(PeriodicBench.other))
            bench.command(.followPeriodic(PeriodicBench.other, PeriodicSettings(DeviceAddress(2))))
            bench.forget()
            bench.advance(by: .seconds(3))
            error = .commandTimeout(opcode: HCIOpcode.lePeriodicAdvertisingCreateSyncCancel.rawValue)
        }
        let told = bench.events.periodic
        #expect(told == [.failed(error), .ended(error)])
        bench.feed(.transportOpened)
        bench.command(.powerOn)
        // Nothing of it is left, and it can be asked for again.
        #expect(bench.opcodes.contains(.reset) && !bench.opcodes.contains(.leSetExtendedScanEnable))
        bench.forget()
        bench.receive(LEPeriodicAdvertisingReport(handle: PeriodicBench.handle, data: [1]).packet())
        #expect(bench.events.isEmpty)
        bench.command(.followPeriodic(PeriodicBench.token, PeriodicSettings(PeriodicBench.advertiser)))
        bench.hear()
        bench.establish()
        #expect(bench.events.periodic.count == 1)
    }

    // MARK: Private addresses

    static let irk: Key128 = 0x0123_4567_89AB_CDEF
    static func privateAddress(_ random: UInt32) -> DeviceAddress {
        KeyDerivation.resolvableAddress(irk: irk.value, random: random)
    }

    @Test func `a bonded advertiser is found under its address of the moment, and under the next one`() {
        let identity = DeviceAddress(0x0011_2233_9999)
        var bench = PeriodicBench.bench { $0.features.remove(.privacy) }
        var bond = Bond(
            peer: identity,
            strength: PairingStrength(isAuthenticated: false, isSecureConnections: true, keySize: 16))
        bond.irk = Self.irk
        bench.command(.loadBonds([bond]))
        bench.command(.followPeriodic(PeriodicBench.token, PeriodicSettings(identity)))
        bench.forget()
        let (first, second) = (Self.privateAddress(0x12_3456), Self.privateAddress(0x23_4567))
        bench.hear(by: first)
        #expect(bench.commands.last.map { Array($0[7..<13]) } == first.octets)
        bench.forget()
        // It has another address now: the controller would look for the old one for ever.
        bench.hear(by: second)
        #expect(bench.opcodes == [.lePeriodicAdvertisingCreateSyncCancel])
        bench.receive(LEPeriodicAdvertisingSyncEstablished(status: .operationCancelledByHost).packet())
        #expect(bench.commands.last.map { Array($0[7..<13]) } == second.octets)
        bench.establish(of: second)
        #expect(bench.events.periodic.count == 1)
    }

    @Test func `an advertiser that the controller has resolved is followed by its identity`() {
        var bench = PeriodicBench.following()
        bench.hear(by: DeviceAddress(PeriodicBench.advertiser.bits, .randomIdentity))
        #expect(bench.commands.last.map { $0[6] } == 1)
        bench.establish(of: DeviceAddress(PeriodicBench.advertiser.bits, .randomIdentity))
        #expect(bench.events.periodic.count == 1)
    }

    @Test func `a new private address of the host interrupts the search, which goes on`() {
        var configuration = HostConfiguration.quiet
        configuration.identityResolvingKey = 0x0123_4567_89AB_CDEF
        configuration.privacy.isEnabled = true
        configuration.privacy.lifetime = .seconds(60)
        var bench = PeriodicBench.following(PeriodicSettings(PeriodicBench.advertiser), configuration)
        bench.hear()
        bench.forget()
        bench.advance(by: .seconds(61))
        // No address is set while a search is outstanding. [Vol 4, Part E, 7.8.38]
        #expect(bench.opcodes.contains(.lePeriodicAdvertisingCreateSyncCancel))
        #expect(!bench.opcodes.contains(.leSetRandomAddress))
        bench.receive(LEPeriodicAdvertisingSyncEstablished(status: .operationCancelledByHost).packet())
        #expect(bench.opcodes.contains(.leSetRandomAddress))
        #expect(bench.opcodes.last == .lePeriodicAdvertisingCreateSync || bench.controller.isScanning)
        bench.establish()
        #expect(bench.events.periodic.count == 1)
    }
}

extension DeviceAddress {
    /// As they go over HCI.
    fileprivate var octets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }
}
