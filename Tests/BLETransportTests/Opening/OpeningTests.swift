import BLETestSupport
import BLETransport
import CLinuxSupport
import Glibc
import Testing

/// A network namespace of its own has no loopback until somebody brings it up.
let loopbackIsUp: Bool = {
    guard let listener = try? listenTCPSocket(0) else { return false }
    defer { close(listener.descriptor) }
    // Listening works without the interface; connecting doesn't.
    guard let connected = try? connectTCPSocket("127.0.0.1", listener.port) else { return false }
    close(connected)
    return true
}()

@Suite struct OpeningTests {
    private func error(_ text: String) -> TransportError? {
        do throws(TransportError) {
            _ = try TransportAddress(text).open()
            return nil
        } catch {
            return error
        }
    }

    // MARK: User channel

    @Test(arguments: [
        (EPERM, TransportError.Kind.unauthorized),
        (EACCES, .unauthorized),
        (EAFNOSUPPORT, .unsupported),
        (ENODEV, .unsupported),
        (EBUSY, .unavailable),
        (EUSERS, .unavailable),
        (132, .unavailable),
        (EIO, .unsupported),
    ])
    func `says in one line why the user channel can't be opened`(code: Int32, kind: TransportError.Kind) {
        let error = userChannelError(1, code: code)
        #expect(error.kind == kind)
        #expect(error.layer == "hci:1")
        #expect(!error.cause.isEmpty && !error.remedy.isEmpty)
        #expect(!error.description.contains("\n"))
    }

    /// A folder as /proc: processes with a name and descriptors, and the kernel's table of HCI sockets.
    private func processes(
        _ all: [(number: Int32, name: String, inode: Int)], sockets: [Int]
    ) throws
        -> TemporaryFolder
    {
        let temporary = TemporaryFolder()
        let folder = temporary.path
        func write(_ text: String, _ path: String) throws {
            let file = try #require(fopen(folder + path, "w"))
            fputs(text, file)
            fclose(file)
        }
        mkdir(folder + "/net", 0o700)
        let rows = sockets.map { "ffff888003c3a800 2      0      0      0      \($0) 0\n" }.joined()
        try write("sk               RefCnt Rmem   Wmem   User   Inode  Parent\n" + rows, "/net/hci")
        for process in all {
            mkdir("\(folder)/\(process.number)", 0o700)
            mkdir("\(folder)/\(process.number)/fd", 0o700)
            try write(process.name + "\n", "/\(process.number)/comm")
            symlink("socket:[\(process.inode)]", "\(folder)/\(process.number)/fd/7")
        }
        return temporary
    }

    @Test func `names the program that has the adapter, or the daemon that manages it`() throws {
        let daemon = (number: Int32(87), name: "bluetoothd", inode: 1)
        let monitor = (number: Int32(90), name: "btmon", inode: 2)
        let program = (number: Int32(201), name: "Sensor", inode: 3)
        let other = (number: Int32(202), name: "sshd", inode: 4)
        let folder = try processes([daemon, monitor, program, other], sockets: [2, 3])
        let all = AdapterHolder.all(processes: folder.path)
        // The daemon counts also where its descriptors can't be seen.
        #expect(
            all == [
                AdapterHolder(program: "bluetoothd", process: 87), AdapterHolder(program: "btmon", process: 90),
                AdapterHolder(program: "Sensor", process: 201),
            ])
        #expect(
            userChannelError(1, code: EBUSY, holders: all).description
                == "hci:1: another program has the adapter: Sensor (process 201); end that program, or name another adapter"
        )
        #expect(
            userChannelError(1, code: EBUSY, holders: Array(all.prefix(2))).cause
                == "the adapter is up, and bluetoothd (process 87) manages it")
        #expect(
            userChannelError(1, code: EUSERS, holders: []).cause == "the adapter is up, or another program has it")
    }

    @Test func `finds no holder where the kernel has no Bluetooth, or nothing can be read`() throws {
        let folder = try processes([(number: 5, name: "init", inode: 9)], sockets: [])
        #expect(AdapterHolder.all(processes: folder.path).isEmpty)
        #expect(AdapterHolder.all(processes: folder.path + "/nowhere").isEmpty)
    }

    @Test func `fails with the adapter's name where there is no such adapter`() {
        #expect(error("hci:999")?.layer == "hci:999")
    }

    // MARK: Unix sockets

    @Test func `says that nobody listens`() {
        #expect(
            error("unix:/nowhere/at/all")?.description
                == "unix:/nowhere/at/all: nobody listens there; start the controller's program, or correct RAVNING_ADAPTER"
        )
    }

    @Test func `refuses a path that no unix socket can have`() {
        let error = error("unix:/" + String(repeating: "x", count: 200))
        #expect(error?.kind == .unsupported)
        #expect(error?.cause == "the path is longer than the 107 octets of a unix socket")
    }

    @Test func `connects to a unix socket that was put in place of an old one`() throws {
        let path = temporaryPath("socket")
        let old = try listenUnixSocket(path)
        close(old)
        let listener = try listenUnixSocket(path)
        defer {
            close(listener)
            unlink(path)
        }
        let transport = try TransportAddress("unix:\(path)").open()
        let accepted = cls_accept(listener)
        defer { close(accepted) }
        #expect(transport.send([[0x01, 0x03, 0x0C, 0x00]]) == .open)
        var octets = [UInt8](repeating: 0, count: 16)
        #expect(read(accepted, &octets, 16) == 4)
        var user: uid_t = 0
        #expect(cls_peer_user(accepted, &user) == 0)
        #expect(user == getuid())
    }

    // MARK: TCP

    @Test(.enabled(if: loopbackIsUp, "this namespace has no loopback interface"))
    func `connects to a port`() throws {
        let listener = try listenTCPSocket(0)
        defer { close(listener.descriptor) }
        let transport = try TransportAddress("tcp:127.0.0.1:\(listener.port)").open()
        let accepted = cls_accept(listener.descriptor)
        defer { close(accepted) }
        #expect(transport.send([[0x01, 0x03, 0x0C, 0x00]]) == .open)
        var poll = pollfd(fd: accepted, events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&poll, 1, 10_000) == 1)
        var octets = [UInt8](repeating: 0, count: 16)
        #expect(read(accepted, &octets, 16) == 4)
    }

    @Test(.enabled(if: loopbackIsUp, "this namespace has no loopback interface"))
    func `says that a port is closed`() throws {
        let listener = try listenTCPSocket(0)
        close(listener.descriptor)
        let error = error("tcp:127.0.0.1:\(listener.port)")
        #expect(error?.kind == .unavailable)
        #expect(error?.cause == "can't connect: Connection refused")
    }

    @Test func `says that a host isn't known`() {
        let error = error("tcp:no such host:1")
        #expect(error?.kind == .unavailable)
        #expect(error?.cause.hasPrefix("the host isn't known: ") == true)
    }
}

/// A path of this test process, short enough for a socket.
func temporaryPath(_ name: String) -> String {
    "/tmp/ravning-test-\(getpid())-\(UInt32.random(in: 0 ... .max))-\(name)"
}
