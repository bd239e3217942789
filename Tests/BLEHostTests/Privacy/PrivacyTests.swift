import BLECrypto
import BLEController
import BLEHost
import BLEWire
import Testing

/// Private addresses of hosts on virtual controllers. [Vol 3, Part C, 10.7]
@Suite struct PrivacyTests {
    static let keys: [Key128] = [0x1111_2222_3333_4444, 0x5555_6666_7777_8888]

    static func configuration(_ number: Int, lifetime: Delay = .seconds(900)) -> HostConfiguration {
        var configuration = HostConfiguration()
        configuration.identityResolvingKey = keys[number]
        configuration.privacy.isEnabled = true
        configuration.privacy.lifetime = lifetime
        return configuration
    }

    /// Addresses under which a watcher has seen others, in order, each once in a row.
    private func seen(_ bench: AirBench, by watcher: Int) -> [DeviceAddress] {
        var found: [DeviceAddress] = []
        for case .advertisingReport(let report) in bench.devices[watcher].events where found.last != report.address {
            found.append(report.address)
        }
        return found
    }

    @Test(arguments: [true, false])
    func `P05 an advertiser has a new address every 15 minutes, with or without the controller's help`(
        controllerHelps: Bool
    ) {
        var bench = AirBench()
        let device = bench.add(Self.configuration(0)) { $0.supportsPrivacy = controllerHelps }
        let watcher = bench.add()
        var advertising = AdvertisingSettings()
        advertising.intervalMinimum = 0x4000
        advertising.intervalMaximum = 0x4000
        bench.command(device, .startAdvertising(advertising))
        var scan = ScanSettings()
        scan.isActive = false
        bench.command(watcher, .startScanning(scan))
        bench.run(.seconds(3600 - 30))
        let addresses = seen(bench, by: watcher)
        #expect(addresses.count == 4)
        #expect(Set(addresses).count == 4)
        #expect(addresses.allSatisfy { KeyDerivation.resolves($0, irk: Self.keys[0].value) })
        // Nobody was told that advertising had stopped meanwhile.
        #expect(!bench.devices[device].events.contains(.advertisingEnded))
    }

