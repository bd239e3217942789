import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

/// Periodic advertising of programs: a train once for all of them.
@Suite struct PeriodicTests {
    static let band = CoreFixture.band
    static let train = PeriodicTrainDescription(setIdentifier: 5, interval: .milliseconds(100), phy: .le2M)
    static let info = PeriodicTrainInfo(setIdentifier: 5, interval: 80, phy: .le2M)

    private static func id(_ number: UInt64) -> FollowID { FollowID(rawValue: number) }

    /// A core whose session looks for the train of the band; the token that the host knows it by.
    private func following() throws -> (CoreFixture, SessionID, OperationToken) {
        var (fixture, session) = CoreFixture.on(.central)
        var request = FollowRequest(peer: fixture.peer(Self.band))
        request.timeout = .seconds(2)
        request.skip = 3
        fixture.perform(.followPeriodic(Self.id(1), request), in: session)
        guard case .followPeriodic(let token, let settings)? = fixture.takeCommands().first else {
            throw BackendError(.unknown)
        }
        var expected = PeriodicSettings(Self.band)
        expected.timeout = 200
        expected.skip = 3
        #expect(settings == expected)
        return (fixture, session, token)
    }

    @Test func `what the host tells of a train goes to who asked for it`() throws {
        var (fixture, session, token) = try following()
        fixture.host(.periodic(token, .established(Self.info)))
        fixture.host(
            .periodic(token, .report(PeriodicReport(data: [1], isCut: true, rssi: -60, transmitPower: 127))))
        fixture.host(.periodic(token, .lost))
        fixture.host(.periodic(token, .established(Self.info)))
        let lost = BackendError(.connectionTimeout, underlying: "the train wasn't heard for its time-out")
        #expect(
            fixture.takeEvents(session) == [
                .periodic(Self.id(1), .began(Self.train)),
                .periodic(Self.id(1), .report(data: [1], isCut: true, rssi: -60, transmitPower: nil)),
                .periodic(Self.id(1), .ended(lost)),
            ])
    }

    @Test func `a train is one for the host, and ends with the last who follows it`() throws {
        var (fixture, first, token) = try following()
        let second = fixture.open(.central)
        let request = FollowRequest(peer: fixture.peer(Self.band))
        fixture.perform(.followPeriodic(Self.id(2), request), in: second)
        fixture.host(.periodic(token, .established(Self.info)))
        fixture.perform(.followPeriodic(Self.id(3), request), in: first)
        var named = request
        named.setIdentifier = 5
        fixture.perform(.followPeriodic(Self.id(4), named), in: first)
        #expect(fixture.takeCommands().isEmpty)
        let began = [1, 3, 4].map { BackendEvent.periodic(Self.id($0), .began(Self.train)) }
        #expect(fixture.takeEvents(first) == began)
        #expect(fixture.takeEvents(second).last == .periodic(Self.id(2), .began(Self.train)))
        for number in [1, 3, 4] as [UInt64] { fixture.perform(.stopFollowing(Self.id(number)), in: first) }
        // Of another session, and of nobody.
        fixture.perform(.stopFollowing(Self.id(2)), in: first)
        #expect(fixture.takeCommands().isEmpty)
        fixture.close(second)
        #expect(fixture.takeCommands() == [.stopFollowing(token)])
        fixture.host(.periodic(token, .ended(.cancelled)))
        #expect(fixture.takeEvents(first).isEmpty)
        // Another set of the device is another train.
        named.setIdentifier = 6
        fixture.perform(.followPeriodic(Self.id(5), named), in: first)
        fixture.perform(.followPeriodic(Self.id(6), request), in: first)
        #expect(fixture.takeCommands().count == 1)
    }

    @Test(
        arguments: [
            (.unsupported("the controller lacks it"), .operationNotSupported, "the controller lacks it"),
            (.hci(.failedToBeEstablished), .connectionFailed, "HCI status 0x3E"),
            (.hci(.memoryCapacityExceeded), .outOfSpace, "HCI status 0x07"),
            (.invalidParameters("a set"), .invalidParameters, "invalid parameters: a set"),
            (.transport("gone"), .notConnected, "transport: gone"),
        ] as [(HostError, BackendError.Cause, String)])
    func `an error says its layer and its cause`(
        _ error: HostError, _ cause: BackendError.Cause, _ text: String
    ) throws {
        var (fixture, session, token) = try following()
        fixture.host(.periodic(token, .failed(error)))
        #expect(
            fixture.takeEvents(session) == [.periodic(Self.id(1), .ended(BackendError(cause, underlying: text)))])
    }

    @Test func `whom nobody has heard isn't looked for, nor what can't be said, nor without power`() {
        var (fixture, session) = CoreFixture.on(.central)
        func refused(_ request: FollowRequest, _ cause: BackendError.Cause) -> Bool {
            fixture.perform(.followPeriodic(Self.id(1), request), in: session)
            guard fixture.takeCommands().isEmpty,
                case .periodic(Self.id(1), .ended(let error))? = fixture.takeEvents(session).last
            else { return false }
            return error.cause == cause && error.underlying != nil
        }
        let known = fixture.peer(Self.band)
        #expect(refused(FollowRequest(peer: PeerID(bits: 1)), .unknownDevice))
        #expect(refused(FollowRequest(peer: known, setIdentifier: -1), .invalidParameters))
        #expect(refused(FollowRequest(peer: known, setIdentifier: 256), .invalidParameters))
        #expect(refused(FollowRequest(peer: known, skip: 65_536), .invalidParameters))
        fixture.host(.stateChanged(.poweredOff))
        #expect(refused(FollowRequest(peer: known), .notConnected))
    }

    @Test(arguments: [true, false]) func `power off and a reset end it before the state is told`(_ isReset: Bool) throws
    {
        var (fixture, session, token) = try following()
        fixture.host(.periodic(token, .established(Self.info)))
        fixture.discard()
        if isReset {
            fixture.host(.stateChanged(.resetting(.hci(.hardwareFailure))))
        } else {
            fixture.core.perform(.condition(.off))
            _ = fixture.takeCommands()
            fixture.host(.stateChanged(.poweredOff))
        }
        fixture.host(.periodic(token, .ended(.notPoweredOn)))
        let text = isReset ? "the controller was reset" : "the controller was switched off"
        #expect(
            fixture.takeEvents(session) == [
                .periodic(Self.id(1), .ended(BackendError(.notConnected, underlying: text))),
                .stateChanged(isReset ? .resetting : .poweredOff),
            ])
    }

    // MARK: What a scan tells

    private func report(
        _ set: UInt8?, _ interval: UInt16?, _ data: [UInt8] = [], response: Bool = false
    )
        -> AdvertisingReport
    {
        var report = AdvertisingReport.of(Self.band, data, isScanResponse: response)
        report.setIdentifier = set
        report.periodicInterval = interval
        return report
    }

    @Test func `a scan tells of a train once, and again when there is one; other sets say nothing of it`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest(allowDuplicates: true)), in: session)
        func told(_ report: AdvertisingReport) -> PeriodicTrainDescription? {
            fixture.host(.advertisingReport(report))
            guard case .discovered(_, _, let advertisement, _)? = fixture.takeEvents(session).last else { return nil }
            return advertisement.train
        }
        let train = PeriodicTrainDescription(setIdentifier: 5, interval: .milliseconds(100))
        #expect(told(report(nil, nil)) == nil)
        #expect(told(report(5, 80)) == train)
        #expect(told(report(nil, nil, [2, 1, 6])) == train)
        #expect(told(report(6, nil)) == train)
        #expect(told(report(5, nil, response: true)) == train)
        #expect(told(report(5, nil)) == nil)
        fixture.perform(.startScan(ScanRequest()), in: session)
        var news = 0
        for report in [report(5, nil), report(5, nil), report(5, 80), report(5, 80), report(5, 160)] {
            fixture.host(.advertisingReport(report))
            news += fixture.takeEvents(session).count
        }
        #expect(news == 2)
    }
}
