import BLEBackend
import BLEBlueZ
import BLELocking
import BLETestSupport
import BLEWire
import Testing

/// Our agent at BlueZ, and whom it asks. [contract 85]
struct BlueZPairingTests {
    private final class Person: PairingAgent {
        func asked(_ prompt: PairingPrompt) {}
        func ended(_ peer: PeerID, _ error: BackendError?) {}
    }
    private let device = DBusValue.path(MachineFixture.thermometer.path)
    private let agentPath = "/org/ravning/agent"

    private func withPerson() -> (MachineFixture, PeerID, Person) {
        let person = Person()
        var (fixture, _, peer) = MachineFixture.connected()
        fixture.machine.perform(.agent(person))
        fixture.run()
        return (fixture, peer, person)
    }

    private func asked(_ fixture: inout MachineFixture) -> [PairingPrompt.Kind] {
        (fixture.machine.takeAgentCalls()?.calls ?? []).compactMap { call in
            if case .asked(let prompt) = call { prompt.kind } else { nil }
        }
    }

    @Test func `An agent is registered from the start, so that pairing needs no other program`() {
        let (fixture, _) = MachineFixture.on(.central)
        let call = fixture.daemon.calls(of: "RegisterAgent").first
        #expect(call?.arguments == [.path(agentPath), .string("NoInputNoOutput")])
        #expect(
            fixture.daemon.calls(of: "RequestDefaultAgent").isEmpty, "a desktop's agent stays the one that is asked")
    }

    @Test func `With a person it can show and type, and is the one that BlueZ asks`() {
        let (fixture, _, _) = withPerson()
        #expect(fixture.daemon.calls(of: "UnregisterAgent").count == 1)
        #expect(fixture.daemon.calls(of: "RegisterAgent").last?.arguments.last == .string("KeyboardDisplay"))
        #expect(fixture.daemon.calls(of: "RequestDefaultAgent").count == 1)
    }

    @Test func `It is registered again at a bluetoothd that was restarted`() {
        var (fixture, _) = MachineFixture.on(.central)
        fixture.killDaemon()
        fixture.startDaemon()
        #expect(fixture.daemon.calls(of: "RegisterAgent").count == 1)
    }

    @Test func `Each question of BlueZ's is put to the person, and answered as the person says`() {
        var (fixture, peer, _) = withPerson()
        let comparison = fixture.call(agentPath, BlueZName.agent, "RequestConfirmation", [device, .uint32(123_456)])
        #expect(asked(&fixture) == [.compare(123_456)])
        #expect(fixture.answers[comparison] == nil, "the person hasn't said anything")
        fixture.machine.perform(.answer(peer, .accept))
        fixture.run()
        #expect(fixture.answers[comparison] == .success([]))

        let passkey = fixture.call(agentPath, BlueZName.agent, "RequestPasskey", [device])
        #expect(asked(&fixture) == [.enterPasskey])
        fixture.machine.perform(.answer(peer, .passkey(7)))
        fixture.run()
        #expect(fixture.answers[passkey] == .success([.uint32(7)]))

        let shown = fixture.call(agentPath, BlueZName.agent, "DisplayPasskey", [device, .uint32(42), .uint16(0)])
        #expect(asked(&fixture) == [.displayPasskey(42)])
        #expect(fixture.answers[shown] == .success([]))
        _ = fixture.call(agentPath, BlueZName.agent, "DisplayPasskey", [device, .uint32(42), .uint16(1)])
        #expect(asked(&fixture).isEmpty, "it's told once, not for each digit that is typed")

        let confirmation = fixture.call(agentPath, BlueZName.agent, "RequestAuthorization", [device])
        #expect(asked(&fixture) == [.confirm])
        fixture.machine.perform(.answer(peer, .reject))
        fixture.run()
        #expect(fixture.answers[confirmation]?.failureName == BlueZName.error("Rejected"))
    }

    @Test func `What BlueZ calls off needs no answer any more`() {
        var (fixture, peer, _) = withPerson()
        let question = fixture.call(agentPath, BlueZName.agent, "RequestPasskey", [device])
        _ = fixture.call(agentPath, BlueZName.agent, "Cancel")
        #expect(fixture.answers[question]?.failureName == BlueZName.error("Canceled"))
        fixture.machine.perform(.answer(peer, .passkey(7)))
        fixture.run()
        #expect(fixture.daemon.calls(of: "CancelPairing").isEmpty)
    }

    @Test func `How a pairing ends is told once, though BlueZ only tells of new bonds`() {
        func ends(_ fixture: inout MachineFixture) -> [Bool] {
            (fixture.machine.takeAgentCalls()?.calls ?? []).compactMap { call in
                if case .ended(_, let error) = call { error == nil } else { nil }
            }
        }
        let path = MachineFixture.thermometer.path
        var (fixture, peer, _) = withPerson()
        _ = fixture.call(agentPath, BlueZName.agent, "RequestConfirmation", [device, .uint32(1)])
        fixture.machine.perform(.answer(peer, .reject))
        fixture.run()
        #expect(ends(&fixture) == [false], "refused here")
        _ = fixture.call(agentPath, BlueZName.agent, "RequestConfirmation", [device, .uint32(2)])
        fixture.machine.perform(.answer(peer, .accept))
        fixture.daemonDoes { $0.change(path, BlueZName.device, ["Paired": .bool(true)]) }
        #expect(ends(&fixture) == [true])
        _ = fixture.call(agentPath, BlueZName.agent, "DisplayPasskey", [device, .uint32(3), .uint16(0)])
        fixture.advance(.seconds(31))
        #expect(ends(&fixture) == [false], "mistyped at the peer, and never told")
        _ = fixture.call(agentPath, BlueZName.agent, "RequestPasskey", [device])
        fixture.daemonDoes { $0.setDisconnected(MachineFixture.thermometer) }
        #expect(ends(&fixture) == [false], "the link has ended meanwhile")
        _ = fixture.call(agentPath, BlueZName.agent, "RequestPasskey", [device])
        fixture.machine.perform(.answer(peer, .passkey(4)))
        fixture.run()
        fixture.advance(.seconds(11))
        #expect(ends(&fixture) == [false], "mistyped here")
        fixture.advance(.seconds(60))
        #expect(ends(&fixture).isEmpty)
    }

    @Test func `A person who has refused isn't asked once more for the same read`() {
        let person = Person()
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.machine.perform(.agent(person))
        fixture.daemon.script["ReadValue"] = [.silence]
        fixture.perform(.read(peer, 0x12), session)
        _ = fixture.call(agentPath, BlueZName.agent, "RequestConfirmation", [device, .uint32(1)])
        fixture.machine.perform(.answer(peer, .reject))
        fixture.run()
        guard case .valueRead(_, _, .failure(let error))? = fixture.events(of: session).last else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .att(.insufficientAuthentication))
        // BlueZ's own answer comes late, and isn't that of what runs then.
        let late = fixture.lastCall("ReadValue")
        fixture.daemon.script["ReadValue"] = [.silence]
        fixture.perform(.read(peer, 0x12), session)
        fixture.fail(late, with: DBusFailure(BlueZName.error("NotPermitted"), "Not paired"))
        #expect(fixture.daemon.calls(of: "Pair").isEmpty)
        fixture.answerLastCall("ReadValue", with: [.bytes([5])])
        #expect(fixture.events(of: session) == [.valueRead(peer, 0x12, .success([5]))])
    }

    @Test func `Without a person only what needs none is agreed to`() {
        var (fixture, _, _) = MachineFixture.connected()
        let just = fixture.call(agentPath, BlueZName.agent, "RequestAuthorization", [device])
        let compare = fixture.call(agentPath, BlueZName.agent, "RequestConfirmation", [device, .uint32(1)])
        let passkey = fixture.call(agentPath, BlueZName.agent, "RequestPasskey", [device])
        #expect(fixture.answers[just] == .success([]))
        #expect(fixture.answers[compare]?.failureName == BlueZName.error("Rejected"))
        #expect(fixture.answers[passkey]?.failureName == BlueZName.error("Rejected"))
    }

    @Test func `Nobody but BlueZ may ask the agent`() {
        var (fixture, _, _) = withPerson()
        let question = fixture.call(agentPath, BlueZName.agent, "RequestPasskey", [device], from: ":1.66")
        #expect(asked(&fixture).isEmpty)
        #expect(fixture.answers[question]?.failureName == DBusName.bus + ".Error.AccessDenied")
    }

    @Test func `Bonds are BlueZ's, and removing one removes the device`() {
        var (fixture, _, peer) = MachineFixture.connected()
        fixture.daemonDoes {
            $0.change(
                MachineFixture.thermometer.path, BlueZName.device, ["Paired": .bool(true), "Bonded": .bool(true)])
        }
        #expect(fixture.changes.contains(.bonded([peer])))
        fixture.machine.perform(.removeBond(peer))
        fixture.run()
        #expect(fixture.daemon.calls(of: "RemoveDevice").first?.arguments == [device])
        #expect(fixture.changes.last { if case .bonded = $0 { true } else { false } } == .bonded([]))
    }

    @Test func `An agent that BlueZ doesn't take is said`() {
        var daemon = FakeBlueZ()
        daemon.script["RegisterAgent"] = [.failure(DBusFailure(BlueZName.error("AlreadyExists"), "already"))]
        let (fixture, _) = MachineFixture.on(.central, daemon)
        #expect(fixture.traces.contains { $0.level == .warning && $0.message.contains("agent") })
    }
}

extension Result where Success == [DBusValue], Failure == DBusFailure {
    var failureName: String? {
        if case .failure(let failure) = self { failure.name } else { nil }
    }
}
