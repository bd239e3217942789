import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

/// L2CAP channels between sessions and the host. [contract 117-122]
@Suite struct ChannelTests {
    private static let own = ChannelIdentifier(rawValue: 0x0040)

    /// A central session with a channel to PSM 0x80 whose peer takes SDUs of 1000 octets.
    private struct Opened {
        var fixture: CoreFixture
        let session: SessionID
        let pipe: ChannelPipe

        init(_ change: (inout PhoneProfile) -> Void = { _ in }) throws {
            var (fixture, session) = CoreFixture.on(.central, change)
            fixture.connect(session)
            let peer = fixture.peer(CoreFixture.band)
            fixture.perform(.openChannel(peer, psm: 0x80), in: session)
            let asked = fixture.takeCommands()
            guard case .channel(CoreFixture.link, .open(let token, 0x80))? = asked.first else {
                throw HostError.cancelled
            }
            let info = ChannelInfo(channel: ChannelTests.own, spsm: 0x80, mtu: 1000)
            fixture.host(.channel(CoreFixture.link, .opened(info, token)))
            guard case .channelOpened(peer, 0x80, .success(let pipe))? = fixture.takeEvents(session).first else {
                throw HostError.cancelled
            }
            self.fixture = fixture
            self.session = session
            self.pipe = pipe
        }

        /// Lets the backend look at what the program did; what the host is asked for.
        mutating func serve() -> [ChannelCommand] {
            fixture.serve(ChannelNumber(rawValue: 1))
            return taken()
        }

        mutating func taken() -> [ChannelCommand] {
            fixture.takeCommands().compactMap { if case .channel(_, let command) = $0 { command } else { nil } }
        }
    }

