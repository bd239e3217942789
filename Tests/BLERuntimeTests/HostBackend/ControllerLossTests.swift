import BLEBackend
import BLERuntime
import BLETestSupport
import BLEWire
import Testing

/// A controller is lost in the middle of a discovery: managers go through `resetting` to `poweredOn`, and can go on with
/// what they know. [contract 7, 10, 11, 13]
@Suite struct ControllerLossTests {
    /// The ways to lose a controller.
    enum Loss: CaseIterable, Sendable {
        case hardwareError, silence, closedTransport
    }

    /// Loses the controller that a session is on; it answers again a little later. `command` is one that the host needs
    /// the controller for.
    private func lose(_ loss: Loss, of session: RadioSession, by command: BackendCommand, on radio: RadioFixture) {
        switch loss {
        case .hardwareError:
            radio.inject(HCIHardwareError(code: 9).packet(), into: session.device)
        case .silence:
            radio.setTransport(.silent, of: session.device)
            session.perform(command)
            // The command's two seconds, and a part of those of the first attempt to reset the controller.
            radio.run(for: .seconds(3))
            radio.setTransport(.open, of: session.device)
        case .closedTransport:
            radio.setTransport(.closed, of: session.device)
            radio.run(for: .seconds(1))
            radio.setTransport(.open, of: session.device)
        }
    }

    private func states(_ events: [BackendEvent]) -> [AdapterState] {
        events.compactMap { if case .stateChanged(let state) = $0 { state } else { nil } }
    }

    /// Finds the module by a scan, connects, looks its service up and reads its value.
    private func goOn(_ pair: HostBackendTests.Pair, value: [UInt8]) throws {
        let peer = pair.peer
        /// Lets the module answer until the phone is told what is wanted; nothing may be told of the radio's state.
        func next<Result>(_ match: (BackendEvent) -> Result?) throws -> Result {
            var result: Result?
            pair.radio.run(atMost: .seconds(30)) {
                for case .readRequest(let id, _, HostBackendTests.data, _) in pair.peripheral.sink.take() {
                    pair.peripheral.perform(.respond(id, .success, value: value))
                }
                let events = pair.central.sink.take()
                #expect(states(events) == [])
                result = result ?? events.compactMap(match).first
                return result != nil
            }
            return try #require(result)
        }
        pair.central.perform(.startScan(ScanRequest(services: [0xFFE0])))
        // It is who it was.
        try next { if case .discovered(peer, _, _, _) = $0 { () } else { nil } }
        pair.central.perform(.stopScan)
        pair.central.perform(.connect(peer, ConnectOptions()))
        try next { $0 == .connected(peer) ? () : nil }
        pair.central.perform(.discoverServices(peer, filter: [0xFFE0]))
        let services = try next { if case .servicesDiscovered(peer, let found) = $0 { found } else { nil } }.get()
        let service = try #require(services.first)
        pair.central.perform(.discoverCharacteristics(peer, of: service, filter: [0xFFE1]))
        let characteristics = try next { event in
            if case .characteristicsDiscovered(peer, service, let found) = event { found } else { nil }
        }.get()
        let data = try #require(characteristics.first)
        pair.central.perform(.read(peer, data.value))
        let read = try next { if case .valueRead(peer, data.value, let read) = $0 { read } else { nil } }.get()
        #expect(read == value)
    }

    @Test(arguments: Loss.allCases) func `a central goes on where its controller is lost in a discovery`(
        loss: Loss
    ) throws {
        let pair = try HostBackendTests.Pair()
        pair.central.perform(.discoverServices(pair.peer, filter: nil))
        // The request is with the controller; the answer takes an interval at least.
        pair.radio.run(for: .milliseconds(1))
        lose(loss, of: pair.central, by: .readRSSI(pair.peer), on: pair.radio)
        pair.radio.run(for: .seconds(3))
        let reset = BackendError(.connectionFailed, underlying: "the controller was reset")
        #expect(
            pair.central.sink.take() == [
                .disconnected(pair.peer, reset, reconnecting: false), .stateChanged(.resetting),
                .stateChanged(.poweredOn),
            ])
        #expect(pair.phone.backend.knownPeers([pair.peer]) == [KnownPeer(id: pair.peer, name: "Module")])
        // The module was never without Bluetooth.
        #expect(states(pair.peripheral.sink.take()) == [])
        try goOn(pair, value: [1, 2, 3])
    }

    @Test(arguments: Loss.allCases) func `a peripheral goes on where its controller is lost while it is discovered`(
        loss: Loss
    ) throws {
        let pair = try HostBackendTests.Pair()
        pair.subscribe()
        pair.central.perform(.discoverServices(pair.peer, filter: nil))
        pair.radio.run(for: .milliseconds(1))
        lose(loss, of: pair.peripheral, by: .stopAdvertising, on: pair.radio)
        pair.radio.run(for: .seconds(3))
        let events = pair.peripheral.sink.take()
        #expect(states(events) == [.resetting, .poweredOn])
        let unsubscribed = events.filter {
            if case .unsubscribed(_, HostBackendTests.data) = $0 { true } else { false }
        }
        #expect(unsubscribed.count == 1)
        // The services are gone and have to be added again. [contract 13]
        pair.peripheral.perform(.addService(HostBackendTests.published))
        pair.peripheral.perform(.startAdvertising(AdvertisingRequest(localName: "HMSoft", services: [0xFFE0])))
        // The central has lost the link by its supervision time-out.
        let lost = pair.radio.run(atMost: .seconds(30)) {
            pair.central.sink.take().contains { event in
                if case .disconnected(pair.peer, .some, reconnecting: false) = event { true } else { false }
            }
        }
        #expect(lost)
        #expect(
            pair.peripheral.sink.take().prefix(2) == [
                .serviceAdded(HostBackendTests.service, nil), .advertisingStarted(nil),
            ])
        try goOn(pair, value: [4, 5])
    }

    @Test(arguments: Loss.allCases) func `other sessions of the device are told the same, and the other device nothing`(
        loss: Loss
    ) throws {
        let pair = try HostBackendTests.Pair()
        let other = pair.phone.open(.central)
        let own = pair.phone.open(.peripheral)
        pair.radio.run(for: .milliseconds(10))
        own.perform(.addService(HostBackendTests.published))
        own.perform(.startAdvertising(AdvertisingRequest(localName: "Phone")))
        other.perform(.startScan(ScanRequest()))
        pair.radio.run(for: .seconds(1))
        for session in [other, own] { _ = session.sink.take() }
        lose(loss, of: pair.central, by: .readRSSI(pair.peer), on: pair.radio)
        pair.radio.run(for: .seconds(3))
        for session in [other, own] { #expect(states(session.sink.take()) == [.resetting, .poweredOn]) }
        own.perform(.addService(HostBackendTests.published))
        own.perform(.startAdvertising(AdvertisingRequest(localName: "Phone")))
        pair.radio.run(for: .seconds(1))
        #expect(own.sink.take() == [.serviceAdded(HostBackendTests.service, nil), .advertisingStarted(nil)])
        #expect(states(pair.peripheral.sink.take()) == [])
    }
}
