import BLEBackend
import BLEHost
import BLERuntime
import BLETestSupport
import BLEWire
import Testing

/// The backend's core: who is asked, what is kept, and which errors a program sees. [contract 50, 85]
@Suite struct PairingCoreTests {
    private let link = CoreFixture.link

    private func connected() -> (CoreFixture, SessionID, PeerID) {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        return (fixture, session, fixture.peer(CoreFixture.band))
    }

    private static func bond(_ peer: DeviceAddress) -> Bond {
        Bond(
            peer: peer, strength: PairingStrength(isAuthenticated: false, isSecureConnections: true, keySize: 16))
    }

    @Test func `50 encryption without an answer ends the connection with encryptionTimedOut`() {
        var (fixture, session, peer) = connected()
        fixture.host(.encryptionFailed(link, .llResponseTimeout))
        fixture.host(.disconnected(link, CoreFixture.band, reason: .llResponseTimeout))
        guard case .disconnected(peer, let error?, reconnecting: false)? = fixture.takeEvents(session).last else {
            Issue.record("no end")
            return
        }
        #expect(error.cause == .encryptionTimedOut)
    }

    @Test func `50 a key that the other side has lost ends the connection with peerRemovedPairingInformation`() {
        var (fixture, session, peer) = connected()
        fixture.host(.encryptionFailed(link, .pinOrKeyMissing))
        fixture.host(.disconnected(link, CoreFixture.band, reason: .pinOrKeyMissing))
        guard case .disconnected(peer, let error?, reconnecting: false)? = fixture.takeEvents(session).last else {
            Issue.record("no end")
            return
        }
        #expect(error.cause == .peerRemovedPairingInformation)
    }

    @Test func `an agent is asked, answers, and is told the end`() {
        var (fixture, _, peer) = connected()
        let agent = RecordingAgent()
        fixture.order(.agent(agent))
        var expected = PairingPolicy()
        expected.person = .asked
        expected.ioCapability = .keyboardDisplay
        #expect(fixture.takeCommands() == [.setPairingPolicy(expected)])
        fixture.host(.pairingAsked(link, .compare(123_456)))
        let calls = fixture.core.takeAgentCalls()
        #expect(calls?.calls.count == 1)
        fixture.order(.answer(peer, .accept))
        #expect(fixture.takeCommands() == [.answerPairing(link, .accept)])
        fixture.host(.pairingEnded(link, .failure(.pairing(.timeout))))
        if case .ended(peer, let error?)? = fixture.core.takeAgentCalls()?.calls.first {
            #expect(error.cause == .encryptionTimedOut)
        } else {
            Issue.record("no end")
        }
        // What was asked is nobody's question any more.
        fixture.order(.answer(peer, .accept))
        #expect(fixture.takeCommands().isEmpty)
    }

    @Test func `without an agent the log says what was agreed to`() {
        var (fixture, _, _) = connected()
        fixture.host(.pairingAsked(link, .confirm))
        #expect(fixture.traces.contains { $0.level == .notice && $0.message.contains("Just Works") })
        #expect(fixture.core.takeAgentCalls() == nil)
    }

    @Test func `bonds are kept, and forgotten by the peer's identifier`() {
        var (fixture, _, peer) = connected()
        let bond = Self.bond(CoreFixture.band)
        fixture.host(.bondChanged(bond))
        #expect(fixture.bonds.bonds == [bond])
        #expect(fixture.changes.contains(.bonded([peer])))
        fixture.order(.removeBond(peer))
        #expect(fixture.takeCommands() == [.removeBond(CoreFixture.band)])
        fixture.host(.bondRemoved(CoreFixture.band))
        #expect(fixture.bonds.bonds.isEmpty)
        #expect(fixture.changes.last == .bonded([]))
    }

    @Test func `bonds of an earlier run are handed to the host`() {
        var core = BackendCore(profile: PhoneProfile(), store: MemoryDeviceStore(key: (1, 2)))
        core.loadBonds([Self.bond(CoreFixture.band)])
        #expect(core.nextCommand() == .loadBonds([Self.bond(CoreFixture.band)]))
    }

    @Test func `a real adapter without a person agrees to what needs none`() {
        let policy = PhoneProfile.unattendedPairing
        #expect(policy.person == .absent && policy.ioCapability == .noInputNoOutput)
        #expect(PhoneProfile().pairing.person == .agrees)
    }

    private final class RecordingAgent: PairingAgent {
        func asked(_ prompt: PairingPrompt) {}
        func ended(_ peer: PeerID, _ error: BackendError?) {}
    }
}
