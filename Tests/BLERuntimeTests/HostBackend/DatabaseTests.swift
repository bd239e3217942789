import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

/// What is remembered of the databases of bonded peers: what the host is asked for, and what not. [Vol 3, Part G, 2.5.2]
@Suite struct DatabaseTests {
    private let link = CoreFixture.link
    private let band = CoreFixture.band
    private static let hash: [UInt8] = Array(0..<16)
    private static let readHash = GATTProcedure.readByUUID(0x2B2A, .first ... .last)
    private let services: GATTOutcome = .services([
        GATTService(handles: 0x0001...0x0005, uuid: 0x1800), GATTService(handles: 0x0006...0x0009, uuid: 0x1801),
        GATTService(handles: 0x0010...0x0020, uuid: 0x180D),
    ])
    private let heart = RemoteService(uuid: 0x180D, isPrimary: true, handles: 0x0010...0x0020)
    private let rate = RemoteCharacteristic(
        uuid: 0x2A37, properties: 0x12, declaration: 0x0012, value: 0x0013, end: 0x0020)
    private let measurement: GATTOutcome = .characteristics([
        GATTCharacteristic(declaration: 0x0012, value: 0x0013, properties: 0x12, uuid: 0x2A37)
    ])
    private let included: GATTOutcome = .includedServices([
        GATTIncludedService(declaration: 0x0011, service: GATTService(handles: 0x0030...0x0031, uuid: 0x180A))
    ])

    private static func bond(_ peer: DeviceAddress) -> Bond {
        Bond(peer: peer, strength: PairingStrength(isAuthenticated: false, isSecureConnections: true, keySize: 16))
    }

    /// Switched on, with a bond; Service Changed isn't followed unless a test wants it.
    private func bonded(_ change: (inout PhoneProfile) -> Void = { _ in }) -> (CoreFixture, SessionID, PeerID) {
        var (fixture, session) = CoreFixture.on(.central, change)
        fixture.host(.bondChanged(Self.bond(band)))
        fixture.discard()
        return (fixture, session, fixture.peer(band))
    }

    private func connect(_ fixture: inout CoreFixture, _ session: SessionID, encrypted: Bool = true) {
        fixture.perform(.connect(fixture.peer(band), ConnectOptions()), in: session)
        fixture.discard()
        fixture.host(.connected(.made(link, band)))
        if encrypted {
            var security = LinkSecurity()
            security.isEncrypted = true
            fixture.host(.securityChanged(link, security))
        }
        _ = fixture.takeEvents(session)
    }

    private func lose(_ fixture: inout CoreFixture, _ session: SessionID) {
        fixture.host(.disconnected(link, band, reason: .connectionTimeout))
        fixture.discard()
    }

    private func answerHash(_ fixture: inout CoreFixture, _ hash: [UInt8] = hash) {
        #expect(fixture.procedures == [Self.readHash])
        fixture.answer(.success(.values([GATTHandleValue(handle: 0x0008, value: hash)])))
    }

    /// Asks for everything; the answers if the host isn't asked, else the procedures that it was.
    private func discover(_ fixture: inout CoreFixture, _ session: SessionID) -> [GATTProcedure] {
        let peer = fixture.peer(band)
        var asked: [GATTProcedure] = []
        let answers: [(BackendCommand, GATTOutcome)] = [
            (.discoverServices(peer, filter: nil), services),
            (.discoverIncludedServices(peer, of: heart, filter: nil), included),
            (.discoverCharacteristics(peer, of: heart, filter: nil), measurement),
            (.discoverDescriptors(peer, of: rate), .descriptors([GATTDescriptor(handle: 0x0014, uuid: 0x2902)])),
        ]
        for (command, outcome) in answers {
            fixture.perform(command, in: session)
            asked += fixture.procedures
            fixture.answer(.success(outcome))
            // Whether an included service is primary is asked of its declaration.
            if case .discoverIncludedServices = command {
                asked += fixture.procedures
                fixture.answer(.success(.descriptors([GATTDescriptor(handle: 0x0030, uuid: 0x2801)])))
            }
        }
        return asked
    }

    private static let all: [GATTProcedure] = [
        .discoverServices(nil), .discoverIncludedServices(0x0010...0x0020), .discoverDescriptors(0x0030...0x0030),
        .discoverCharacteristics(0x0010...0x0020), .discoverDescriptors(0x0014...0x0020),
    ]

    /// Connected, with everything discovered once and kept; the events of that.
    private func learn(_ fixture: inout CoreFixture, _ session: SessionID) -> [BackendEvent] {
        connect(&fixture, session)
        answerHash(&fixture)
        #expect(discover(&fixture, session) == Self.all)
        let events = fixture.takeEvents(session)
        lose(&fixture, session)
        return events
    }

