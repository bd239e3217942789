import Glibc

/// Takes octets that may be anything. It must neither trap nor run without end; what else must hold it checks itself.
protocol Fuzzer: Sendable {
    static func run(_ octets: [UInt8])
}

/// The fuzzers by name: the environment variable `RAVNING_FUZZ` chooses one, and `Tests/Corpus/<name>` holds its
/// inputs.
let fuzzers: [(name: String, type: any Fuzzer.Type)] = [
    ("HCIEvents", HCIEventsFuzzer.self),
    ("HCICommands", HCICommandsFuzzer.self),
    ("AdvertisingData", AdvertisingDataFuzzer.self),
    ("WireDecoders", WireDecodersFuzzer.self),
    ("Captures", CapturesFuzzer.self),
    ("ATTServer", ATTServerFuzzer.self),
    ("ATTClient", ATTClientFuzzer.self),
    ("L2CAP", L2CAPFuzzer.self),
    ("Pairing", PairingFuzzer.self),
    ("Radio", RadioFuzzer.self),
]

/// The one that runs in this process.
let chosen: any Fuzzer.Type = {
    let name = getenv("RAVNING_FUZZ").map { String(cString: $0) } ?? ""
    guard let fuzzer = fuzzers.first(where: { $0.name == name }) else {
        print("RAVNING_FUZZ is one of " + fuzzers.map(\.name).joined(separator: " "))
        exit(2)
    }
    return fuzzer.type
}()

/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.run(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}

/// Ends the process where a rule is broken: libFuzzer then keeps the input.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) {
    if !holds { fatalError(rule()) }
}
