import BLETransport
import BLEWire
import CommandLineKit
import Glibc

/// `ravning dissect`: a btsnoop file, packet by packet and layer by layer.
let dissectCommand = Command(
    name: "dissect", summary: "Show the packets of a btsnoop capture, layer by layer", arguments: "FILE",
    argumentCount: 1...1, run: runDissect)

@Sendable private func runDissect(_ options: ParsedOptions) throws -> Int32 {
    let path = options.arguments[0]
    var reader = BTSnoopReader(try readFile(path))
    var number = 0
    var begin: Int64 = 0
    while let record = reader.next() {
        number += 1
        if number == 1 { begin = record.unixMicroseconds }
        let way = record.direction == .hostToController ? "host → controller" : "controller → host"
        guard printLine("#\(number)  \(seconds(record.unixMicroseconds - begin))  \(way)") else { return 0 }
        for line in Dissection.packet(h4: record.packet).lines {
            guard printLine("    " + line) else { return 0 }
        }
    }
    // What came before the fault has been shown.
    if let fault = reader.fault { throw CaptureError(path: path, fault: fault) }
    return 0
}

private struct CaptureError: Error, CustomStringConvertible {
    let path: String
    let fault: CaptureFault
    var description: String { "\(path): \(fault)" }
}

/// `12.345678`, from the first packet on; a clock that was set back gives a minus.
private func seconds(_ microseconds: Int64) -> String {
    let magnitude = microseconds.magnitude
    let fraction = String(magnitude % 1_000_000)
    let padded = String(repeating: "0", count: 6 - fraction.count) + fraction
    return (microseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000).\(padded)"
}

private func readFile(_ path: String) throws -> [UInt8] {
    do throws(FileError) {
        return try contents(ofFile: path)
    } catch {
        throw TransportError(
            .unsupported, layer: "file", cause: "\(path) can't be read: \(systemMessage(error.code))",
            remedy: "name a capture that is there and readable")
    }
}
