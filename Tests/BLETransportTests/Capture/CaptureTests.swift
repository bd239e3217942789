import BLETransport
import BLEWire
import Glibc
import BLELocking
import Testing

private func contents(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &octets, octets.count)
    return Array(octets.prefix(max(0, count)))
}

@Suite struct HCICaptureTests {
    private let path = temporaryPath("capture.btsnoop")
    private let command: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    private let event: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

    @Test func `has each record in the file at once, with its direction and time`() throws {
        defer { unlink(path) }
        let capture = try HCICapture(path: path, now: { 1_700_000_000_123_456_789 })
        capture.record([command], .hostToController)
        capture.record([event, event], .controllerToHost)
        // The capture is still open: what is in the file is what a killed program would leave.
        let (records, fault) = BTSnoopReader.records(in: contents(path))
        #expect(fault == nil)
        #expect(records.map(\.packet) == [command, event, event])
        #expect(records.map(\.direction) == [.hostToController, .controllerToHost, .controllerToHost])
        #expect(records.allSatisfy { $0.unixMicroseconds == 1_700_000_000_123_456 })
        withExtendedLifetime(capture) {}
    }

    @Test func `begins an old file anew`() throws {
        defer { unlink(path) }
        try HCICapture(path: path).record([command, command], .hostToController)
        try HCICapture(path: path).record([event], .controllerToHost)
        #expect(BTSnoopReader.records(in: contents(path)).records.map(\.packet) == [event])
    }

    @Test func `refuses a file that another one is writing`() throws {
        defer { unlink(path) }
        let first = try HCICapture(path: path)
        #expect {
            try HCICapture(path: path)
        } throws: { error in
            (error as? TransportError)?.cause == "another program is writing \(path)"
        }
        withExtendedLifetime(first) {}
    }

    @Test func `says that a file can't be written`() {
        #expect {
            try HCICapture(path: "/nowhere/x.btsnoop")
        } throws: { error in
            (error as? TransportError)?.cause == "/nowhere/x.btsnoop can't be written: No such file or directory"
        }
    }

    @Test func `stops at the first write that fails`() throws {
        let messages = Locked<[String]>([])
        let file = try CaptureFile(path: "/dev/full", header: [1]) { message in messages.withLock { $0.append(message) }
        }
        file.append([2])
        #expect(
            messages.withLock { $0 } == ["/dev/full can't be written: No space left on device; the capture ends here"])
    }
}
