#if BlueZ
    import BLEBackend
    import BLEBlueZ
    import BLERuntime
    import BLETestSupport
    import BLEWire
    import Testing

    /// The driver on a real message bus, with the fake bluetoothd at its other end.
    @Suite(.timeLimit(.minutes(3))) struct BlueZDriverTests {
        private final class Sink: BackendSink {
            let events = Recorder<BackendEvent>()
            func receive(_ events: [BackendEvent]) { for event in events { self.events.record(event) } }
            var readyCount: Int { Self.readyCount(events.all) }
            static func readyCount(_ events: [BackendEvent]) -> Int {
                events.filter { $0 == .readyToUpdateSubscribers }.count
            }
        }
        private let thermometer = MachineFixture.thermometer
        private let store = MemoryDeviceStore(key: (1, 2))

        private var peer: PeerID {
            DeviceAddress(thermometer.address, .randomDevice).map(store.peer(at:)) ?? PeerID(bits: 0)
        }

        private func started(_ bus: PrivateBus) -> (BlueZBackend, BlueZDriver) {
            let backend = BlueZBackend(store: store)
            let driver = BlueZDriver(backend: backend, address: bus.address)
            driver.start()
            return (backend, driver)
        }

        @Test func `A scan, a connection, a read and a notification go over a real bus`() async throws {
            let bus = try await PrivateBus()
            let fake = BusFake()
            try fake.start(on: bus.address)
            let (backend, driver) = started(bus)
            defer { driver.stop() }
            let sink = Sink(), device = thermometer, peer = peer
            let session = backend.openSession(.central, sink: sink)
            try await sink.events.contains(.stateChanged(.poweredOn))
            backend.perform(.startScan(ScanRequest()), in: session)
            try await fake.called.contains("StartDiscovery")
            fake.does { $0.hear(device) }
            try await sink.events.first {
                if case .discovered(peer, "Thermometer", _, rssi: -50) = $0 { true } else { false }
            }
            backend.perform(.connect(peer, ConnectOptions()), in: session)
            try await sink.events.contains(.connected(peer))
            backend.perform(.read(peer, 0x12), in: session)
            try await sink.events.contains(.valueRead(peer, 0x12, .success([1, 2])))
            #expect(backend.attMTU(of: peer) == 185)
            let measurement = RemoteCharacteristic(
                uuid: 0x2A1C, properties: 0x12, declaration: 0x11, value: 0x12, end: 0x13)
            backend.perform(.setNotify(peer, measurement, true), in: session)
            try await sink.events.contains(.notifyStateChanged(peer, measurement, .success(true)))
            fake.does { daemon in
                let path = device.path + "/service0010/char0011"
                daemon.change(path, BlueZName.gattCharacteristic, ["Value": .bytes([])])
                daemon.change(path, BlueZName.gattCharacteristic, ["Value": .bytes([7])])
            }
            try await sink.events.contains(.valueNotified(peer, 0x12, [7]))
            #expect(sink.events.all.contains(.valueNotified(peer, 0x12, [])))
            fake.stop()
        }

        @Test func `A daemon that goes and comes is resetting, then powered on`() async throws {
            let bus = try await PrivateBus()
            let first = BusFake()
            try first.start(on: bus.address)
            let (backend, driver) = started(bus)
            defer { driver.stop() }
            let sink = Sink()
            _ = backend.openSession(.central, sink: sink)
            try await sink.events.contains(.stateChanged(.poweredOn))
            first.stop()
            try await sink.events.contains(.stateChanged(.resetting))
            let second = BusFake()
            try second.start(on: bus.address)
            try await sink.events.wait { events in events.filter { $0 == .stateChanged(.poweredOn) }.count == 2 }
            second.stop()
        }

        @Test func `A program's services are read over the bus, and updates go by a socket`() async throws {
            let bus = try await PrivateBus()
            var daemon = FakeBlueZ()
            daemon.setConnected(thermometer)
            let fake = BusFake(daemon)
            try fake.start(on: bus.address)
            let (backend, driver) = started(bus)
            defer { driver.stop() }
            let sink = Sink()
            let session = backend.openSession(.peripheral, sink: sink)
            try await sink.events.contains(.stateChanged(.poweredOn))
            let value = LocalAttributeID(rawValue: 2)
            let service = LocalService(
                id: LocalAttributeID(rawValue: 1), uuid: 0xABCD, isPrimary: true, includes: [],
                characteristics: [
                    LocalCharacteristic(
                        id: value, uuid: 0xABC1, properties: 0x12, permissions: .readable, value: nil, descriptors: [])
                ])
            backend.perform(.addService(service), in: session)
            try await sink.events.contains(.serviceAdded(service.id, nil))
            let path = try #require(fake.registered.first) + "/s1/c2"
            let options = DBusValue.properties(["device": .path(thermometer.path), "mtu": .uint16(100)])
            fake.call(path, BlueZName.gattCharacteristic, "AcquireNotify", [options])
            let central = CentralInfo(id: peer, maximumUpdateValueLength: 97)
            try await sink.events.contains(.subscribed(central: central, value))
            for number in UInt8(0)..<100 {
                var told = sink.readyCount
                while !backend.updateValue([number, 1], of: value, centrals: nil, in: session) {
                    let before = told
                    try await sink.events.wait { Sink.readyCount($0) > before }
                    told = sink.readyCount
                }
            }
            let received = try await fake.received.wait { $0.count == 100 }
            #expect(received == (0..<100).map { [$0, 1] })
            fake.stop()
        }

        @Test func `Without a daemon it's unsupported, and a survey says why`() async throws {
            let bus = try await PrivateBus()
            let (backend, driver) = started(bus)
            defer { driver.stop() }
            let sink = Sink()
            _ = backend.openSession(.central, sink: sink)
            try await sink.events.contains(.stateChanged(.unsupported))
            #expect(BlueZSurvey.take(address: bus.address) == .unavailable("bluetoothd doesn't run"))
            #expect(BlueZSurvey.take(address: "unix:path=/nowhere").isUnavailable)
            let fake = BusFake()
            try fake.start(on: bus.address)
            try await sink.events.contains(.stateChanged(.poweredOn))
            let adapter = BlueZSurvey.Adapter(
                name: "hci0", address: "00:AA:01:00:00:00", isPowered: true, takesServices: true,
                takesAdvertisements: true)
            #expect(BlueZSurvey.take(address: bus.address) == .adapters([adapter]))
            fake.stop()
        }
    }

    extension BlueZSurvey {
        fileprivate var isUnavailable: Bool {
            if case .unavailable = self { true } else { false }
        }
    }
#endif
