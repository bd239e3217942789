import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct AdvertisingTests {
    let request = AdvertisingRequest(localName: "OBand-75", services: [0xFFF0])

    private func data(_ fixture: inout CoreFixture) -> [String] {
        fixture.takeCommands().compactMap { command in
            guard case .startAdvertising(let settings) = command else { return nil }
            return Hex.string(settings.data)
        }
    }

    @Test func `advertising is told when it has begun`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.startAdvertising(request), in: session)
        #expect(data(&fixture) == ["020106" + "0303F0FF" + "09094F42616E642D3735"])
        #expect(fixture.takeEvents(session) == [])
        fixture.host(.advertisingStarted(nil))
        #expect(fixture.takeEvents(session) == [.advertisingStarted(nil)])
    }

    @Test func `starting twice is an error and changes nothing`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.startAdvertising(request), in: session)
        fixture.host(.advertisingStarted(nil))
        fixture.discard()
        fixture.perform(.startAdvertising(AdvertisingRequest()), in: session)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(session) == [.advertisingStarted(BackendError(.alreadyAdvertising))])
    }

    @Test func `sessions share the advertisement`() {
        var (fixture, first) = CoreFixture.on(.peripheral)
        let second = fixture.open(.peripheral)
        fixture.perform(.startAdvertising(request), in: first)
        fixture.host(.advertisingStarted(nil))
        fixture.discard()
        fixture.perform(.startAdvertising(AdvertisingRequest(localName: "Other", services: [0x180D])), in: second)
        #expect(data(&fixture) == ["020106" + "0503F0FF0D18" + "09094F42616E642D3735"])
        fixture.host(.advertisingStarted(nil))
        #expect(fixture.takeEvents(first) == [])
        #expect(fixture.takeEvents(second) == [.advertisingStarted(nil)])
        fixture.perform(.stopAdvertising, in: first)
        #expect(data(&fixture) == ["020106" + "03030D18" + "06094F74686572"])
        fixture.perform(.stopAdvertising, in: second)
        #expect(fixture.takeCommands() == [.stopAdvertising])
    }

    @Test func `what was cut is reported`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.startAdvertising(AdvertisingRequest(localName: "A name that is too long for it")), in: session)
        #expect(fixture.traces.last?.layer == "gap")
        #expect(fixture.traces.last?.level == .notice)
    }

    @Test func `a refusal is the answer`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.startAdvertising(request), in: session)
        fixture.host(.advertisingStarted(.hci(.unsupportedFeature)))
        guard case .advertisingStarted(let error?) = fixture.takeEvents(session).last else {
            Issue.record("no failure")
            return
        }
        #expect(error.cause == .operationNotSupported)
        fixture.discard()
        fixture.perform(.startAdvertising(request), in: session)
        #expect(data(&fixture).count == 1)
    }

    @Test func `without room for a link advertising begins when one has ended`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.connectCentral(CoreFixture.lock, link: CoreFixture.link)
        fixture.perform(.startAdvertising(request), in: session)
        fixture.host(.advertisingStarted(.hci(.connectionLimitExceeded)))
        #expect(fixture.takeEvents(session) == [.advertisingStarted(nil)])
        #expect(fixture.core.nextDeadline == nil)
        fixture.discard()
        fixture.host(.disconnected(CoreFixture.link, CoreFixture.lock, reason: .remoteUserTerminated))
        #expect(data(&fixture).count == 1)
        fixture.host(.advertisingStarted(nil))
        #expect(fixture.takeEvents(session) == [])
    }

    @Test func `advertising that the host gave up is tried again`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.startAdvertising(request), in: session)
        fixture.host(.advertisingStarted(nil))
        fixture.discard()
        fixture.host(.advertisingEnded)
        fixture.advance()
        #expect(data(&fixture).count == 1)
    }

    @Test func `advertising doesn't begin again by itself when the radio comes back`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.startAdvertising(request), in: session)
        fixture.host(.advertisingStarted(nil))
        fixture.core.perform(.condition(.off))
        fixture.host(.stateChanged(.poweredOff))
        fixture.powerOn()
        #expect(data(&fixture).count == 1)
        fixture.perform(.startAdvertising(request), in: session)
        #expect(data(&fixture).count == 1)
    }
}
