import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct NotifyTests {
    let band = CoreFixture.band
    let link = CoreFixture.link

    private func characteristic(_ properties: UInt8, end: AttributeHandle = 0x0014) -> RemoteCharacteristic {
        RemoteCharacteristic(uuid: 0xFFF1, properties: properties, declaration: 0x0011, value: 0x0012, end: end)
    }

    private func connected() -> (CoreFixture, SessionID, PeerID) {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        return (fixture, session, fixture.peer(band))
    }

    private let descriptors = GATTOutcome.descriptors([
        GATTDescriptor(handle: 0x0013, uuid: 0x2901), GATTDescriptor(handle: 0x0014, uuid: 0x2902),
    ])

    @Test(arguments: [(0x10, 1), (0x20, 2), (0x30, 1)] as [(UInt8, UInt8)])
    func `the CCCD is looked up and written, notifications before indications`(properties: UInt8, value: UInt8) {
        var (fixture, session, peer) = connected()
        let characteristic = characteristic(properties)
        fixture.perform(.setNotify(peer, characteristic, true), in: session)
        #expect(fixture.procedures == [.discoverDescriptors(0x0013...0x0014)])
        fixture.answer(.success(descriptors))
        #expect(fixture.procedures == [.write(0x0014, [value, 0])])
        fixture.answer(.success(.done))
        #expect(fixture.takeEvents(session) == [.notifyStateChanged(peer, characteristic, .success(true))])
    }

    @Test func `values count from the moment that the write leaves, in order with answers`() {
        var (fixture, session, peer) = connected()
        let characteristic = characteristic(0x10)
        fixture.perform(.setNotify(peer, characteristic, true), in: session)
        fixture.answer(.success(descriptors))
        fixture.host(.valueReceived(link, 0x0012, [7], indicated: false))
        fixture.answer(.success(.done))
        #expect(
            fixture.takeEvents(session) == [
                .valueNotified(peer, 0x0012, [7]), .notifyStateChanged(peer, characteristic, .success(true)),
            ])
    }

    @Test func `G12 values that nobody is subscribed to are dropped`() {
        var (fixture, session, _) = connected()
        fixture.host(.valueReceived(link, 0x0012, [7], indicated: false))
        #expect(fixture.takeEvents(session) == [])
    }

    @Test func `the state that is held already is answered at once`() {
        var (fixture, session, peer) = connected()
        let characteristic = characteristic(0x10)
        fixture.perform(.setNotify(peer, characteristic, false), in: session)
        #expect(fixture.takeEvents(session) == [.notifyStateChanged(peer, characteristic, .success(false))])
        #expect(fixture.procedures == [])
    }

    @Test func `neither property is an error`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.setNotify(peer, characteristic(0x02), true), in: session)
        guard case .notifyStateChanged(_, _, .failure(let error)) = fixture.takeEvents(session).last else {
            Issue.record("no failure")
            return
        }
        #expect(error.cause == .att(.requestNotSupported))
        #expect(fixture.procedures == [])
    }

    @Test(arguments: [AttributeHandle(0x0012), 0x0014])
    func `no CCCD is an error`(end: AttributeHandle) {
        var (fixture, session, peer) = connected()
        fixture.perform(.setNotify(peer, characteristic(0x10, end: end), true), in: session)
        if end > 0x0012 { fixture.answer(.success(.descriptors([GATTDescriptor(handle: 0x0013, uuid: 0x2901)]))) }
        guard case .notifyStateChanged(_, _, .failure(let error)) = fixture.takeEvents(session).last else {
            Issue.record("no failure")
            return
        }
        #expect(error.cause == .att(.attributeNotFound))
    }

    @Test func `a refused write leaves it off`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.setNotify(peer, characteristic(0x10), true), in: session)
        fixture.answer(.success(descriptors))
        fixture.answer(.failure(.att(.insufficientAuthentication)))
        fixture.host(.valueReceived(link, 0x0012, [7], indicated: false))
        let events = fixture.takeEvents(session)
        #expect(events.count == 1)
        guard case .notifyStateChanged(_, _, .failure(let error)) = events.first else {
            Issue.record("no failure")
            return
        }
        #expect(error.cause == .att(.insufficientAuthentication))
    }

    @Test func `one CCCD serves several sessions`() {
        var (fixture, first, peer) = connected()
        let characteristic = characteristic(0x10)
        let second = fixture.open(.central)
        fixture.perform(.connect(peer, ConnectOptions()), in: second)
        fixture.perform(.setNotify(peer, characteristic, true), in: first)
        fixture.answer(.success(descriptors))
        fixture.answer(.success(.done))
        fixture.discard()

        fixture.perform(.setNotify(peer, characteristic, true), in: second)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(second) == [.notifyStateChanged(peer, characteristic, .success(true))])

        fixture.perform(.setNotify(peer, characteristic, false), in: first)
        #expect(fixture.takeCommands() == [])
        fixture.host(.valueReceived(link, 0x0012, [7], indicated: false))
        #expect(fixture.takeEvents(first) == [.notifyStateChanged(peer, characteristic, .success(false))])
        #expect(fixture.takeEvents(second) == [.valueNotified(peer, 0x0012, [7])])

        fixture.perform(.setNotify(peer, characteristic, false), in: second)
        #expect(fixture.procedures == [.write(0x0014, [0, 0])])
        fixture.answer(.success(.done))
        #expect(fixture.takeEvents(second) == [.notifyStateChanged(peer, characteristic, .success(false))])
    }

    @Test func `a session that leaves a link that stays unsubscribes`() {
        var (fixture, first, peer) = connected()
        let second = fixture.open(.central)
        fixture.perform(.connect(peer, ConnectOptions()), in: second)
        fixture.perform(.setNotify(peer, characteristic(0x10), true), in: first)
        fixture.answer(.success(descriptors))
        fixture.answer(.success(.done))
        fixture.discard()
        fixture.perform(.disconnect(peer), in: first)
        #expect(fixture.procedures == [.write(0x0014, [0, 0])])
    }

    @Test func `subscriptions don't survive a connection`() {
        var (fixture, session, peer) = connected()
        let characteristic = characteristic(0x10)
        fixture.perform(.setNotify(peer, characteristic, true), in: session)
        fixture.answer(.success(descriptors))
        fixture.answer(.success(.done))
        fixture.host(.disconnected(link, band, reason: .connectionTimeout))
        fixture.connect(session)
        fixture.perform(.setNotify(peer, characteristic, true), in: session)
        #expect(fixture.procedures == [.discoverDescriptors(0x0013...0x0014)])
    }
}