    @Test func `publishes the first free PSM, and lets the host listen to it`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.publishChannel(encrypted: true), in: session)
        #expect(fixture.takeCommands() == [.listen(spsm: 0xC1, ChannelListener(needsEncryption: true))])
        #expect(fixture.takeEvents(session) == [.channelPublished(.success(0xC1))])
        fixture.perform(.unpublishChannel(psm: 0xC1), in: session)
        #expect(fixture.takeCommands() == [.stopListening(spsm: 0xC1)])
        #expect(fixture.takeEvents(session) == [.channelUnpublished(psm: 0xC1, nil)])
    }

    @Test func `another session can't take a PSM away`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.publishChannel(encrypted: false), in: session)
        let other = fixture.open(.peripheral)
        fixture.discard()
        fixture.perform(.unpublishChannel(psm: 0xC1), in: other)
        #expect(fixture.takeCommands().isEmpty)
    }

    @Test func `hands the host pieces that the peer takes, and waits for them to leave`() throws {
        var opened = try Opened()
        #expect(opened.pipe.write(Array(repeating: 1, count: 20_000)) == 16_384)
        let sizes = opened.serve().map { if case .send(Self.own, let sdu) = $0 { sdu.count } else { 0 } }
        // 8 KiB, and what the last piece has more.
        #expect(sizes == Array(repeating: 1000, count: 9))
        #expect(opened.pipe.room == 9000)
        opened.fixture.host(.channel(CoreFixture.link, .sent(Self.own, octets: 1000)))
        #expect(opened.taken().count == 1)
    }

    @Test func `says what the program has read, and no more`() throws {
        var opened = try Opened()
        opened.fixture.host(.channel(CoreFixture.link, .received(Self.own, [1, 2, 3])))
        #expect(opened.serve() == [])
        _ = opened.pipe.read(2)
        #expect(opened.serve() == [.taken(Self.own, octets: 2)])
        #expect(opened.serve() == [])
    }

    @Test func `a channel that is closed first sends what was written`() throws {
        var opened = try Opened()
        _ = opened.pipe.write([1, 2])
        opened.pipe.close()
        #expect(opened.serve() == [.send(Self.own, [1, 2])])
        opened.fixture.host(.channel(CoreFixture.link, .sent(Self.own, octets: 2)))
        #expect(opened.taken() == [.close(Self.own)])
    }

    @Test func `a channel that is closed doesn't wait for ever for its peer`() throws {
        var opened = try Opened()
        _ = opened.pipe.write([1, 2])
        opened.pipe.close()
        #expect(opened.serve() == [.send(Self.own, [1, 2])])
        opened.fixture.advance()
        #expect(opened.fixture.core.now == .start + .seconds(2))
        #expect(opened.taken() == [.close(Self.own)])
    }

    @Test func `a channel that opens when nobody wants it any more is closed`() throws {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.connectCentral(CoreFixture.band, link: CoreFixture.link)
        fixture.perform(.publishChannel(encrypted: false), in: session)
        fixture.perform(.unpublishChannel(psm: 0xC1), in: session)
        fixture.discard()
        let info = ChannelInfo(channel: Self.own, spsm: 0xC1, mtu: 100)
        fixture.host(.channel(CoreFixture.link, .opened(info, nil)))
        #expect(fixture.takeCommands() == [.channel(CoreFixture.link, .close(Self.own))])
        #expect(fixture.takeEvents(session).isEmpty)
    }

    static let ends: [(ChannelEnd, ChannelPipe.End)] = [
        (.peer, .closed), (.own, .closed), (.link(.localHostTerminated), .closed),
        (.link(.connectionTimeout), .failed(BackendError(.connectionTimeout, underlying: "HCI status 0x08"))),
        (.link(.remoteUserTerminated), .failed(BackendError(.peripheralDisconnected, underlying: "HCI status 0x13"))),
        (.violation("x"), .failed(BackendError(.unknown, underlying: "L2CAP: x"))),
    ]

    @Test(arguments: ends) func `tells the program how a channel ended`(end: ChannelEnd, seen: ChannelPipe.End) throws {
        var opened = try Opened()
        opened.fixture.host(.channel(CoreFixture.link, .closed(Self.own, end)))
        #expect(opened.pipe.end == seen)
    }

    static let refusals: [(HostError, BackendError.Cause)] = [
        (.l2cap(.encryptionKeySizeTooShort), .att(.encryptionKeySizeTooShort)),
        (.l2cap(.insufficientAuthorization), .att(.insufficientAuthorization)),
        (.l2cap(.noResources), .outOfSpace),
        (.l2cap(.spsmNotSupported), .operationNotSupported),
        (.l2cap(.unacceptableParameters), .connectionFailed),
        (.disconnected(.connectionTimeout), .notConnected),
    ]

    @Test(arguments: refusals) func `tells the session why a channel wasn't opened`(
        error: HostError, cause: BackendError.Cause
    ) throws {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.perform(.openChannel(fixture.peer(CoreFixture.band), psm: 0x80), in: session)
        guard case .channel(_, .open(let token, _))? = fixture.takeCommands().first else {
            Issue.record("not asked for")
            return
        }
        fixture.host(.channel(CoreFixture.link, .openFailed(token, error)))
        guard case .channelOpened(_, 0x80, .failure(let failure))? = fixture.takeEvents(session).first else {
            Issue.record("not told")
            return
        }
        #expect(failure.cause == cause)
    }

    @Test(arguments: [
        (L2CAPConnectionResult.insufficientAuthentication, ATTErrorCode.insufficientAuthentication),
        (.insufficientEncryption, .insufficientEncryption),
    ]) func `122 makes the link secure for a channel that was refused for want of it, once`(
        result: L2CAPConnectionResult, code: ATTErrorCode
    ) throws {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.perform(.openChannel(fixture.peer(CoreFixture.band), psm: 0x80), in: session)
        guard case .channel(_, .open(let token, _))? = fixture.takeCommands().first else {
            Issue.record("not asked for")
            return
        }
        fixture.host(.channel(CoreFixture.link, .openFailed(token, .l2cap(result))))
        #expect(fixture.takeCommands() == [.raiseSecurity(CoreFixture.link)])
        #expect(fixture.takeEvents(session) == [])
        fixture.host(.securityRaised(CoreFixture.link, nil))
        guard case .channel(_, .open(let again, 0x80))? = fixture.takeCommands().first else {
            Issue.record("not asked for again")
            return
        }
        fixture.host(.channel(CoreFixture.link, .openFailed(again, .l2cap(result))))
        #expect(fixture.takeCommands() == [])
        guard case .channelOpened(_, 0x80, .failure(let failure))? = fixture.takeEvents(session).first else {
            Issue.record("not told")
            return
        }
        #expect(failure.cause == .att(code))
    }
}
