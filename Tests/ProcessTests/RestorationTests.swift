import BLETestSupport
import Glibc
import Testing

/// Programs with restore identifiers that are killed at a point of their flow and started again. [contract 3, 35, 124]
@Suite struct RestorationTests {
    private let fixture = ProcessFixture()

    private func start(_ role: String, as device: String) throws -> ChildProcess {
        try fixture.start("RestoreProbe", [role, "Thing"], ["RAVNING_DEVICE": device])
    }

    private func kill(_ program: ChildProcess) async throws {
        program.send(SIGKILL)
        #expect(try await program.end() == .killed(signal: SIGKILL))
    }

    @Test(arguments: ["connecting ", "connected ", "services "])
    func `a central killed at a point of its flow gets its peripheral back and reaches it again`(
        point: String
    ) async throws {
        let radio = try await fixture.startRadio()
        let peripheral = try start("peripheral", as: "thing")
        try await peripheral.line(containing: "advertising")
        let first = try start("central", as: "phone")
        let identifier = try await first.line(containing: "connecting ").dropFirst("connecting ".count)
        try await first.line(containing: point)
        try await kill(first)

        let second = try start("central", as: "phone")
        #expect(try await second.line(containing: "restored") == "restored [\"\(identifier) state 1\"] scan false")
        try await second.line(containing: "connected \(identifier)")
        try await second.line(containing: "services [\"FFF0\"]")
        #expect(second.lines.all.prefix(2).last == "state 5")
        try await kill(second)
        try await kill(peripheral)
        withExtendedLifetime(radio) {}
    }

    @Test func `a central killed while it scans goes on scanning`() async throws {
        let radio = try await fixture.startRadio()
        let first = try start("central", as: "phone")
        try await first.line(containing: "scanning")
        try await kill(first)
        let second = try start("central", as: "phone")
        #expect(try await second.line(containing: "restored") == "restored [] scan true")
        try await second.line(containing: "state 5")
        #expect(!second.lines.all.contains("scanning"))
        let peripheral = try start("peripheral", as: "thing")
        try await second.line(containing: "connected ")
        try await kill(second)
        try await kill(peripheral)
        withExtendedLifetime(radio) {}
    }

    @Test func `a peripheral that is killed serves again, and its central is connected anew`() async throws {
        let radio = try await fixture.startRadio()
        let first = try start("peripheral", as: "thing")
        try await first.line(containing: "advertising")
        let central = try start("central", as: "phone")
        try await central.line(containing: "services [\"FFF0\"]")
        try await kill(first)
        try await central.line(containing: "disconnected ")
        let second = try start("peripheral", as: "thing")
        #expect(try await second.line(containing: "restored") == "restored [\"FFF0\"] Thing")
        try await second.line(containing: "state 5 advertising true")
        try await central.lines.wait { lines in lines.count { $0.hasPrefix("services [\"FFF0\"]") } == 2 }
        #expect(!second.lines.all.contains("advertising"))
        try await kill(central)
        try await kill(second)
        withExtendedLifetime(radio) {}
    }
}
