import BLEController
import BLEHost
import BLEWire
import Testing

/// Hosts that follow trains of virtual controllers. [Vol 6, Part B, 4.4.3.4]
@Suite struct FollowingTests {
    private static let token = OperationToken(rawValue: 1)

    /// A host that follows a train of another controller.
    private struct Scene {
        var bench = AirBench()
        let host: Int
        let train: Train

        init(data: [UInt8], _ change: (inout PeriodicSettings) -> Void = { _ in }) {
            host = bench.add()
            train = Train(&bench)
            train.start(&bench, data: data)
            follow(change)
        }

        mutating func follow(_ change: (inout PeriodicSettings) -> Void = { _ in }) {
            var settings = PeriodicSettings(train.address)
            change(&settings)
            bench.command(host, .followPeriodic(FollowingTests.token, settings))
        }

        mutating func next() -> PeriodicEvent? { bench.wait(host) { $0.periodic(FollowingTests.token) } }
        var reports: [PeriodicReport] { bench.devices[host].events.periodicReports }
    }

    @Test func `a train is found and heard at its interval, and data that changes is heard`() {
        var scene = Scene(data: [3, 0xFF, 1, 2])
        #expect(scene.next() == .established(.init(setIdentifier: 5, interval: 80, phy: .le1M)))
        scene.bench.run(.seconds(2))
        #expect((18...21).contains(scene.reports.count))
        #expect(scene.reports.allSatisfy { $0.data == [3, 0xFF, 1, 2] && !$0.isCut && $0.rssi < 0 })
        scene.bench.devices[scene.host].events = []
        scene.train.set(&scene.bench, data: [9])
        scene.bench.run(.seconds(1))
        #expect(Set(scene.reports.map(\.data)).isSubset(of: [[9], [3, 0xFF, 1, 2]]))
        #expect(scene.reports.suffix(8).allSatisfy { $0.data == [9] })
        // The host's own scan is over.
        let state = scene.bench.radio.linkLayerState(of: scene.bench.devices[scene.host].controller)
        #expect(!state.contains(.scanning))
    }

    @Test(arguments: [0, 247, 248, 600, 1650]) func `data of any length is one report`(_ count: Int) {
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        var scene = Scene(data: data)
        scene.bench.run(.seconds(2))
        #expect(scene.reports.count > 5)
        #expect(scene.reports.contains(PeriodicReport(data: data, rssi: scene.reports.last?.rssi ?? 0)))
        #expect(scene.reports.allSatisfy { $0.isCut || $0.data == data })
    }

    @Test func `events that may be left out are left out`() {
        var scene = Scene(data: [1]) { $0.skip = 4 }
        _ = scene.next()
        scene.bench.run(.seconds(5))
        #expect((8...11).contains(scene.reports.count))
    }

    @Test func `a train that goes out of range is lost after its time-out, and found again`() {
        var scene = Scene(data: [1]) { $0.timeout = 200 }
        _ = scene.next()
        scene.bench.run(.seconds(1))
        let controller = scene.bench.devices[scene.host].controller
        scene.bench.radio.setLoss(1, between: controller, and: scene.train.controller)
        scene.bench.run(.milliseconds(1800))
        #expect(scene.bench.devices[scene.host].events.periodic.contains(.lost) == false)
        scene.bench.run(.milliseconds(400))
        #expect(scene.bench.devices[scene.host].events.periodic.last == .lost)
        scene.bench.devices[scene.host].events = []
        scene.follow()
        scene.bench.run(.seconds(5))
        #expect(scene.bench.devices[scene.host].events.periodic.isEmpty)
        scene.bench.radio.setLoss(0, between: controller, and: scene.train.controller)
        #expect(scene.next() == .established(.init(setIdentifier: 5, interval: 80, phy: .le1M)))
    }

    @Test func `a search is called off, following is ended, and both can begin again`() {
        var bench = AirBench()
        let host = bench.add()
        let train = Train(&bench)
        let settings = PeriodicSettings(train.address)
        bench.command(host, .followPeriodic(Self.token, settings))
        bench.run(.seconds(1))
        bench.command(host, .stopFollowing(Self.token))
        train.start(&bench, data: [1])
        bench.run(.seconds(1))
        #expect(bench.devices[host].events == [.periodic(Self.token, .failed(.cancelled))])
        for _ in 0..<3 {
            bench.devices[host].events = []
            bench.command(host, .followPeriodic(Self.token, settings))
            bench.run(.seconds(1))
            bench.command(host, .stopFollowing(Self.token))
            #expect(bench.devices[host].events.periodicReports.count > 3)
            #expect(bench.devices[host].events.last == .periodic(Self.token, .ended(.cancelled)))
            bench.devices[host].events = []
            bench.run(.seconds(1))
            #expect(bench.devices[host].events.isEmpty)
        }
    }

    @Test func `several trains are followed while a link is made and used`() throws {
        var bench = AirBench()
        let host = bench.add()
        let peer = bench.add()
        let trains = (1...3).map { Train(&bench, address: DeviceAddress(0x0011_3300_0000 + UInt64($0))) }
        for (number, train) in trains.enumerated() {
            train.start(&bench, data: [UInt8(number)])
            bench.command(host, .followPeriodic(OperationToken(rawValue: UInt64(number)), .init(train.address)))
        }
        let made = bench.link(host, to: peer)
        let link = try #require(made)
        bench.run(.seconds(5))
        for number in 0..<3 {
            let told = bench.devices[host].events.compactMap { $0.periodic(OperationToken(rawValue: UInt64(number))) }
            let reports = told.compactMap { if case .report(let report) = $0 { report.data } else { nil } }
            #expect(reports.count > 20 && reports.allSatisfy { $0 == [UInt8(number)] }, "\(number): \(reports.count)")
        }
        #expect(!bench.devices[host].events.contains { $0.end(of: link.central) != nil })
    }

    @Test func `a host with private addresses follows on while its address changes`() {
        var bench = AirBench()
        var configuration = HostConfiguration()
        configuration.identityResolvingKey = 0x1234
        configuration.privacy.isEnabled = true
        configuration.privacy.lifetime = .seconds(2)
        let host = bench.add(configuration)
        let train = Train(&bench)
        bench.command(host, .followPeriodic(Self.token, .init(train.address)))
        bench.run(.seconds(7))
        train.start(&bench, data: [1])
        bench.run(.seconds(7))
        #expect(bench.devices[host].events.periodicReports.count > 40)
        #expect(!bench.devices[host].events.periodic.contains { if case .failed = $0 { true } else { false } })
    }
}