    @Test func `P05 scan requests have the private address, too`() {
        var bench = AirBench()
        bench.radio.setCapturesAir(true)
        let device = bench.add(Self.configuration(0))
        let other = bench.add()
        bench.command(other, .startAdvertising(AdvertisingSettings()))
        bench.command(device, .startScanning(ScanSettings()))
        var requests: [DeviceAddress] = []
        for _ in 0..<200 {
            guard let next = bench.radio.nextDeadline else { break }
            var out: [RadioOutput] = []
            bench.now = max(bench.now, next)
            bench.radio.advance(to: bench.now, into: &out)
            for case .air(let packet) in out {
                if case .scanReq(let request)? = try? LLAdvertisingPacket(decoding: packet.pdu).payload {
                    requests.append(DeviceAddress(request.scanner, .randomDevice))
                }
            }
        }
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { KeyDerivation.resolves($0, irk: Self.keys[0].value) })
    }

    @Test func `a scan and a pending connection go on when the address changes`() {
        var bench = AirBench()
        let device = bench.add(Self.configuration(0, lifetime: .seconds(5)))
        let other = bench.add()
        let late = bench.add()
        bench.command(other, .startAdvertising(AdvertisingSettings()))
        bench.command(device, .startScanning(ScanSettings()))
        bench.command(device, .connect(AirBench.address(late), ConnectionSettings()))
        bench.run(.seconds(21))
        bench.devices[device].events = []
        bench.run(.seconds(3))
        #expect(seen(bench, by: device).contains(AirBench.address(other)))
        bench.command(late, .startAdvertising(AdvertisingSettings()))
        let link = bench.wait(device) { $0.link(to: AirBench.address(late)) }
        #expect(link != nil)
        #expect(!bench.devices[device].events.contains { if case .connectFailed = $0 { true } else { false } })
    }

    @Test func `without a key there is no privacy, and the lasting address is used`() {
        var bench = AirBench()
        var configuration = Self.configuration(0)
        configuration.identityResolvingKey = 0
        let device = bench.add(configuration)
        let watcher = bench.add()
        bench.command(device, .startAdvertising(AdvertisingSettings()))
        bench.command(watcher, .startScanning(ScanSettings()))
        bench.run(.seconds(2))
        #expect(seen(bench, by: watcher) == [AirBench.address(device)])
    }

    @Test func `a bonded peer is seen by its identity, through its addresses, and with none of ours`() throws {
        var bench = AirBench()
        let couple = try #require(Couple(&bench, privacy: [false, true], lifetime: .seconds(60)))
        bench.command(couple.peripheral, .startAdvertising(AdvertisingSettings()))
        bench.command(couple.central, .startScanning(ScanSettings()))
        bench.run(.seconds(200))
        #expect(seen(bench, by: couple.central) == [AirBench.address(couple.peripheral)])
    }

    @Test func `where the controller has no privacy the host resolves`() throws {
        var bench = AirBench()
        let couple = try #require(
            Couple(&bench, privacy: [false, true], lifetime: .seconds(60), central: { $0.supportsPrivacy = false }))
        bench.command(couple.peripheral, .startAdvertising(AdvertisingSettings()))
        bench.command(couple.central, .startScanning(ScanSettings()))
        bench.run(.seconds(200))
        #expect(seen(bench, by: couple.central) == [AirBench.address(couple.peripheral)])
    }

    @Test func `where no controller resolves the host finds a bonded peer by listening, again and again`() throws {
        var bench = AirBench()
        let couple = try #require(
            Couple(&bench, privacy: [true, true], lifetime: .seconds(3), central: { $0.supportsPrivacy = false }))
        for round in 0..<10 {
            // First the central waits, then the peripheral comes.
            bench.command(couple.central, .connect(AirBench.address(couple.peripheral), ConnectionSettings()))
            bench.run(.seconds(7))
            bench.command(couple.peripheral, .startAdvertising(AdvertisingSettings()))
            let made = bench.wait(couple.central) { $0.link(to: AirBench.address(couple.peripheral)) }
            let link = try #require(made, "round \(round)")
            let isEncrypted = bench.wait(couple.peripheral) { event -> Bool? in
                if case .securityChanged(_, let security) = event { security.isEncrypted } else { nil }
            }
            #expect(isEncrypted == true)
            bench.command(couple.peripheral, .stopAdvertising)
            bench.command(couple.central, .disconnect(link, reason: .remoteUserTerminated))
            bench.run(.seconds(2))
            bench.command(couple.peripheral, .stopAdvertising)
        }
        // Nobody asked to be told what was heard meanwhile.
        #expect(seen(bench, by: couple.central).isEmpty)
    }

    @Test(arguments: [true, false])
    func `P08 the identity address of a bonded peer that hides itself is nobody we know`(
        controllerHelps: Bool
    ) throws {
        var bench = AirBench()
        let couple = try #require(
            Couple(&bench, privacy: [true, true], central: { $0.supportsPrivacy = controllerHelps }))
        // Somebody else advertises with that address.
        let address = AirBench.address(couple.peripheral)
        let impostor = bench.add(HostConfiguration()) { $0.address = address }
        bench.command(impostor, .startAdvertising(AdvertisingSettings()))
        bench.command(couple.central, .startScanning(ScanSettings()))
        bench.run(.seconds(3))
        #expect(seen(bench, by: couple.central).isEmpty)
    }

    @Test func `pairing under private addresses tells who each is, once`() throws {
        var bench = AirBench()
        let couple = try #require(Couple(&bench, privacy: [true, true]))
        #expect(couple.identified == [true, true])
        #expect(bench.devices[couple.central].host.bonds.map(\.peer) == [AirBench.address(couple.peripheral)])
        #expect(bench.devices[couple.peripheral].host.bonds.map(\.peer) == [AirBench.address(couple.central)])
        #expect(bench.devices[couple.central].host.bonds.map(\.irk) == [Self.keys[1]])
        #expect(bench.devices[couple.peripheral].host.bonds.map(\.irk) == [Self.keys[0]])
    }

    @Test func `bonded devices that both rotate come together encrypted 100 times over days, and nothing is asked`()
        throws
    {
        var bench = AirBench(seed: 7)
        let couple = try #require(Couple(&bench, privacy: [true, true]))
        var bonds = [couple.central, couple.peripheral].map { bench.devices[$0].host.bonds }
        var generator = SeededGenerator(state: 99)
        let start = bench.now
        for round in 0..<100 {
            for (side, device) in [couple.central, couple.peripheral].enumerated() where (round + side) % 3 == 0 {
                bonds[side] = bench.devices[device].host.bonds
                bench.restart(device, Self.configuration(side), bonds: bonds[side], seed: UInt64(1000 + round))
            }
            bench.run(.seconds(Int64(600 + generator.next() % 3000)))
            for device in [couple.central, couple.peripheral] { bench.devices[device].events = [] }
            bench.command(couple.peripheral, .startAdvertising(AdvertisingSettings()))
            bench.command(couple.central, .connect(AirBench.address(couple.peripheral), ConnectionSettings()))
            let link = try #require(bench.wait(couple.central) { $0.link(to: AirBench.address(couple.peripheral)) })
            for device in [couple.central, couple.peripheral] {
                let isEncrypted = bench.wait(device) { event -> Bool? in
                    if case .securityChanged(_, let security) = event { security.isEncrypted } else { nil }
                }
                try #require(isEncrypted == true, "round \(round)")
            }
            #expect(
                bench.devices.allSatisfy { device in
                    !device.events.contains {
                        switch $0 {
                        case .pairingAsked, .pairingEnded, .encryptionFailed, .bondChanged: true
                        default: false
                        }
                    }
                }, "round \(round)")
            bench.command(couple.peripheral, .stopAdvertising)
            bench.command(couple.central, .disconnect(link, reason: .remoteUserTerminated))
            _ = bench.wait(couple.peripheral) { event in
                if case .disconnected = event { true } else { nil }
            }
            bench.command(couple.peripheral, .stopAdvertising)
        }
        #expect(bench.now - start > .seconds(86_400))
    }
}

