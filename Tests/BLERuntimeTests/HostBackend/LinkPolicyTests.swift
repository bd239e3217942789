import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct LinkPolicyTests {
    let band = CoreFixture.band
    let link = CoreFixture.link

    private func connecting(_ change: (inout PhoneProfile) -> Void = { _ in }) -> (CoreFixture, SessionID, PeerID) {
        var (fixture, session) = CoreFixture.on(.central, policies: true, change)
        let peer = fixture.peer(band)
        fixture.perform(.connect(peer, ConnectOptions()), in: session)
        fixture.discard()
        fixture.host(.connected(.made(link, band)))
        _ = fixture.takeEvents(session)
        return (fixture, session, peer)
    }

    /// Answers everything up to the subscription to Service Changed at 0x000A.
    private func answerAll(_ fixture: inout CoreFixture, name: String = "Band") {
        fixture.answer(.success(.mtu(185)))
        fixture.answer(.success(.values([GATTHandleValue(handle: 0x0003, value: Array(name.utf8))])))
        fixture.answer(.success(.services([GATTService(handles: 0x0008...0x000F, uuid: 0x1801)])))
        fixture.answer(
            .success(
                .characteristics([
                    GATTCharacteristic(declaration: 0x0009, value: 0x000A, properties: 0x20, uuid: 0x2A05)
                ])))
        fixture.answer(.success(.descriptors([GATTDescriptor(handle: 0x000B, uuid: 0x2902)])))
        fixture.answer(.success(.done))
    }

    @Test func `the MTU is exchanged at once, then the name is read and Service Changed subscribed to`() {
        var (fixture, session, peer) = connecting()
        #expect(fixture.procedures == [.exchangeMTU(517)])
        fixture.answer(.success(.mtu(185)))
        #expect(fixture.procedures == [.readByUUID(0x2A00, .first ... .last)])
        fixture.answer(.success(.values([GATTHandleValue(handle: 0x0003, value: Array("Band".utf8))])))
        #expect(fixture.takeEvents(session) == [.nameChanged(peer, "Band")])
        #expect(fixture.procedures == [.discoverServices(0x1801)])
        fixture.answer(.success(.services([GATTService(handles: 0x0008...0x000F, uuid: 0x1801)])))
        #expect(fixture.procedures == [.discoverCharacteristics(0x0008...0x000F)])
        fixture.answer(
            .success(
                .characteristics([
                    GATTCharacteristic(declaration: 0x0009, value: 0x000A, properties: 0x20, uuid: 0x2A05),
                    GATTCharacteristic(declaration: 0x000C, value: 0x000D, properties: 0x02, uuid: 0x2B2A),
                ])))
        #expect(fixture.procedures == [.discoverDescriptors(0x000B...0x000B)])
        fixture.answer(.success(.descriptors([GATTDescriptor(handle: 0x000B, uuid: 0x2902)])))
        #expect(fixture.procedures == [.write(0x000B, [2, 0])])
        fixture.answer(.success(.done))
        #expect(fixture.procedures == [])
        #expect(fixture.takeEvents(session) == [])
    }

    @Test func `operations of programs go before all but the exchange`() {
        var (fixture, session, peer) = connecting()
        fixture.perform(.discoverServices(peer, filter: nil), in: session)
        fixture.perform(.read(peer, 0x0012), in: session)
        fixture.answer(.success(.mtu(185)))
        #expect(fixture.procedures == [.discoverServices(nil)])
        fixture.answer(.success(.services([])))
        #expect(fixture.procedures == [.readLong(0x0012)])
        fixture.answer(.success(.value([])))
        #expect(fixture.procedures == [.readByUUID(0x2A00, .first ... .last)])
        fixture.perform(.read(peer, 0x0014), in: session)
        fixture.answer(.failure(.att(.attributeNotFound)))
        #expect(fixture.procedures == [.readLong(0x0014)])
    }

    @Test func `a write without response that is too long for now waits for the exchange`() {
        var (fixture, session, peer) = connecting()
        let value: [UInt8] = Array(repeating: 7, count: 100)
        fixture.perform(.writeWithoutResponse(peer, 0x0014, value), in: session)
        #expect(fixture.procedures == [.exchangeMTU(517)])
        guard case .gatt(_, let token, _) = fixture.takeCommands().last else { return }
        fixture.host(.attMTUChanged(link, 185))
        fixture.host(.gattCompleted(link, token, .success(.mtu(185))))
        #expect(fixture.procedures.first == .writeWithoutResponse(0x0014, value))
    }

    @Test func `errors are traced and change nothing`() {
        var (fixture, session, _) = connecting()
        for _ in 0..<3 { fixture.answer(.failure(.att(.requestNotSupported))) }
        #expect(fixture.procedures == [])
        #expect(fixture.takeEvents(session) == [])
        #expect(fixture.traces.filter { $0.layer == "gatt" }.count == 3)
    }

    @Test func `a name that was known isn't told again`() {
        var (fixture, session) = CoreFixture.on(.central, policies: true)
        let peer = fixture.peer(band)
        fixture.store.setAdvertisedName("Band", of: peer)
        fixture.perform(.connect(peer, ConnectOptions()), in: session)
        fixture.host(.connected(.made(link, band)))
        fixture.discard()
        // The exchange was looked away; the fixture answers what is asked for next.
        fixture.host(.gattCompleted(link, OperationToken(rawValue: 1), .success(.mtu(185))))
        fixture.answer(.success(.values([GATTHandleValue(handle: 0x0003, value: Array("Band".utf8))])))
        #expect(fixture.takeEvents(session) == [])
    }

    @Test func `settings turn each of it off`() {
        let (fixture, _, _) = connecting {
            $0.exchangesMTU = false
            $0.readsDeviceName = false
        }
        #expect(fixture.procedures == [.discoverServices(0x1801)])
    }

    @Test func `the new MTU is told to sessions of both roles`() {
        var (fixture, session, peer) = connecting()
        let peripheral = fixture.open(.peripheral)
        fixture.discard()
        fixture.host(.attMTUChanged(link, 185))
        #expect(fixture.takeEvents(session) == [.attMTUChanged(peer, 185)])
        #expect(fixture.takeEvents(peripheral) == [.attMTUChanged(peer, 185)])
        #expect(fixture.changes == [.mtu(peer, 185)])
    }

    @Test func `Service Changed tells of the services that are gone`() {
        var (fixture, session, peer) = connecting()
        answerAll(&fixture)
        _ = fixture.takeEvents(session)
        fixture.host(.valueReceived(link, 0x000A, [0x10, 0x00, 0x1F, 0x00], indicated: true))
        #expect(fixture.takeEvents(session) == [.servicesModified(peer, 0x0010...0x001F)])
    }

    @Test(arguments: [[], [0x10, 0x00, 0x0F, 0x00], [1, 2, 3]] as [[UInt8]])
    func `Service Changed that can't be read is about everything`(value: [UInt8]) {
        var (fixture, session, peer) = connecting()
        answerAll(&fixture)
        _ = fixture.takeEvents(session)
        fixture.host(.valueReceived(link, 0x000A, value, indicated: true))
        #expect(fixture.takeEvents(session) == [.servicesModified(peer, .first ... .last)])
    }

    @Test func `after a change of everything name and Service Changed are looked up again`() {
        var (fixture, session, _) = connecting()
        answerAll(&fixture)
        _ = (fixture.takeEvents(session), fixture.takeCommands())
        fixture.host(.valueReceived(link, 0x000A, [0x01, 0x00, 0xFF, 0xFF], indicated: true))
        #expect(fixture.procedures == [.readByUUID(0x2A00, .first ... .last)])
        fixture.answer(.success(.values([GATTHandleValue(handle: 0x0003, value: Array("New".utf8))])))
        #expect(fixture.procedures == [.discoverServices(0x1801)])
        #expect(fixture.takeEvents(session).last == .nameChanged(fixture.peer(band), "New"))
    }

    @Test func `a name that is notified is told`() {
        var (fixture, session, peer) = connecting()
        answerAll(&fixture)
        _ = fixture.takeEvents(session)
        fixture.host(.valueReceived(link, 0x0003, Array("Band 2".utf8), indicated: false))
        #expect(fixture.takeEvents(session) == [.nameChanged(peer, "Band 2")])
        #expect(fixture.store.name(of: peer) == "Band 2")
    }

    @Test func `a link that a central made isn't looked into`() {
        var (fixture, _) = CoreFixture.on(.peripheral, policies: true)
        fixture.connectCentral(band, link: link)
        #expect(fixture.procedures == [])
    }
}
