import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct OperationTests {
    let band = CoreFixture.band
    let link = CoreFixture.link
    let service = RemoteService(uuid: 0xFFF0, isPrimary: true, handles: 0x0010...0x001F)

    /// Connected, with the policies after connecting off.
    private func connected() -> (CoreFixture, SessionID, PeerID) {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        return (fixture, session, fixture.peer(band))
    }

    @Test func `operations of a link run one after the other`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.read(peer, 0x0012), in: session)
        fixture.perform(.read(peer, 0x0014), in: session)
        #expect(fixture.procedures == [.readLong(0x0012)])
        fixture.answer(.success(.value([1])))
        #expect(fixture.takeEvents(session) == [.valueRead(peer, 0x0012, .success([1]))])
        #expect(fixture.procedures == [.readLong(0x0014)])
    }

    @Test func `an ATT error is the answer`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.read(peer, 0x0012), in: session)
        fixture.answer(.failure(.att(.readNotPermitted)))
        guard case .valueRead(_, _, .failure(let error)) = fixture.takeEvents(session).last else {
            Issue.record("no failure")
            return
        }
        #expect(error.cause == .att(.readNotPermitted))
    }

    @Test func `GAP and GATT service are never shown`() {
        var (fixture, session, peer) = connected()
        let found = [
            GATTService(handles: 0x0001...0x0007, uuid: 0x1800), GATTService(handles: 0x0008...0x000F, uuid: 0x1801),
            GATTService(handles: 0x0010...0x001F, uuid: 0xFFF0),
        ]
        fixture.perform(.discoverServices(peer, filter: nil), in: session)
        #expect(fixture.procedures == [.discoverServices(nil)])
        fixture.answer(.success(.services(found)))
        #expect(fixture.takeEvents(session) == [.servicesDiscovered(peer, .success([service]))])
        fixture.perform(.discoverServices(peer, filter: [0x1800]), in: session)
        fixture.answer(.success(.services([found[0]])))
        #expect(fixture.takeEvents(session) == [.servicesDiscovered(peer, .success([]))])
    }

    @Test func `one service is looked up, of several all are read`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.discoverServices(peer, filter: [0xFFF0]), in: session)
        #expect(fixture.procedures == [.discoverServices(0xFFF0)])
        fixture.answer(.success(.services([])))
        fixture.perform(.discoverServices(peer, filter: [0xFFF0, 0xFFE0]), in: session)
        #expect(fixture.procedures == [.discoverServices(nil)])
        fixture.answer(
            .success(
                .services([
                    GATTService(handles: 0x0010...0x001F, uuid: 0xFFF0),
                    GATTService(handles: 0x0020...0x002F, uuid: 0x180D),
                ])))
        #expect(fixture.takeEvents(session).last == .servicesDiscovered(peer, .success([service])))
    }

    @Test func `a characteristic ends before the next one`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.discoverCharacteristics(peer, of: service, filter: [0xFFF1]), in: session)
        #expect(fixture.procedures == [.discoverCharacteristics(0x0010...0x001F)])
        fixture.answer(
            .success(
                .characteristics([
                    GATTCharacteristic(declaration: 0x0011, value: 0x0012, properties: 0x12, uuid: 0xFFF1),
                    GATTCharacteristic(declaration: 0x0014, value: 0x0015, properties: 0x0A, uuid: 0xFFF2),
                    GATTCharacteristic(declaration: 0x0017, value: 0x0018, properties: 0x02, uuid: 0xFFF1),
                ])))
        let expected = [
            RemoteCharacteristic(uuid: 0xFFF1, properties: 0x12, declaration: 0x0011, value: 0x0012, end: 0x0013),
            RemoteCharacteristic(uuid: 0xFFF1, properties: 0x02, declaration: 0x0017, value: 0x0018, end: 0x001F),
        ]
        #expect(fixture.takeEvents(session) == [.characteristicsDiscovered(peer, of: service, .success(expected))])
    }

    @Test func `a characteristic without room for descriptors has none`() {
        var (fixture, session, peer) = connected()
        let characteristic = RemoteCharacteristic(
            uuid: 0xFFF1, properties: 0x02, declaration: 0x0011, value: 0x0012, end: 0x0012)
        fixture.perform(.discoverDescriptors(peer, of: characteristic), in: session)
        #expect(fixture.procedures == [])
        #expect(fixture.takeEvents(session) == [.descriptorsDiscovered(peer, of: characteristic, .success([]))])
    }

    @Test func `whether an included service is primary is found out`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.discoverIncludedServices(peer, of: service, filter: nil), in: session)
        let includes = [
            GATTIncludedService(
                declaration: 0x0011, service: GATTService(handles: 0x0020...0x0023, uuid: 0xFFE0)),
            GATTIncludedService(
                declaration: 0x0012, service: GATTService(handles: 0x0030...0x0033, uuid: 0xFFD0)),
        ]
        fixture.answer(.success(.includedServices(includes)))
        #expect(fixture.procedures == [.discoverDescriptors(0x0020...0x0020)])
        fixture.answer(.success(.descriptors([GATTDescriptor(handle: 0x0020, uuid: 0x2801)])))
        fixture.answer(.success(.descriptors([GATTDescriptor(handle: 0x0030, uuid: 0x2800)])))
        let expected = [
            RemoteService(uuid: 0xFFE0, isPrimary: false, handles: 0x0020...0x0023),
            RemoteService(uuid: 0xFFD0, isPrimary: true, handles: 0x0030...0x0033),
        ]
        #expect(fixture.takeEvents(session) == [.includedServicesDiscovered(peer, of: service, .success(expected))])
    }

    @Test func `a short write is one request, a long one is prepared`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.write(peer, 0x0012, Array(repeating: 7, count: 20)), in: session)
        #expect(fixture.procedures == [.write(0x0012, Array(repeating: 7, count: 20))])
        fixture.answer(.success(.done))
        fixture.perform(.write(peer, 0x0012, Array(repeating: 7, count: 21)), in: session)
        #expect(fixture.procedures == [.writeLong(0x0012, Array(repeating: 7, count: 21))])
        fixture.answer(.success(.done))
        #expect(fixture.takeEvents(session) == [.written(peer, 0x0012, nil), .written(peer, 0x0012, nil)])
    }

    @Test func `more than 512 octets are never written`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.write(peer, 0x0012, Array(repeating: 7, count: 513)), in: session)
        #expect(fixture.procedures == [])
        guard case .written(_, _, let error?) = fixture.takeEvents(session).last else {
            Issue.record("no failure")
            return
        }
        #expect(error.cause == .att(.invalidAttributeValueLength))
    }

    @Test func `a write without response passes a request that has left`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.read(peer, 0x0012), in: session)
        fixture.perform(.writeWithoutResponse(peer, 0x0014, [1]), in: session)
        #expect(fixture.procedures == [.readLong(0x0012), .writeWithoutResponse(0x0014, [1])])
    }

    @Test func `a write without response waits behind what waits`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.read(peer, 0x0012), in: session)
        fixture.perform(.write(peer, 0x0014, [1]), in: session)
        fixture.perform(.writeWithoutResponse(peer, 0x0014, [2]), in: session)
        #expect(fixture.procedures == [.readLong(0x0012)])
        fixture.answer(.success(.value([])))
        #expect(fixture.procedures == [.write(0x0014, [1])])
    }

    @Test func `a write without response that has no place is dropped and traced`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.writeWithoutResponse(peer, 0x0014, [1]), in: session, hasPlace: false)
        #expect(fixture.procedures == [])
        #expect(fixture.traces.last?.level == .warning)
    }

    @Test func `a write without response that is too long is cut and traced`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.writeWithoutResponse(peer, 0x0014, Array(repeating: 7, count: 30)), in: session)
        #expect(fixture.procedures == [.writeWithoutResponse(0x0014, Array(repeating: 7, count: 20))])
        #expect(fixture.traces.last?.level == .warning)
    }

    @Test func `its place is free when it has left`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.writeWithoutResponse(peer, 0x0014, [1]), in: session)
        #expect(fixture.changes == [])
        fixture.answer(.success(.done))
        #expect(fixture.changes == [.writeLeft(peer)])
    }

    @Test func `what a session asked for is dropped when it leaves a link that stays`() {
        var (fixture, first, peer) = connected()
        let second = fixture.open(.central)
        fixture.perform(.connect(peer, ConnectOptions()), in: second)
        fixture.perform(.read(peer, 0x0012), in: second)
        fixture.perform(.read(peer, 0x0014), in: first)
        fixture.perform(.read(peer, 0x0016), in: second)
        fixture.perform(.disconnect(peer), in: second)
        _ = fixture.takeEvents(second)
        fixture.answer(.success(.value([1])))
        #expect(fixture.procedures == [.readLong(0x0014)])
        fixture.answer(.success(.value([2])))
        #expect(fixture.procedures == [])
        #expect(fixture.takeEvents(second) == [])
        #expect(fixture.takeEvents(first) == [.valueRead(peer, 0x0014, .success([2]))])
    }

    @Test func `nothing is answered after the link has ended`() {
        var (fixture, session, peer) = connected()
        fixture.perform(.read(peer, 0x0012), in: session)
        guard case .gatt(_, let token, _) = fixture.takeCommands().last else { return }
        fixture.host(.disconnected(link, band, reason: .remoteUserTerminated))
        _ = fixture.takeEvents(session)
        fixture.host(.gattCompleted(link, token, .failure(.disconnected(.remoteUserTerminated))))
        fixture.perform(.read(peer, 0x0012), in: session)
        #expect(fixture.takeEvents(session) == [])
        #expect(fixture.takeCommands() == [])
    }
}