    @Test func `after the same hash nothing is asked, and the events are the same in the same order`() {
        var (fixture, session, _) = bonded()
        let before = learn(&fixture, session)
        #expect(before.count == 4)
        connect(&fixture, session)
        answerHash(&fixture)
        #expect(discover(&fixture, session) == [])
        #expect(fixture.takeEvents(session) == before)
    }

    @Test func `discoveries wait for the hash, other operations don't`() {
        var (fixture, session, peer) = bonded { $0.exchangesMTU = true }
        connect(&fixture, session)
        fixture.perform(.read(peer, 0x0013), in: session)
        fixture.perform(.discoverServices(peer, filter: nil), in: session)
        #expect(fixture.procedures == [.exchangeMTU(517)])
        fixture.answer(.success(.mtu(185)))
        #expect(fixture.procedures == [.readLong(0x0013)])
        fixture.answer(.success(.value([1])))
        answerHash(&fixture)
        #expect(fixture.procedures == [.discoverServices(nil)])
    }

    @Test func `one service is found among all that are known`() {
        var (fixture, session, peer) = bonded()
        _ = learn(&fixture, session)
        connect(&fixture, session)
        answerHash(&fixture)
        fixture.perform(.discoverServices(peer, filter: [0x180D]), in: session)
        #expect(fixture.procedures == [])
        #expect(fixture.takeEvents(session) == [.servicesDiscovered(peer, .success([heart]))])
    }

    @Test func `after another hash everything is asked for, and that is remembered`() {
        var (fixture, session, _) = bonded()
        _ = learn(&fixture, session)
        connect(&fixture, session)
        answerHash(&fixture, Array(repeating: 9, count: 16))
        #expect(fixture.bonds.database(of: band) == nil)
        #expect(discover(&fixture, session) == Self.all)
        lose(&fixture, session)
        connect(&fixture, session)
        answerHash(&fixture, Array(repeating: 9, count: 16))
        #expect(discover(&fixture, session) == [])
    }

    @Test(arguments: [[], [1], Array(0..<15), Array(0..<17)] as [[UInt8]])
    func `G18 after a hash of another size than 16 octets everything is asked for`(hash: [UInt8]) {
        var (fixture, session, _) = bonded()
        _ = learn(&fixture, session)
        connect(&fixture, session)
        answerHash(&fixture, hash)
        #expect(discover(&fixture, session) == Self.all)
        lose(&fixture, session)
        #expect(fixture.bonds.database(of: band) == nil)
    }

    @Test func `G18 two hashes that differ count as none`() {
        var (fixture, session, _) = bonded()
        _ = learn(&fixture, session)
        connect(&fixture, session)
        fixture.answer(
            .success(
                .values([
                    GATTHandleValue(handle: 0x0008, value: Self.hash),
                    GATTHandleValue(handle: 0x0018, value: Self.hash.reversed()),
                ])))
        #expect(discover(&fixture, session) == Self.all)
    }

    @Test func `a hash that couldn't be read answers nothing, and what is remembered stays`() {
        var (fixture, session, _) = bonded()
        _ = learn(&fixture, session)
        connect(&fixture, session)
        fixture.answer(.failure(.attTimeout))
        #expect(discover(&fixture, session) == Self.all)
        lose(&fixture, session)
        connect(&fixture, session)
        answerHash(&fixture)
        #expect(discover(&fixture, session) == [])
    }

    @Test func `peers without a bond are asked every time, and not for a hash`() {
        var (fixture, session) = CoreFixture.on(.central)
        for _ in 0..<2 {
            connect(&fixture, session)
            #expect(fixture.procedures == [])
            #expect(discover(&fixture, session) == Self.all)
            lose(&fixture, session)
        }
        #expect(fixture.bonds.database(of: band) == nil)
    }

    @Test func `a link that isn't encrypted teaches nothing`() {
        var (fixture, session, _) = bonded()
        connect(&fixture, session, encrypted: false)
        answerHash(&fixture)
        #expect(discover(&fixture, session) == Self.all)
        lose(&fixture, session)
        #expect(fixture.bonds.database(of: band) == nil)
    }

    @Test func `what was found is kept two seconds later, without the end of the link`() {
        var (fixture, session, _) = bonded()
        connect(&fixture, session)
        answerHash(&fixture)
        _ = discover(&fixture, session)
        #expect(fixture.bonds.database(of: band) == nil)
        for _ in 0..<2 { fixture.advance() }
        #expect(fixture.bonds.database(of: band)?.answers.count == 5)
        #expect(fixture.bonds.database(of: band)?.hash == Self.hash)
    }

    @Test func `what was found goes with the bond`() {
        var (fixture, session, _) = bonded()
        _ = learn(&fixture, session)
        #expect(fixture.bonds.database(of: band) != nil)
        fixture.host(.bondRemoved(band))
        #expect(fixture.bonds.database(of: band) == nil)
    }

