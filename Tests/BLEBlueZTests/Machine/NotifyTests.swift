import BLEBackend
import BLEBlueZ
import BLETestSupport
import BLEWire
import Testing

/// Notifications over BlueZ, which tells them as changes of a property. [contract 68, 79-81]
struct BlueZNotifyTests {
    private let path = MachineFixture.thermometer.path + "/service0010/char0011"
    private let measurement = RemoteCharacteristic(
        uuid: 0x2A1C, properties: 0x12, declaration: 0x11, value: 0x12, end: 0x13)

    private func notify(_ fixture: inout MachineFixture, _ value: [UInt8]) {
        fixture.daemonDoes { $0.change(path, BlueZName.gattCharacteristic, ["Value": .bytes(value)]) }
    }

    private func subscribed() -> (MachineFixture, SessionID, PeerID) {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.setNotify(peer, measurement, true), session)
        _ = fixture.events(of: session)
        return (fixture, session, peer)
    }

    @Test func `Values are told in their order, equal ones and empty ones too`() {
        var (fixture, session, peer) = subscribed()
        for value in [[1], [1], [], [2]] as [[UInt8]] { notify(&fixture, value) }
        #expect(
            fixture.events(of: session) == [
                .valueNotified(peer, 0x12, [1]), .valueNotified(peer, 0x12, [1]), .valueNotified(peer, 0x12, []),
                .valueNotified(peer, 0x12, [2]),
            ])
    }

    @Test func `A value that comes before the subscription's answer comes after the state`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemon.script["StartNotify"] = [.silence]
        fixture.perform(.setNotify(peer, measurement, true), session)
        notify(&fixture, [5])
        #expect(fixture.events(of: session).isEmpty)
        fixture.answerLastCall("StartNotify")
        #expect(
            fixture.events(of: session) == [
                .notifyStateChanged(peer, measurement, .success(true)), .valueNotified(peer, 0x12, [5]),
            ])
    }

    @Test func `The value of our own read isn't taken for a notification`() {
        var (fixture, session, peer) = subscribed()
        fixture.perform(.read(peer, 0x12), session)
        #expect(fixture.events(of: session) == [.valueRead(peer, 0x12, .success([1, 2]))])
    }

    @Test func `A notification during a read is told before the read's value`() {
        var (fixture, session, peer) = subscribed()
        fixture.daemon.script["ReadValue"] = [.silence]
        fixture.perform(.read(peer, 0x12), session)
        notify(&fixture, [9])
        notify(&fixture, [1, 2])
        fixture.answerLastCall("ReadValue", with: [.bytes([1, 2])])
        #expect(
            fixture.events(of: session) == [
                .valueNotified(peer, 0x12, [9]), .valueRead(peer, 0x12, .success([1, 2])),
            ])
    }

    @Test func `A value that nobody has subscribed to is nobody's`() {
        var (fixture, session, _) = MachineFixture.connected()
        notify(&fixture, [1])
        #expect(fixture.events(of: session).isEmpty)
    }

    @Test func `Two sessions share one subscription, and the last one ends it`() {
        var (fixture, first, peer) = subscribed()
        let second = fixture.open(.central)
        fixture.perform(.connect(peer, ConnectOptions()), second)
        fixture.perform(.setNotify(peer, measurement, true), second)
        #expect(fixture.daemon.calls(of: "StartNotify").count == 1)
        fixture.perform(.setNotify(peer, measurement, false), first)
        #expect(fixture.daemon.calls(of: "StopNotify").isEmpty)
        _ = (fixture.events(of: first), fixture.events(of: second))
        notify(&fixture, [3])
        #expect(fixture.events(of: first).isEmpty)
        #expect(fixture.events(of: second) == [.valueNotified(peer, 0x12, [3])])
        fixture.perform(.setNotify(peer, measurement, false), second)
        #expect(fixture.daemon.calls(of: "StopNotify").count == 1)
    }

    @Test func `A state that is held already is answered at once`() {
        var (fixture, session, peer) = subscribed()
        fixture.perform(.setNotify(peer, measurement, true), session)
        #expect(fixture.events(of: session) == [.notifyStateChanged(peer, measurement, .success(true))])
        #expect(fixture.daemon.calls(of: "StartNotify").count == 1)
    }

    @Test func `What can't notify is refused, and so is what another program has to itself`() {
        var (fixture, session, peer) = MachineFixture.connected()
        let mute = RemoteCharacteristic(uuid: 0x2A1E, properties: 0x0E, declaration: 0x14, value: 0x15, end: 0x15)
        fixture.perform(.setNotify(peer, mute, true), session)
        #expect(
            fixture.events(of: session) == [
                .notifyStateChanged(peer, mute, .failure(BackendError(.att(.requestNotSupported))))
            ])
        fixture.daemon.script["StartNotify"] = [
            .failure(DBusFailure(BlueZName.error("NotPermitted"), "Notify acquired"))
        ]
        fixture.perform(.setNotify(peer, measurement, true), session)
        guard case .notifyStateChanged(_, _, .failure(let error))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.underlying?.contains("Notify acquired") == true)
    }

    @Test func `Notifications don't survive a disconnect`() {
        var (fixture, session, peer) = subscribed()
        // BlueZ keeps the objects of a bonded device, and would subscribe again.
        fixture.daemonDoes { daemon in
            daemon.change(MachineFixture.thermometer.path, BlueZName.device, ["Connected": .bool(false)])
        }
        #expect(fixture.daemon.calls(of: "StopNotify").count == 1)
        fixture.perform(.connect(peer, ConnectOptions()), session)
        _ = fixture.events(of: session)
        notify(&fixture, [1])
        #expect(fixture.events(of: session).isEmpty)
    }
}
