import BLEHost
import BLEWire
import Testing

/// Hostile and odd L2CAP PDUs, each named as in the list of security cases (C01 to C25): what a peer gets for them, and
/// that it costs nobody else anything.
@Suite struct ChannelCaseTests {
    static let spsm: UInt16 = 0x0080
    /// SPSM 0x0081 wants encryption, with a key of 16 octets.
    static let secret: UInt16 = 0x0081

    static func bench(_ change: (inout HostConfiguration) -> Void = { _ in }) -> HostBench {
        var configuration = HostConfiguration.quiet
        configuration.channels.mtu = 64
        configuration.channels.mps = 32
        configuration.channels.window = 6
        change(&configuration)
        var bench = HostBench.linked(as: .peripheral, configuration)
        bench.command(.listen(spsm: spsm, ChannelListener()))
        bench.command(.listen(spsm: secret, ChannelListener(needsEncryption: true, minimumKeySize: 16)))
        return bench
    }

    /// What comes back for signalling PDUs, as text.
    static func answers(_ texts: [String], _ bench: inout HostBench) throws -> [String] {
        bench.data = []
        for text in texts { bench.receive(try #require(Hex.octets(text)), on: .signalling) }
        return bench.sentPDUs().map { Hex.string($0.payload, separator: " ") }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var id: String
        var received: [String]
        var answers: [String]
        var testDescription: String { id }
        init(_ id: String, _ received: [String], _ answers: [String]) {
            self.id = id
            self.received = received
            self.answers = answers
        }
    }

    /// A connection request and its answer, for our channel 0x0040 with MTU 64, MPS 32 and 6 credits.
    static let open = "14 01 0A 00 80 00 40 00 40 00 40 00 02 00"
    static let opened = "15 01 0A 00 40 00 40 00 20 00 06 00 00 00"

    static let signals: [Case] = [
        Case(
            "C04 a parameter request that is shorter than its length says", ["12 01 08 00 06 00"], ["01 01 02 00 00 00"]
        ),
        Case("C04 a length beyond the frame", ["12 01 FF FF 06 00"], ["01 01 02 00 00 00"]),
        Case("C04 a code alone, and a code with an identifier", ["14", "14 01"], ["01 01 02 00 00 00"]),
        Case("C05 two commands in one frame", ["16 01 04 00 40 00 01 00 16 02 04 00 40 00 01 00"], []),
        Case("C06 identifier 0", ["14 00 0A 00 80 00 40 00 17 00 17 00 01 00"], []),
        Case(
            "C07 a frame above the signalling MTU", ["12 01 14 00" + String(repeating: " 00", count: 20)],
            ["01 01 04 00 01 00 17 00"]),
        Case("C08 an unknown command", ["7F 01 00 00"], ["01 01 02 00 00 00"]),
        Case("C09 a thousand rejects", Array(repeating: "01 01 02 00 00 00", count: 1000), []),
        Case(
            "C10 connection parameters from a central", ["12 01 08 00 00 00 00 00 00 00 00 00"], ["01 01 02 00 00 00"]),
        Case(
            "C11 SPSM 0", ["14 01 0A 00 00 00 40 00 17 00 17 00 01 00"], ["15 01 0A 00 00 00 00 00 00 00 00 00 02 00"]),
        Case(
            "C12 MTU and MPS below 23", ["14 01 0A 00 80 00 40 00 16 00 16 00 01 00"],
            ["15 01 0A 00 00 00 00 00 00 00 00 00 0B 00"]),
        Case(
            "C13 a source channel below those of LE", ["14 01 0A 00 80 00 3F 00 40 00 40 00 01 00"],
            ["15 01 0A 00 00 00 00 00 00 00 00 00 09 00"]),
        Case(
            "C13 a source channel above those of LE", ["14 01 0A 00 80 00 80 00 40 00 40 00 01 00"],
            ["15 01 0A 00 00 00 00 00 00 00 00 00 09 00"]),
        Case(
            "C13 a source channel that is open", [open, "14 02 0A 00 80 00 40 00 40 00 40 00 01 00"],
            [opened, "15 02 0A 00 00 00 00 00 00 00 00 00 0A 00"]),
        Case(
            "C14 six channels at once",
            ["17 01 14 00 80 00 40 00 40 00 01 00 40 00 41 00 42 00 43 00 44 00 45 00"],
            ["18 01 14 00 00 00 00 00 00 00 0C 00 00 00 00 00 00 00 00 00 00 00 00 00"]),
        Case(
            "C14 half a channel", ["17 01 0B 00 80 00 40 00 40 00 01 00 40 00 41"],
            ["18 01 0A 00 00 00 00 00 00 00 0C 00 00 00"]),
        Case("C14 no channel", ["17 01 08 00 80 00 40 00 40 00 01 00"], ["18 01 08 00 00 00 00 00 00 00 0C 00"]),
        Case(
            "C14 the same channel twice", ["17 01 0C 00 80 00 40 00 40 00 01 00 40 00 40 00"],
            ["18 01 0C 00 40 00 40 00 06 00 0A 00 40 00 00 00"]),
        Case(
            "C15 a smaller MTU, an unknown channel, six channels",
            [
                "17 01 0A 00 80 00 40 00 40 00 01 00 40 00", "19 02 06 00 10 00 40 00 40 00",
                "19 03 06 00 40 00 40 00 41 00",
                "19 04 10 00 40 00 40 00 40 00 41 00 42 00 43 00 44 00 45 00",
            ],
            [
                "18 01 0A 00 40 00 40 00 06 00 00 00 40 00", "1A 02 02 00 01 00", "1A 03 02 00 03 00",
                "1A 04 02 00 04 00",
            ]),
        Case(
            "C19 credits of 0 are ignored, more than 65535 in all end the channel",
            [open, "16 02 04 00 40 00 00 00", "16 03 04 00 40 00 F0 FF", "16 04 04 00 40 00 FF FF"],
            [opened, "06 01 04 00 40 00 40 00"]),
        Case(
            "C20 credits and an end for a channel that isn't there",
            [open, "16 02 04 00 41 00 01 00", "06 03 04 00 41 00 40 00", "06 04 04 00 40 00 41 00"],
            [opened, "01 03 06 00 02 00 41 00 40 00", "01 04 06 00 02 00 40 00 41 00"]),
        Case(
            "C21 a response without a request", ["15 01 0A 00 40 00 17 00 17 00 01 00 00 00"], []),
        Case(
            "C21 other responses without a request",
            ["18 01 0A 00 40 00 40 00 01 00 00 00 40 00", "07 01 04 00 40 00 40 00", "1A 01 02 00 00 00"], []),
        Case(
            "C25 a service that wants encryption, on a plain link", ["14 01 0A 00 81 00 40 00 40 00 40 00 01 00"],
            ["15 01 0A 00 00 00 00 00 00 00 00 00 05 00"]),
    ]

    @Test(arguments: signals)
    func `C04, C05, C06, C07, C08, C09, C10, C11, C12, C13, C14, C15, C19, C20, C21 and C25 answers a signalling PDU`(
        _ row: Case
    ) throws {
        var bench = Self.bench()
        let answers = try Self.answers(row.received, &bench)
        #expect(answers == row.answers)
        #expect(bench.commands.isEmpty)
    }

    static let unheard: [(id: String, pdus: [String])] = [
        (
            "C01 channels that nobody has opened",
            ["01 00 3F 00 00", "01 00 00 00 00", "01 00 40 00 00", "01 00 7F 00 00"]
        ),
        ("C02 more octets than the L2CAP length says", ["00 00 04 00 10 ED EA"]),
        ("C03 empty frames on the fixed channels", ["00 00 04 00", "00 00 05 00", "00 00 06 00"]),
    ]

    @Test(arguments: unheard) func `C01, C02 and C03 drops a PDU that is for nobody`(
        _ row: (id: String, pdus: [String])
    ) throws {
        var bench = Self.bench()
        for text in row.pdus {
            let pdu = try #require(Hex.octets(text))
            bench.receive(HCIACLData.packet(handle: HostBench.handle, boundary: .first, payload: pdu))
        }
        #expect(bench.data.isEmpty)
        #expect(bench.events.isEmpty)
        #expect(bench.commands.isEmpty)
    }

    // MARK: K-frames

    /// A bench whose peer has opened our channel 0x0040.
    static func openedBench() throws -> HostBench {
        var bench = Self.bench()
        let answers = try answers([open], &bench)
        #expect(answers == [opened])
        bench.forget()
        return bench
    }

    static let channel = ChannelIdentifier(rawValue: 0x0040)

    /// Thirty octets: with the SDU length a K-frame of 32.
    private static let full = Array(repeating: "AA", count: 30).joined(separator: " ")

    static let frames: [Case] = [
        Case("C16 half an SDU length", ["05"], ["a K-frame without the whole SDU length"]),
        Case("C16 nothing", [""], ["a K-frame without the whole SDU length"]),
        Case("C16 nothing in the middle of an SDU", ["05 00 01", ""], ["a K-frame without an octet"]),
        Case(
            "C17 more than the SDU length", ["05 00 01 02 03 04 05 06 07 08 09 0A"],
            ["more octets than the SDU length says"]),
        Case("C17 an SDU above the MTU", ["41 00 01"], ["an SDU of 65 octets, MTU is 64"]),
        Case(
            "C17 a later frame passes the SDU length", ["05 00 01 02", "03 04 05 06"],
            ["more octets than the SDU length says"]),
        Case(
            "C17 a frame above the MPS", [Array(repeating: "00", count: 33).joined(separator: " ")],
            ["a K-frame longer than the MPS"]),
        Case(
            "C18 more frames than credits", Array(repeating: "1E 00 " + full, count: 7),
            Array(repeating: full, count: 6) + ["a K-frame without a credit"]),
    ]

    @Test(arguments: frames) func `C16, C17 and C18 ends a channel whose rules the peer breaks, and no other`(
        _ row: Case
    ) throws {
        var bench = try Self.openedBench()
        bench.receive(try #require(Hex.octets("14 05 0A 00 80 00 41 00 40 00 40 00 02 00")), on: .signalling)
        bench.forget()
        for text in row.received { bench.receive(try #require(Hex.octets(text)), on: Self.channel) }
        let told = bench.events.map { event -> String in
            switch event {
            case .channel(_, .received(Self.channel, let sdu)): Hex.string(sdu, separator: " ")
            case .channel(_, .closed(Self.channel, .violation(let text))): text
            default: "\(event)"
            }
        }
        #expect(told == row.answers)
        // Asked to end, and nothing more.
        #expect(bench.sentPDUs().map { Hex.string($0.payload, separator: " ") } == ["06 01 04 00 40 00 40 00"])
        bench.forget()
        bench.receive([0x02, 0x00, 0x01, 0x02], on: Self.channel)
        #expect(bench.events.isEmpty)
        bench.receive([0x02, 0x00, 0x01, 0x02], on: ChannelIdentifier(rawValue: 0x0041))
        #expect(bench.events == [.channel(HostBench.handle, .received(ChannelIdentifier(rawValue: 0x0041), [1, 2]))])
    }

    // MARK: Our requests

    static let token = OperationToken(rawValue: 7)

    static let badAnswers: [(id: String, answer: String)] = [
        ("MTU 0", "15 01 0A 00 41 00 00 00 17 00 01 00 00 00"),
        ("MPS 0", "15 01 0A 00 41 00 17 00 00 00 01 00 00 00"),
        ("MPS 65535", "15 01 0A 00 41 00 17 00 FF FF 01 00 00 00"),
        ("channel 0x0004", "15 01 0A 00 04 00 17 00 17 00 01 00 00 00"),
        ("a channel that is in use", "15 01 0A 00 40 00 17 00 17 00 01 00 00 00"),
    ]

    @Test(arguments: badAnswers) func `C22 refuses a channel that is answered with nonsense`(
        _ row: (id: String, answer: String)
    ) throws {
        var bench = try Self.openedBench()
        bench.command(.channel(HostBench.handle, .open(Self.token, spsm: 0x25)))
        bench.receive(try #require(Hex.octets(row.answer)), on: .signalling)
        let failures = bench.events.filter { event in
            if case .channel(_, .openFailed(Self.token, .invalidResponse)) = event { true } else { false }
        }
        #expect(failures.count == 1)
        #expect(bench.events.count == 1)
        // Nothing comes of it later.
        bench.advance(by: .seconds(60))
        #expect(bench.events.count == 1)
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `C21 ignores a second response, and one with another identifier`() throws {
        var bench = Self.bench()
        bench.command(.channel(HostBench.handle, .open(Self.token, spsm: 0x25)))
        let answer = "15 01 0A 00 40 00 17 00 17 00 01 00 00 00"
        bench.receive(try #require(Hex.octets("15 02" + answer.dropFirst(5))), on: .signalling)
        #expect(bench.events.isEmpty)
        bench.receive(try #require(Hex.octets(answer)), on: .signalling)
        bench.receive(try #require(Hex.octets(answer)), on: .signalling)
        let info = ChannelInfo(channel: Self.channel, spsm: 0x25, mtu: 23)
        #expect(bench.events == [.channel(HostBench.handle, .opened(info, Self.token))])
    }

    @Test func `C20 a link can neither feed nor end another's channel`() throws {
        var bench = try Self.openedBench()
        let other = ConnectionHandle(rawValue: 0x0041)
        bench.linkMade(other, to: DeviceAddress(0xC0FF_EE00_0002, .randomDevice), as: .peripheral)
        bench.forget()
        bench.receive([0x16, 1, 4, 0, 0x40, 0, 0xFF, 0xFF], on: .signalling, of: other)
        bench.receive([0x06, 2, 4, 0, 0x40, 0, 0x40, 0], on: .signalling, of: other)
        #expect(
            bench.sentPDUs(of: other).map { Hex.string($0.payload, separator: " ") } == [
                "01 02 06 00 02 00 40 00 40 00"
            ])
        #expect(bench.events.isEmpty)
        bench.receive([0x01, 0x00, 0x55], on: Self.channel)
        #expect(bench.events == [.channel(HostBench.handle, .received(Self.channel, [0x55]))])
    }

    @Test func `C23 what is meant for a channel that the peer ends at once is dropped`() throws {
        var bench = try Self.openedBench()
        bench.completesData = false
        // More SDUs than the peer has given credits for.
        for _ in 0..<4 { bench.command(.channel(HostBench.handle, .send(Self.channel, [1, 2, 3]))) }
        bench.receive([0x06, 9, 4, 0, 0x40, 0, 0x40, 0], on: .signalling)
        #expect(bench.events.last == .channel(HostBench.handle, .closed(Self.channel, .peer)))
        bench.receive([0x16, 1, 4, 0, 0x40, 0, 0xFF, 0x00], on: .signalling)
        #expect(bench.sentPDUs().filter { $0.channel == Self.channel }.count == 2)
        // The host goes on.
        bench.receive([0x0A, 0x03, 0x00], on: .att)
        bench.completesData = true
        bench.receive(HCINumberOfCompletedPackets.packet(handle: HostBench.handle, count: 4))
        #expect(bench.sentPDUs().last?.channel == .att)
    }

    @Test func `C24 a flood of requests gets as many channels as a link may have`() throws {
        var bench = Self.bench { $0.channels.limit = 8 }
        var results: [UInt8: Int] = [:]
        for number in 0..<10_000 {
            bench.data = []
            let source = UInt8(0x40 + number % 64)
            let identifier = UInt8(1 + number % 255)
            bench.receive(
                [0x14, identifier, 10, 0, 0x80, 0, source, 0, 0x40, 0, 0x40, 0, 1, 0], on: .signalling)
            let answer = try #require(bench.sentPDUs().first?.payload)
            results[answer[12], default: 0] += 1
        }
        #expect(results == [0x00: 8, 0x04: 9_992])
    }

    @Test func `C25 on a link with a key that is too short, or that isn't used, the answer says so`() {
        var security = LinkSecurity()
        let listener = ChannelListener(needsEncryption: true, minimumKeySize: 16)
        security.hasKey = true
        #expect(listener.verdict(on: security) == .insufficientEncryption)
        security.isEncrypted = true
        security.keySize = 7
        #expect(listener.verdict(on: security) == .encryptionKeySizeTooShort)
        security.keySize = 16
        #expect(listener.verdict(on: security) == .success)
        let authenticated = ChannelListener(needsAuthentication: true)
        #expect(authenticated.verdict(on: security) == .insufficientAuthentication)
    }
}