    @Test func `a peer that pairs anew is discovered anew`() {
        var (fixture, session, _) = bonded()
        _ = learn(&fixture, session)
        connect(&fixture, session)
        let result = PairingResult(model: .justWorks, strength: Self.bond(band).strength, isBonding: true)
        fixture.host(.pairingEnded(link, .success(result)))
        fixture.discard()
        #expect(fixture.bonds.database(of: band) == nil)
    }

    @Test func `a setting turns it off`() {
        var (fixture, session, _) = bonded { $0.remembersDatabases = false }
        connect(&fixture, session)
        #expect(fixture.procedures == [])
        #expect(discover(&fixture, session) == Self.all)
    }

    // MARK: - Service Changed

    private let system: GATTOutcome = .characteristics([
        GATTCharacteristic(declaration: 0x0007, value: 0x0008, properties: 0x20, uuid: 0x2A05)
    ])

    /// Answers what follows Service Changed at 0x0008; the host is asked for what isn't known.
    private func follow(_ fixture: inout CoreFixture) {
        fixture.answer(.success(.services([GATTService(handles: 0x0006...0x0009, uuid: 0x1801)])))
        fixture.answer(.success(system))
        fixture.answer(.success(.descriptors([GATTDescriptor(handle: 0x0009, uuid: 0x2902)])))
        #expect(fixture.procedures == [.write(0x0009, [2, 0])])
        fixture.answer(.success(.done))
    }

    @Test func `a peer without a hash is remembered once its changes are followed`() {
        var (fixture, session, _) = bonded { $0.followsServiceChanges = true }
        connect(&fixture, session)
        fixture.answer(.failure(.att(.attributeNotFound)))
        follow(&fixture)
        #expect(discover(&fixture, session) == Self.all)
        lose(&fixture, session)
        connect(&fixture, session)
        fixture.answer(.failure(.att(.attributeNotFound)))
        // Where Service Changed is, is known as well.
        #expect(fixture.takeProcedures() == [.write(0x0009, [2, 0])])
    }

    @Test func `a peer without a hash whose changes aren't followed is asked every time`() {
        var (fixture, session, _) = bonded()
        for _ in 0..<2 {
            connect(&fixture, session)
            fixture.answer(.failure(.att(.attributeNotFound)))
            #expect(discover(&fixture, session) == Self.all)
            lose(&fixture, session)
        }
    }

    @Test func `after Service Changed the hash is read again, and everything is asked for`() {
        var (fixture, session, peer) = bonded { $0.followsServiceChanges = true }
        connect(&fixture, session)
        answerHash(&fixture)
        follow(&fixture)
        #expect(discover(&fixture, session) == Self.all)
        fixture.discard()
        fixture.host(.valueReceived(link, 0x0008, [0x10, 0x00, 0x30, 0x00], indicated: true))
        #expect(fixture.takeEvents(session) == [.servicesModified(peer, 0x0010...0x0030)])
        answerHash(&fixture, Self.hash.reversed())
        #expect(discover(&fixture, session) == Self.all)
        lose(&fixture, session)
        #expect(fixture.bonds.database(of: band)?.hash == Self.hash.reversed())
    }

    @Test func `a change that is told before anything was asked is understood`() {
        var (fixture, session, peer) = bonded { $0.followsServiceChanges = true }
        connect(&fixture, session)
        fixture.answer(.failure(.att(.attributeNotFound)))
        follow(&fixture)
        _ = discover(&fixture, session)
        lose(&fixture, session)
        connect(&fixture, session)
        fixture.host(.valueReceived(link, 0x0008, [0x10, 0x00, 0x20, 0x00], indicated: true))
        #expect(fixture.takeEvents(session) == [.servicesModified(peer, 0x0010...0x0020)])
        #expect(fixture.bonds.database(of: band) == nil)
        fixture.answer(.failure(.att(.attributeNotFound)))
        fixture.perform(.discoverServices(peer, filter: nil), in: session)
        fixture.answer(.failure(.att(.attributeNotFound)))
        #expect(fixture.procedures.contains(.discoverServices(nil)))
    }

    @Test func `a peer that has more than can be remembered is asked for the rest`() {
        var database = RememberedDatabase(hash: Self.hash)
        let many = (1...4095).map { GATTDescriptor(handle: AttributeHandle(rawValue: $0), uuid: 0x2902) }
        let fits = database.note(.descriptors(many), of: .discoverDescriptors(.first ... .last))
        #expect(fits)
        let isTooMuch = !database.note(.services([]), of: .discoverServices(nil))
        #expect(isTooMuch)
        #expect(database.outcome(of: .discoverServices(nil)) == nil)
        #expect(database.answers.count == 1)
    }
}
