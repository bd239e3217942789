import BLEHost
import BLEWire
import Testing

@Suite struct SignallingTests {
    /// Sends on the signalling channel and says what comes back, as text.
    static func exchange(_ text: String, as role: LERole, _ bench: inout HostBench) throws -> [String] {
        bench.data = []
        bench.receive(try #require(Hex.octets(text)), on: .signalling)
        return bench.sentPDUs().filter { $0.channel == .signalling }.map { Hex.string($0.payload, separator: " ") }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var received: String
        var answers: [String]
    }

    static let atPeripheral: [Case] = [
        Case(testDescription: "an unknown code", received: "7F 05 00 00", answers: ["01 05 02 00 00 00"]),
        Case(
            testDescription: "an echo request, which LE doesn't have", received: "08 01 00 00",
            answers: ["01 01 02 00 00 00"]),
        Case(
            testDescription: "a parameter request from a central", received: "12 02 08 00 18 00 28 00 00 00 C8 00",
            answers: ["01 02 02 00 00 00"]),
        Case(
            testDescription: "a request for a channel to a service that isn't there",
            received: "14 03 0A 00 80 00 40 00 40 00 40 00 01 00",
            answers: ["15 03 0A 00 00 00 00 00 00 00 00 00 02 00"]),
        Case(
            testDescription: "the end of a channel that isn't there", received: "06 04 04 00 41 00 42 00",
            answers: ["01 04 06 00 02 00 41 00 42 00"]),
        Case(testDescription: "a response nobody waits for", received: "13 09 02 00 00 00", answers: []),
        Case(testDescription: "a reject nobody waits for", received: "01 09 02 00 00 00", answers: []),
        Case(testDescription: "credits for no channel", received: "16 01 04 00 40 00 01 00", answers: []),
        Case(testDescription: "identifier 0", received: "7F 00 00 00", answers: []),
        Case(testDescription: "nothing", received: "", answers: []),
        Case(testDescription: "a code alone", received: "12", answers: []),
        Case(testDescription: "a header cut short", received: "12 06 08", answers: ["01 06 02 00 00 00"]),
        Case(testDescription: "less data than said", received: "12 06 08 00 01", answers: ["01 06 02 00 00 00"]),
        Case(
            testDescription: "two commands in one PDU", received: "7F 05 00 00 7F 06 00 00",
            answers: ["01 05 02 00 00 00"]),
        Case(
            testDescription: "more than the signalling MTU",
            received: "7F 05 14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
            answers: ["01 05 04 00 01 00 17 00"]),
        Case(
            testDescription: "a response of more than the signalling MTU",
            received: "13 05 14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", answers: []),
    ]

    @Test(arguments: atPeripheral) func `answers as a peripheral what has to be answered`(_ row: Case) throws {
        var bench = HostBench.linked(as: .peripheral)
        #expect(try Self.exchange(row.received, as: .peripheral, &bench) == row.answers)
        #expect(bench.events.isEmpty)
    }

    @Test func `grants a peripheral parameters within the policy and begins the update`() throws {
        var bench = HostBench.linked(as: .central)
        // 30 ms to 50 ms, latency 4, time-out 2 s.
        let answers = try Self.exchange("12 02 08 00 18 00 28 00 04 00 C8 00", as: .central, &bench)
        #expect(answers == ["13 02 02 00 00 00"])
        #expect(
            bench.commands.map { Hex.string($0, separator: " ") } == [
                "01 13 20 0E 40 00 18 00 28 00 04 00 C8 00 00 00 00 00"
            ])
        #expect(bench.events == [.connectionUpdated(HostBench.handle, nil)])
    }

    static let refused = [
        "12 02 08 00 06 00 09 00 00 00 C8 00",  // 11.25 ms at most: too fast for a phone
        "12 02 08 00 28 00 18 00 00 00 C8 00",  // minimum above maximum
        "12 02 08 00 18 00 28 00 1F 00 C8 00",  // latency 31
        "12 02 08 00 18 00 28 00 00 00 48 00",  // a time-out of 720 ms
        "12 02 08 00 18 00 28 00 14 00 C8 00",  // a time-out shorter than twice the silence
        "12 02 08 00 00 00 00 00 00 00 00 00",  // nothing in range
    ]

    @Test(arguments: refused) func `C10 refuses a peripheral parameters outside the policy`(_ text: String) throws {
        var bench = HostBench.linked(as: .central)
        #expect(try Self.exchange(text, as: .central, &bench) == ["13 02 02 00 01 00"])
        #expect(bench.commands.isEmpty)
    }

    static func parameters() -> ConnectionParameters {
        var parameters = ConnectionParameters()
        parameters.supervisionTimeout = 200
        return parameters
    }

    /// A peripheral whose controller can't ask the other controller.
    static func askingPeripheral() -> HostBench {
        var bench = HostBench.linked(as: .peripheral) { $0.features = [] }
        bench.command(.updateConnection(HostBench.handle, parameters()))
        return bench
    }

    @Test func `asks as a peripheral by L2CAP where the controller can't`() {
        let bench = Self.askingPeripheral()
        #expect(
            bench.sentPDUs().map { Hex.string($0.payload, separator: " ") } == ["12 01 08 00 18 00 18 00 00 00 C8 00"])
        #expect(bench.commands.isEmpty)
        #expect(bench.events.isEmpty)
    }

    @Test func `tells of granted parameters when they hold`() {
        var bench = Self.askingPeripheral()
        bench.receive([0x13, 0x01, 2, 0, 0, 0], on: .signalling)
        #expect(bench.events.isEmpty)
        bench.receive(LEConnectionUpdateComplete(handle: HostBench.handle).packet())
        #expect(bench.events == [.connectionUpdated(HostBench.handle, nil)])
    }

    @Test func `tells of refused parameters`() {
        var bench = Self.askingPeripheral()
        bench.receive([0x13, 0x01, 2, 0, 1, 0], on: .signalling)
        #expect(bench.events == [.connectionUpdated(HostBench.handle, .hci(.unacceptableParameters))])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `ignores an answer to another request`() {
        var bench = Self.askingPeripheral()
        bench.receive([0x13, 0x07, 2, 0, 1, 0], on: .signalling)
        #expect(bench.events.isEmpty)
    }

    @Test func `doesn't wait for ever for an answer to a request for parameters`() {
        var bench = Self.askingPeripheral()
        bench.advance(by: .milliseconds(29_999))
        #expect(bench.events.isEmpty)
        bench.advance(by: .milliseconds(1))
        let error = HostError.invalidResponse("no answer to the request for connection parameters")
        #expect(bench.events == [.connectionUpdated(HostBench.handle, error)])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `asks again only when the request before was answered, with the next identifier`() {
        var bench = Self.askingPeripheral()
        bench.command(.updateConnection(HostBench.handle, Self.parameters()))
        #expect(bench.sentPDUs().count == 1)
        bench.receive([0x13, 0x01, 2, 0, 1, 0], on: .signalling)
        #expect(bench.sentPDUs().last?.payload.prefix(2) == [0x12, 0x02])
    }

    @Test func `goes from the controllers' procedure to L2CAP where the central's controller lacks it`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.controller.answer(
            LEConnectionUpdate.self,
            [
                LEConnectionUpdate.accepted(),
                LEConnectionUpdateComplete(status: .unsupportedRemoteFeature, handle: HostBench.handle).packet(),
            ])
        bench.command(.updateConnection(HostBench.handle, Self.parameters()))
        #expect(bench.opcodes == [.leConnectionUpdate])
        #expect(bench.sentPDUs().map(\.payload.first) == [0x12])
        #expect(bench.events.isEmpty)
    }
}
