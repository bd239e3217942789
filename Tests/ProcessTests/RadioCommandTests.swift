import BLETestSupport
import BLETransport
import BLEWire
import Glibc
import Testing

/// `ravning` as a process.
@Suite struct RadioCommandTests {
    private let fixture = ProcessFixture()

    @Test func `hosts a radio until it is told to end, and says where`() async throws {
        let radio = try await fixture.startRadio(["--name", "lab"])
        #expect(radio.lines.all == ["radio lab at \(fixture.folder)/ravning/lab.radio"])
        radio.send(SIGTERM)
        #expect(try await radio.end() == .exited(0))
    }

    @Test func `ends with its standard input when asked to`() async throws {
        let radio = try await fixture.startRadio()
        radio.closeInput()
        #expect(try await radio.end() == .exited(0))
    }

    private func write(_ text: String, to name: String) throws -> String {
        let path = fixture.folder + "/" + name
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        return path
    }

    @Test func `opens the doors of a setup, and takes orders from standard input`() async throws {
        let socket = fixture.folder + "/tag.hci"
        let setup = try write("tcp 0 phone\nunix \(socket) tag\nplace tag 3 0\nafter 1\nloss 0.5\n", to: "setup")
        let radio = try await fixture.startRadio(["--setup", setup])
        let lines = radio.lines.all
        #expect(lines.count == 3 && lines[0].hasPrefix("tcp 127.0.0.1:") && lines[0].hasSuffix(" phone"), "\(lines)")
        #expect(lines[1] == "unix \(socket) tag")
        for line in ["place tag 1 1", "", "place tag", "fly"] { radio.type(line) }
        try await radio.line(containing: "standard input, line 3: \"place\" wants NAME X Y [Z], in metres")
        try await radio.line(containing: "standard input, line 4: there is no order \"fly\"")
        radio.closeInput()
        #expect(try await radio.end() == .exited(0))
        // Its socket is gone with it.
        #expect(access(socket, F_OK) != 0)
    }

    @Test func `refuses a setup that can't be read, and names the line`() async throws {
        for (setup, cause) in [
            (try write("loss 2\n", to: "wrong"), "wrong, line 1: \"2\" isn't between 0.0 and 1.0 (probability)"),
            (fixture.folder + "/none", "none can't be read: No such file or directory"),
            (fixture.folder, "can't be read: Is a directory"),
        ] {
            let radio = try fixture.start("ravning", ["radio", "--setup", setup])
            #expect(try await radio.end() == .exited(1))
            #expect(radio.lines.all.count == 1 && radio.lines.all[0].contains(cause), "\(radio.lines.all)")
        }
    }

    @Test func `lists the radios that are hosted`() async throws {
        let radios = [try await fixture.startRadio(["--name", "b"]), try await fixture.startRadio(["--name", "a"])]
        let list = try fixture.start("ravning", ["radio", "--list"])
        #expect(try await list.end() == .exited(0))
        #expect(list.lines.all.map { $0.prefix(2) } == ["a ", "b "])
        for radio in radios { radio.send(SIGINT) }
    }

    @Test func `refuses a radio that another process hosts`() async throws {
        let first = try await fixture.startRadio()
        let second = try fixture.start("ravning", ["radio"])
        #expect(try await second.end() == .exited(1))
        #expect(
            second.lines.all == [
                "ravning: radio: virtual:default: another process hosts it; end that one, or choose another --name"
            ])
        first.send(SIGTERM)
    }

    @Test func `takes the radio over from a host that was killed`() async throws {
        let first = try await fixture.startRadio()
        first.send(SIGKILL)
        #expect(try await first.end() == .killed(signal: SIGKILL))
        let second = try await fixture.startRadio()
        second.send(SIGTERM)
        #expect(try await second.end() == .exited(0))
    }

    /// Sends a command to a controller and waits for its Command Complete.
    private func perform<Command: HCICommandPDU>(
        _ command: Command, on controller: any HCITransport
    ) throws -> Command.ReturnParameters {
        #expect(controller.send([command.packet()]) == .open)
        var packets: [[UInt8]] = []
        while true {
            for packet in packets {
                guard case .event(.commandComplete(let answer)) = try HCIPacket(decoding: packet),
                    answer.opcode == Command.opcode
                else { continue }
                return try answer.returned(by: Command.self)
            }
            packets = []
            var wait = pollfd(fd: controller.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&wait, 1, 60_000) == 1)
            try #require(controller.receive(into: &packets) == .open)
        }
    }

    @Test(
        arguments: [
            ([], 13, 251), (["--generation", "5.4"], 13, 251), (["--generation", "5.0"], 9, 251),
            (["--generation", "4.2"], 8, 251), (["--generation", "4.0"], 6, 27),
            (["--generation", "4.2", "--data-length", "60"], 8, 60),
        ] as [([String], UInt8, UInt16)])
    func `hosts controllers of a generation, but for what is said in particular`(
        arguments: [String], version: UInt8, octets: UInt16
    ) async throws {
        let socket = fixture.folder + "/hci"
        let radio = try await fixture.startRadio(["--unix", socket] + arguments)
        let controller = try TransportAddress.unix(path: socket).open()
        let local = try perform(HCIReadLocalVersionInformation(), on: controller)
        #expect(local.hciVersion == version)
        let features = try perform(LEReadLocalSupportedFeatures(), on: controller).features
        #expect(features.contains(.le2M) == (version >= 9))
        #expect(features.contains(.extendedAdvertising) == (version >= 9))
        #expect(features.contains(.leCoded) == (version >= 13))
        #expect(features.contains(.privacy) == (version >= 8))
        if version >= 8 {
            #expect(try perform(LEReadMaximumDataLength(), on: controller).maxTransmitOctets == octets)
        } else {
            #expect(!features.contains(.dataPacketLengthExtension))
        }
        radio.send(SIGTERM)
        #expect(try await radio.end() == .exited(0))
    }

    @Test(
        arguments: [
            (["radio", "--generation", "6.0"], 64), (["radio", "--generation", ""], 64),
            (["radio", "--links", "0"], 64), (["radio", "--data-length", "26"], 64), (["radio", "--phys", "2M"], 64),
            (["radio", "--nonsense"], 64), (["radio", "extra"], 64),
            (["nonsense"], 64),
            ([], 64), (["--help"], 0), (["radio", "--help"], 0), (["--version"], 0), (["dissect", "/nowhere"], 1),
        ] as [([String], Int32)])
    func `ends with the exit code of its kind`(arguments: [String], code: Int32) async throws {
        let program = try fixture.start("ravning", arguments)
        #expect(try await program.end() == .exited(code))
        #expect(!program.lines.all.isEmpty)
    }
}
