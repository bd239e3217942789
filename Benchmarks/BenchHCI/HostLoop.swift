import BLEHost
import BLEWire
import Glibc

/// The system's generator as a value of its own.
struct SystemRandom: RandomNumberGenerator, Sendable {
    private var system = SystemRandomNumberGenerator()
    mutating func next() -> UInt64 { system.next() }
}

/// A host machine on a stream socket: blocking reads, one write for all that a read brings about.
///
/// *Limits*: its timers aren't served: the other side always answers.
struct HostLoop {
    private var host: HostMachine
    private let descriptor: Int32
    private var deframer = H4Deframer(side: .host)
    private var out: [HostOutput] = []
    private var unsent: [UInt8] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    private var now = Instant.start
    /// Events that nobody has looked at.
    private var events = [HostEvent]()

    init(_ settings: Settings) {
        var configuration = HostConfiguration()
        configuration.preferredMTU = settings.mtu
        configuration.asCentral = .none
        configuration.advertising.continuesAfterConnection = settings.takesMany
        configuration.server.hasGenericAccess = false
        configuration.server.hasGenericAttribute = false
        host = HostMachine(configuration: configuration, random: SystemRandom())
        descriptor = settings.descriptor ?? Self.connect(to: settings.port)
        unsent.reserveCapacity(1 << 16)
    }

    private static func connect(to port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            print("can't connect to port \(port)")
            exit(1)
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    mutating func command(_ command: HostCommand) {
        host.handle(.command(command), at: now, into: &out)
        sort()
    }

    /// Puts packets to those that will be sent, and keeps the events.
    private mutating func sort() {
        for output in out {
            switch output {
            case .send(let packet): unsent.append(contentsOf: packet)
            case .event(let event): events.append(event)
            case .trace: break
            }
        }
        out.removeAll(keepingCapacity: true)
        if unsent.count > 1 << 15 { flush() }
    }

    /// Sends what is there, waits for octets, and hands them to the machine; false once the other side is gone.
    mutating func turn() -> Bool {
        flush()
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        now = Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        deframer.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes)
        while case .packet(let packet)? = deframer.next() { host.handle(.packet(packet), at: now, into: &out) }
        sort()
        return true
    }

    /// The events that have come since.
    mutating func takeEvents() -> [HostEvent] {
        var taken: [HostEvent] = []
        swap(&taken, &events)
        return taken
    }

    /// Takes the list back for its memory.
    mutating func giveBack(_ list: inout [HostEvent]) {
        list.removeAll(keepingCapacity: true)
        if events.isEmpty { swap(&list, &events) }
    }

    private mutating func flush() {
        var start = 0
        unsent.withUnsafeBytes { bytes in
            while start < bytes.count {
                let sent = write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
                if sent > 0 {
                    start += sent
                } else if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    exit(0)
                }
            }
        }
        unsent.removeAll(keepingCapacity: true)
    }
}
