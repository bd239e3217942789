import BLEHost
import BLEWire
import Testing

/// What a bonded client has subscribed to lasts, with the bond. [Vol 3, Part G, 3.3.3.3]
@Suite struct SubscriptionMemoryTests {
    private static let service = GATTServiceDefinition(
        uuid: BluetoothUUID(0xFFF0),
        characteristics: [.init(uuid: BluetoothUUID(0xFFF1), properties: 0x12, permissions: [.read], value: [1])])

    /// A central and a peripheral with the service, bonded and linked.
    private struct Scene {
        var bench = AirBench()
        let central: Int
        let peripheral: Int
        var link = (central: ConnectionHandle(rawValue: 0), peripheral: ConnectionHandle(rawValue: 0))
        var value = AttributeHandle.none

        init() throws {
            central = bench.add()
            peripheral = bench.add()
            try publish(SubscriptionMemoryTests.service)
            try connect()
            bench.command(central, .pair(link.central))
            for _ in 0..<3 {
                for device in [central, peripheral] {
                    let question = bench.wait(device, .milliseconds(200)) { event -> ConnectionHandle? in
                        if case .pairingAsked(let handle, _) = event { handle } else { nil }
                    }
                    if let question { bench.command(device, .answerPairing(question, .accept)) }
                }
            }
            bench.run(.seconds(1))
        }

        mutating func publish(_ service: GATTServiceDefinition) throws {
            bench.command(peripheral, .addService(OperationToken(rawValue: 1), service))
            let layout = bench.wait(peripheral) { event -> GATTServiceLayout? in
                if case .serviceAdded(_, .success(let layout)) = event { layout } else { nil }
            }
            value = try #require(layout?.characteristics.first)
        }

        mutating func connect() throws {
            let made = bench.link(central, to: peripheral)
            link = try #require(made)
            bench.run(.seconds(1))
        }

        mutating func disconnect() {
            bench.command(central, .disconnect(link.central, reason: .remoteUserTerminated))
            bench.run(.seconds(1))
            bench.command(peripheral, .stopAdvertising)
            for device in [central, peripheral] { bench.devices[device].events = [] }
        }

        mutating func subscribe() {
            // The descriptor is behind the value.
            let descriptor = AttributeHandle(rawValue: value.rawValue + 1)
            _ = bench.perform(central, link.central, .write(descriptor, [1, 0]))
        }

        /// The peripheral's program ends and begins anew, with its bonds.
        mutating func restart(_ services: [GATTServiceDefinition]) throws {
            let bonds = bench.devices[peripheral].host.bonds
            bench.devices[peripheral].host = HostMachine(
                configuration: HostConfiguration(), random: SeededGenerator(state: 77))
            bench.command(peripheral, .loadBonds(bonds))
            bench.command(peripheral, .powerOn)
            for service in services { try publish(service) }
            bench.devices[peripheral].events = []
        }

        var subscriptions: [ClientSubscription] {
            bench.devices[peripheral].host.bonds.first?.subscriptions ?? []
        }

        /// What the peripheral's user was told of subscriptions.
        var told: [ClientConfiguration] {
            bench.devices[peripheral].events.compactMap {
                if case .subscriptionChanged(_, value, let configuration) = $0 { configuration } else { nil }
            }
        }
    }

    @Test func `a bonded client that comes back is subscribed, after a restart too`() throws {
        var scene = try Scene()
        scene.subscribe()
        #expect(scene.subscriptions.map(\.value) == [.notifications])
        for restarts in [false, true] {
            scene.disconnect()
            if restarts { try scene.restart([Self.service]) }
            try scene.connect()
            #expect(scene.told == [.notifications])
            scene.bench.command(
                scene.peripheral,
                .sendValue(scene.link.peripheral, OperationToken(rawValue: 9), scene.value, [7], indicate: false))
            let received = scene.bench.wait(scene.central) { event -> [UInt8]? in
                if case .valueReceived(_, _, let value, _) = event { value } else { nil }
            }
            #expect(received == [7])
        }
    }

    @Test func `with another database nothing is left of it`() throws {
        var scene = try Scene()
        scene.subscribe()
        scene.disconnect()
        var other = Self.service
        other.characteristics[0].uuid = BluetoothUUID(0xFFF7)
        try scene.restart([other])
        try scene.connect()
        #expect(scene.told.isEmpty)
        #expect(scene.subscriptions.isEmpty)
    }

    @Test func `what a client without a bond subscribes to is gone with its link`() throws {
        var bench = AirBench()
        let (central, peripheral) = (bench.add(), bench.add())
        bench.command(peripheral, .addService(OperationToken(rawValue: 1), Self.service))
        let layout = bench.wait(peripheral) { event -> GATTServiceLayout? in
            if case .serviceAdded(_, .success(let layout)) = event { layout } else { nil }
        }
        let value = try #require(layout?.characteristics.first)
        for round in 0..<2 {
            let made = bench.link(central, to: peripheral)
            let link = try #require(made)
            bench.run(.seconds(1))
            let told = bench.devices[peripheral].events.contains {
                if case .subscriptionChanged = $0 { true } else { false }
            }
            #expect(!told, "round \(round)")
            _ = bench.perform(central, link.central, .write(AttributeHandle(rawValue: value.rawValue + 1), [1, 0]))
            bench.command(central, .disconnect(link.central, reason: .remoteUserTerminated))
            bench.run(.seconds(1))
            bench.devices[peripheral].events = []
            bench.command(peripheral, .stopAdvertising)
        }
    }
}