/// A central and a peripheral that have bonded, and have no link any more.
private struct Couple {
    let central: Int
    let peripheral: Int
    /// Whether each was told that a private address and an identity are one.
    var identified = [false, false]

    init?(
        _ bench: inout AirBench, privacy: [Bool], lifetime: Delay = .seconds(900),
        central change: (inout ControllerProfile) -> Void = { _ in }
    ) {
        let configurations = (0...1).map { number in
            privacy[number]
                ? PrivacyTests.configuration(number, lifetime: lifetime) : HostConfiguration()
        }
        central = bench.add(configurations[0], change)
        peripheral = bench.add(configurations[1])
        bench.command(peripheral, .startAdvertising(AdvertisingSettings()))
        bench.command(central, .startScanning(ScanSettings()))
        let found = bench.wait(central) { event -> DeviceAddress? in
            if case .advertisingReport(let report) = event { report.address } else { nil }
        }
        guard let found else { return nil }
        bench.command(central, .stopScanning)
        bench.command(central, .connect(found, ConnectionSettings()))
        guard let link = bench.wait(central, for: { $0.link(to: found) }) else { return nil }
        bench.command(central, .pair(link))
        for device in [central, peripheral] {
            for _ in 0..<4 {
                let question = bench.wait(device, .milliseconds(200)) { event -> ConnectionHandle? in
                    if case .pairingAsked(let handle, _) = event { handle } else { nil }
                }
                if let question { bench.command(device, .answerPairing(question, .accept)) }
            }
        }
        for (side, device) in [central, peripheral].enumerated() {
            let isBonded = bench.wait(device) { event -> Bool? in
                if case .bondChanged = event { true } else { nil }
            }
            guard isBonded == true else { return nil }
            identified[side] = bench.devices[device].events.contains {
                if case .peerIdentified = $0 { true } else { false }
            }
        }
        bench.command(peripheral, .stopAdvertising)
        bench.command(central, .disconnect(link, reason: .remoteUserTerminated))
        bench.run(.seconds(2))
        bench.command(peripheral, .stopAdvertising)
        for device in [central, peripheral] { bench.devices[device].events = [] }
    }
}

extension AirBench {
    /// The program of a device ends and begins anew: its controller stays, and of what it knew only the bonds.
    fileprivate mutating func restart(
        _ index: Int, _ configuration: HostConfiguration, bonds: [Bond], seed: UInt64
    ) {
        devices[index].host = HostMachine(configuration: configuration, random: SeededGenerator(state: seed))
        command(index, .loadBonds(bonds))
        command(index, .powerOn)
        devices[index].events = []
    }
}
