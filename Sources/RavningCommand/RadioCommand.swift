import BLEController
import BLERuntime
import BLETransport
import CommandLineKit
import Dispatch
import Glibc

/// `ravning radio`: hosts a virtual radio until it is told to end.
let radioCommand = Command(
    name: "radio", summary: "Host a virtual radio that programs with RAVNING_ADAPTER=virtual[:NAME] join",
    options: [
        Option("name", short: "n", value: "NAME", help: "The radio's name (default: \"default\")"),
        Option("tcp", short: "t", value: "PORT", help: "Take hosts that speak HCI H4 on this port of 127.0.0.1, too"),
        Option("unix", short: "u", value: "PATH", help: "Take hosts that speak HCI H4 on this unix socket, too"),
        Option("setup", value: "FILE", help: "Place devices, lose packets and open doors as the file says"),
        Option("capture", short: "c", value: "FILE.pcap", help: "Write what is on the air (link type 256)"),
        Option("keys", value: "FILE", help: "Write the keys of encrypted links, to read the capture with"),
        Option("seed", short: "s", value: "N", help: "What back-offs and losses come from (default: random)"),
        Option("generation", value: "VERSION", help: "Controllers as of 4.0, 4.2, 5.0 or 5.4 (default: 5.4)"),
        Option("links", value: "N", help: "Links of each controller (default: 20)"),
        Option("central-links", value: "N", help: "Links of each controller as central (default: as --links)"),
        Option("peripheral-links", value: "N", help: "Links of each controller as peripheral (default: as --links)"),
        Option("data-length", value: "OCTETS", help: "The longest packet on a link, 27 to 251 (default: 251)"),
        Option("phys", value: "LIST", help: "1M, or 1M with any of 2M and coded (default: 1M,2M,coded)"),
        Option("buffers", value: "N", help: "ACL packets that each controller holds (default: 8)"),
        Option("speed", value: "N", help: "Radio seconds for each second, 1 to 1000 (default: 1)"),
        Option("stdin", help: "End when standard input ends, too; its lines are orders, as in a setup"),
        Option("list", short: "l", help: "List the radios that are hosted, and end"),
    ], run: runRadio)

@Sendable private func runRadio(_ options: ParsedOptions) throws -> Int32 {
    let directory = try RuntimeDirectory(.process)
    if options.has("list") {
        for radio in directory.radios { printLine("\(radio.text) at \(directory.socket(of: radio))") }
        return 0
    }
    let name = try options.text("name").map { try RadioName($0, in: "--name") } ?? .standard
    var settings = HostedRadioSettings(
        name: name, seed: try options.number("seed", in: 0...UInt64.max) ?? UInt64.random(in: 0...UInt64.max))
    try readController(options, &settings.controller)
    if let buffers = try options.number("buffers", in: 1...255) { settings.controller.aclPacketCount = buffers }
    if let speed = try options.number("speed", in: 1...1000) { settings.speed = Double(speed) }
    let port = try options.number("tcp", in: UInt16.min...UInt16.max)
    let setup = try options.text("setup").map(readSetup) ?? RadioSetup()
    let seats = try Seats.read(setup)

    // Before any thread exists, so that none of them takes the signals: this one waits for them. (Not with a dispatch
    // source: on Linux that has lost one now and then.)
    var endings = sigset_t()
    sigemptyset(&endings)
    sigaddset(&endings, SIGINT)
    sigaddset(&endings, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &endings, nil)
    if options.has("keys"), !options.has("capture") { throw UsageError("--keys: is for a --capture") }
    let started = try RadioHost.start(
        settings, in: directory, capture: options.text("capture"), keys: options.text("keys"))
    guard let host = started else {
        throw TransportError(
            .unsupported, layer: "virtual:\(name.text)", cause: "another process hosts it",
            remedy: "end that one, or choose another --name")
    }
    if let port {
        let listener = try listenTCPSocket(port)
        host.radio.accept(from: listener.descriptor, isUnix: false)
        printLine("tcp 127.0.0.1:\(listener.port)")
    }
    if let path = options.text("unix") {
        host.radio.accept(from: try listenUnixSocket(path), isUnix: true)
        printLine("unix \(path)")
    }
    let paths = try setup.doors.compactMap { try open($0, on: host.radio) }
    host.radio.follow(setup)
    let devices = try Seats.fill(seats, on: name, in: directory, speed: settings.speed)
    printLine("radio \(name.text) at \(host.path)")
    if options.has("stdin") { followStandardInput(host.radio) }
    var received: Int32 = 0
    while sigwait(&endings, &received) != 0 {}
    for device in devices { device.stop() }
    host.stop()
    unlink(host.path)
    for path in paths + [options.text("unix")].compactMap({ $0 }) { unlink(path) }
    return 0
}

/// What each controller is to be: one of its generation, but for what is said in particular.
private func readController(_ options: ParsedOptions, _ controller: inout ControllerProfile) throws(UsageError) {
    if let version = options.text("generation") {
        guard let generation = ControllerProfile.Generation(rawValue: version) else {
            let all = ControllerProfile.Generation.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--generation: \"\(version)\" is none of \(all)")
        }
        controller.become(generation)
    }
    let range = 1...1000
    if let links = try options.number("links", in: range) {
        controller.maximumLinks = links
        controller.maximumLinksAsCentral = links
        controller.maximumLinksAsPeripheral = links
    }
    if let links = try options.number("central-links", in: range) { controller.maximumLinksAsCentral = links }
    if let links = try options.number("peripheral-links", in: range) { controller.maximumLinksAsPeripheral = links }
    if let length = try options.number("data-length", in: 27...251) { controller.maximumDataLength = length }
    guard let phys = options.text("phys")?.split(separator: ",") else { return }
    guard phys.contains("1M"), phys.allSatisfy({ ["1M", "2M", "coded"].contains($0) }) else {
        throw UsageError("--phys: write 1M, and 2M and coded if they're to be there, with commas between")
    }
    controller.supports2M = phys.contains("2M")
    controller.supportsCoded = phys.contains("coded")
}

/// Reads a setup from a file.
private func readSetup(_ path: String) throws -> RadioSetup {
    let text: [UInt8]
    do throws(FileError) {
        text = try contents(ofFile: path)
    } catch {
        throw TransportError(
            .unsupported, layer: "radio setup", cause: "\(path) can't be read: \(systemMessage(error.code))",
            remedy: "name another file")
    }
    return try RadioSetup(path: path, text: String(decoding: text, as: UTF8.self))
}

/// Opens a place where hosts may join as one device; its path, if it has one.
private func open(_ door: RadioSetup.Door, on radio: HostedRadio) throws -> String? {
    switch door.place {
    case .tcp(let port):
        let listener = try listenTCPSocket(port)
        radio.accept(from: listener.descriptor, isUnix: false, as: door.device)
        printLine("tcp 127.0.0.1:\(listener.port) \(door.device.text)")
        return nil
    case .unix(let path):
        radio.accept(from: try listenUnixSocket(path), isUnix: true, as: door.device)
        printLine("unix \(path) \(door.device.text)")
        return path
    }
}

/// Takes orders from standard input, and ends the command when it ends, on a thread that may wait for it.
private func followStandardInput(_ radio: HostedRadio) {
    DispatchQueue(label: "ravning.stdin").async {
        var number = 0
        while let line = readLine() {
            number += 1
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            if words.isEmpty { continue }
            do throws(RadioOrderError) {
                radio.perform(try RadioOrder(words))
            } catch {
                printError("standard input, line \(number): \(error.cause)")
            }
        }
        kill(getpid(), SIGTERM)
    }
}
