import BLETransport
import CLinuxSupport
import Glibc
import Testing

private let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
private let resetDone: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

/// A pseudo-terminal: the test has the controller's end.
private final class SerialLine {
    let master: Int32
    let device: String

    init() {
        var (master, slave) = (Int32(-1), Int32(-1))
        var name = [CChar](repeating: 0, count: 128)
        let result = openpty(&master, &slave, &name, nil, nil)
        #expect(result == 0)
        close(slave)
        self.master = master
        device = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { close(master) }

    func open(_ settings: String = "") throws -> any HCITransport {
        try TransportAddress("serial:\(device)\(settings)").open()
    }

    func write(_ octets: [UInt8]) { #expect(Glibc.write(master, octets, octets.count) == octets.count) }

    func read() -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(master, &octets, octets.count)
        return Array(octets.prefix(max(0, count)))
    }
}

/// What a transport receives next: it's there at once or soon.
private func received(_ transport: any HCITransport) -> (packets: [[UInt8]], status: TransportStatus) {
    var wait = pollfd(fd: transport.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&wait, 1, 10_000) == 1)
    var packets: [[UInt8]] = []
    let status = transport.receive(into: &packets)
    return (packets, status)
}

@Suite struct SerialPortTests {
    private func error(_ text: String) -> TransportError? {
        do throws(TransportError) {
            _ = try TransportAddress(text).open()
            return nil
        } catch {
            return error
        }
    }

    @Test func `opens a terminal device raw at the baud rate asked for`() throws {
        let line = SerialLine()
        let transport = try line.open("@1234567")
        var baud: UInt32 = 0
        #expect(cls_serial_baud(transport.descriptor, &baud) == 0)
        #expect(baud == 1_234_567)

        // Octets that a terminal in its usual mode would change or swallow.
        let event: [UInt8] = [0x04, 0xFF, 0x05, 0x0D, 0x03, 0x04, 0x11, 0x7F]
        line.write(resetDone + event)
        let (packets, status) = received(transport)
        #expect(status == .open)
        #expect(packets == [resetDone, event])

        let command: [UInt8] = [0x01, 0x0A, 0x0D, 0x01, 0x0A]
        #expect(transport.send([command]) == .open)
        #expect(line.read() == command)
    }

    @Test(arguments: [("", true), ("@9600", true), ("@9600,flow", true), ("@9600,noflow", false)])
    func `uses RTS and CTS unless it is told not to`(settings: String, hasFlowControl: Bool) throws {
        let line = SerialLine()
        let transport = try line.open(settings)
        var terminal = termios()
        #expect(tcgetattr(transport.descriptor, &terminal) == 0)
        /// CRTSCTS, which Glibc's module doesn't name.
        let flowControl: tcflag_t = 0x8000_0000
        #expect((terminal.c_cflag & flowControl != 0) == hasFlowControl)
    }

    @Test func `garbage in the middle of a session closes the port, and what is left of it is skipped on the next one`()
        throws
    {
        let line = SerialLine()
        let first = try line.open()
        line.write(resetDone + [0x04, 0xFF, 0x01, 0x07] + [0x99, 0x04, 0x0E])
        let (packets, status) = received(first)
        #expect(packets == [resetDone, [0x04, 0xFF, 0x01, 0x07]])
        #expect(status == .closed(reason: "0x99 came where an H4 packet indicator belongs"))
        first.close()
        let second = try line.open()
        #expect(second.send([reset]) == .open)
        #expect(line.read() == reset)
        // A Hardware Error of a controller that has lost its place as well, cut, and then the answer.
        line.write([0x01, 0x07, 0x04, 0x10] + resetDone + [0x04, 0x10, 0x01, 0x00])
        let (more, statusOfMore) = received(second)
        #expect(statusOfMore == .open)
        #expect(more == [resetDone, [0x04, 0x10, 0x01, 0x00]])
    }

    @Test func `is closed when the other end of the line is gone, after what it wrote`() throws {
        var line: SerialLine? = SerialLine()
        let transport = try #require(try line?.open())
        line?.write(resetDone)
        let (packets, status) = received(transport)
        #expect(packets == [resetDone])
        #expect(status == .open)
        line = nil
        guard case (let rest, .closed) = received(transport) else {
            Issue.record("it's open")
            return
        }
        #expect(rest.isEmpty)
    }

    @Test(
        arguments: [
            (115_200, 115_200, true), (117_647, 115_200, true), (112_500, 115_200, true), (125_000, 115_200, false),
            (9_600, 115_200, false), (0, 115_200, false), (4_000_000, 4_294_967_295, false), (1, 1, true),
        ] as [(UInt32, UInt32, Bool)])
    func `a rate that a device has rounded does if it's near enough`(actual: UInt32, wanted: UInt32, isNear: Bool) {
        #expect(isBaud(actual, near: wanted) == isNear)
    }

    @Test func `says that a file is no serial device`() {
        #expect(error("serial:/dev/null")?.cause == "it is no serial device")
    }

    @Test func `says that there is no such serial device`() {
        #expect(error("serial:/dev/no-such-device")?.cause == "there is no such device")
    }
}
