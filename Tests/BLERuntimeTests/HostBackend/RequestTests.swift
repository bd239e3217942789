import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct RequestTests {
    let phone = CoreFixture.lock
    let link = CoreFixture.link
    let value = PublishingTests.value
    let request = GATTRequestID(rawValue: 77)

    /// A service at 0x0010 whose value is at 0x0012, and a central.
    private func served(properties: UInt16 = 0x1A) -> (CoreFixture, SessionID, CentralInfo) {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(PublishingTests.local(properties: properties)), in: session)
        fixture.layOut(0x0010)
        fixture.connectCentral(phone, link: link)
        fixture.discard()
        return (fixture, session, CentralInfo(id: fixture.peer(phone), maximumUpdateValueLength: 20))
    }

    /// The identifier of the request that a session was told last.
    private func identifier(_ fixture: CoreFixture, _ session: SessionID) -> RequestID? {
        switch fixture.takeEvents(session).last {
        case .readRequest(let id, _, _, _), .writeRequests(let id, _, _): id
        default: nil
        }
    }

    @Test func `a read is asked of the program and answered once`() throws {
        var (fixture, session, central) = served()
        fixture.host(.readRequested(link, request, 0x0012, offset: 22))
        let events = fixture.takeEvents(session)
        guard case .readRequest(let id, central, value, offset: 22) = events.last else {
            Issue.record("not asked")
            return
        }
        fixture.perform(.respond(id, .success, value: [1, 2]), in: session)
        #expect(fixture.takeCommands() == [.respond(link, request, .success, value: [1, 2])])
        fixture.perform(.respond(id, .success, value: [3]), in: session)
        #expect(fixture.takeCommands() == [])
    }

    @Test func `writes that belong together are one event and one answer`() {
        var (fixture, session, central) = served()
        let writes = [
            GATTWrite(handle: 0x0012, offset: 0, value: [1]), GATTWrite(handle: 0x0012, offset: 1, value: [2]),
        ]
        fixture.host(.writeRequested(link, request, writes, needsResponse: true))
        let events = fixture.takeEvents(session)
        guard case .writeRequests(let id, central, let parts) = events.last, events.count == 1 else {
            Issue.record("not asked")
            return
        }
        #expect(parts.map(\.offset) == [0, 1])
        fixture.perform(.respond(id, .invalidOffset, value: nil), in: session)
        #expect(fixture.takeCommands() == [.respond(link, request, .invalidOffset, value: [])])
    }

    @Test func `the answer to a command is dropped`() throws {
        var (fixture, session, _) = served(properties: 0x04)
        let write = GATTWrite(handle: 0x0012, offset: 0, value: [1])
        fixture.host(.writeRequested(link, request, [write], needsResponse: false))
        let id = try #require(identifier(fixture, session))
        fixture.perform(.respond(id, .success, value: nil), in: session)
        #expect(fixture.takeCommands() == [])
    }

    @Test(arguments: [true, false])
    func `the kind of write that isn't offered doesn't reach the program`(needsResponse: Bool) {
        var (fixture, session, _) = served(properties: needsResponse ? 0x04 : 0x08)
        let write = GATTWrite(handle: 0x0012, offset: 0, value: [1])
        fixture.host(.writeRequested(link, request, [write], needsResponse: needsResponse))
        #expect(fixture.takeEvents(session) == [])
        #expect(
            fixture.takeCommands() == (needsResponse ? [.respond(link, request, .writeNotPermitted, value: [])] : []))
    }

    @Test(arguments: [
        (ATTErrorCode.success, ATTErrorCode.success, ATTErrorCode.success),
        (.success, .invalidOffset, .invalidOffset), (.unlikelyError, .invalidOffset, .unlikelyError),
    ])
    func `writes for two programs are answered when both have`(
        first: ATTErrorCode, second: ATTErrorCode, answer: ATTErrorCode
    ) throws {
        var (fixture, session, _) = served()
        let other = fixture.open(.peripheral)
        let service = PublishingTests.local(
            0xFFE0, id: LocalAttributeID(rawValue: 8), value: LocalAttributeID(rawValue: 9))
        fixture.perform(.addService(service), in: other)
        fixture.layOut(0x0020)
        fixture.discard()
        let writes = [
            GATTWrite(handle: 0x0012, offset: 0, value: [1]), GATTWrite(handle: 0x0022, offset: 0, value: [2]),
        ]
        fixture.host(.writeRequested(link, request, writes, needsResponse: true))
        let ids = try (#require(identifier(fixture, session)), #require(identifier(fixture, other)))
        fixture.perform(.respond(ids.0, first, value: nil), in: session)
        #expect(fixture.takeCommands() == [])
        fixture.perform(.respond(ids.1, second, value: nil), in: other)
        #expect(fixture.takeCommands() == [.respond(link, request, answer, value: [])])
    }

    @Test func `a program that goes leaves no central waiting`() {
        var (fixture, session, _) = served()
        fixture.host(.readRequested(link, request, 0x0012, offset: 0))
        fixture.close(session)
        #expect(fixture.takeCommands().first == .respond(link, request, .unlikelyError, value: []))
    }

    @Test func `requests of a link that has ended aren't answered`() throws {
        var (fixture, session, _) = served()
        fixture.host(.readRequested(link, request, 0x0012, offset: 0))
        let id = try #require(identifier(fixture, session))
        fixture.host(.disconnected(link, phone, reason: .remoteUserTerminated))
        fixture.perform(.respond(id, .success, value: [1]), in: session)
        #expect(fixture.takeCommands() == [])
    }

    @Test func `subscribing and unsubscribing are told once each`() {
        var (fixture, session, central) = served()
        fixture.host(.subscriptionChanged(link, 0x0012, .notifications))
        fixture.host(.subscriptionChanged(link, 0x0012, [.notifications, .indications]))
        fixture.host(.subscriptionChanged(link, 0x0012, []))
        fixture.host(.subscriptionChanged(link, 0x0012, []))
        #expect(
            fixture.takeEvents(session) == [
                .subscribed(central: central, value), .unsubscribed(central: central, value),
            ])
        #expect(fixture.changes == [.subscribers(value, [central.id]), .subscribers(value, [])])
    }

    @Test func `a central that goes away is no subscriber any more`() {
        var (fixture, session, central) = served()
        fixture.host(.subscriptionChanged(link, 0x0012, .indications))
        fixture.discard()
        fixture.host(.disconnected(link, phone, reason: .connectionTimeout))
        #expect(fixture.takeEvents(session) == [.unsubscribed(central: central, value)])
    }

    @Test func `switching the radio off ends subscriptions before the state is told`() {
        var (fixture, session, central) = served()
        fixture.host(.subscriptionChanged(link, 0x0012, .notifications))
        fixture.discard()
        fixture.core.perform(.condition(.off))
        fixture.host(.stateChanged(.poweredOff))
        #expect(
            fixture.takeEvents(session) == [.unsubscribed(central: central, value), .stateChanged(.poweredOff)])
    }

    // MARK: - Updates

    private func sends(_ fixture: inout CoreFixture) -> [(token: OperationToken, value: [UInt8], indicate: Bool)] {
        fixture.takeCommands().compactMap { command in
            guard case .sendValue(_, let token, _, let value, let indicate) = command else { return nil }
            return (token, value, indicate)
        }
    }

    @Test(
        arguments: [
            (.notifications, false), (.indications, true), ([.notifications, .indications], false),
        ] as [(ClientConfiguration, Bool)])
    func `values are sent as the central configured`(configuration: ClientConfiguration, indicate: Bool) {
        var (fixture, session, _) = served()
        fixture.host(.subscriptionChanged(link, 0x0012, configuration))
        fixture.discard()
        fixture.update([1, 2], of: value, in: session)
        let sent = sends(&fixture)
        #expect(sent.map(\.value) == [[1, 2]])
        #expect(sent.map(\.indicate) == [indicate])
    }

    @Test(arguments: [(50, 47), (515, 512), (517, 512)])
    func `a value is cut to what fits, and to what a value may have`(mtu: Int, length: Int) {
        var (fixture, session, _) = served()
        fixture.host(.subscriptionChanged(link, 0x0012, .notifications))
        fixture.host(.attMTUChanged(link, mtu))
        fixture.discard()
        fixture.update(Array(repeating: 7, count: 600), of: value, in: session)
        #expect(sends(&fixture).map(\.value) == [Array(repeating: 7, count: length)])
    }

    @Test func `an update leaves its place when it was sent to every central`() {
        var (fixture, session, _) = served()
        let second = ConnectionHandle(rawValue: 2)
        fixture.connectCentral(CoreFixture.band, link: second)
        fixture.host(.subscriptionChanged(link, 0x0012, .notifications))
        fixture.host(.subscriptionChanged(second, 0x0012, .indications))
        fixture.discard()
        fixture.update([1], of: value, in: session)
        let sent = sends(&fixture)
        #expect(sent.count == 2)
        fixture.host(.valueSent(link, sent[0].token, nil))
        #expect(fixture.changes == [])
        fixture.host(.valueSent(second, sent[1].token, .disconnected(.connectionTimeout)))
        #expect(fixture.changes == [.updateLeft(session)])
    }

    @Test func `an update goes only to those that are named`() {
        var (fixture, session, central) = served()
        let second = ConnectionHandle(rawValue: 2)
        fixture.connectCentral(CoreFixture.band, link: second)
        fixture.host(.subscriptionChanged(link, 0x0012, .notifications))
        fixture.host(.subscriptionChanged(second, 0x0012, .notifications))
        fixture.discard()
        fixture.update([1], of: value, centrals: [central.id], in: session)
        #expect(sends(&fixture).count == 1)
    }

    @Test func `an update that comes when nobody is subscribed any more leaves its place at once`() {
        var (fixture, session, _) = served()
        fixture.update([1], of: value, in: session)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.changes == [.updateLeft(session)])
    }
}
