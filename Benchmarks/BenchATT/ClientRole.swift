import BLEHost
import BLEWire

/// The central: discovers, reads, writes and is notified, as often as the harness wants.
struct ClientRole {
    private var connection: GATTConnection
    private var noServer: GATTServer
    private let settings: Settings
    private let socket: PDUSocket
    private var out: [GATTOutput] = []
    private var token: UInt64 = 1
    private var value = AttributeHandle.none
    private var control = AttributeHandle.none
    private var configuration = AttributeHandle.none
    private var notified = 0
    private var notifiedOctets = 0
    private var requests = 0

    init(_ settings: Settings, _ socket: PDUSocket) {
        self.settings = settings
        self.socket = socket
        var configuration = GATTConfiguration()
        configuration.receiveMTU = settings.mtu
        connection = GATTConnection(link: ConnectionHandle(rawValue: 1), configuration: configuration)
        var published = GATTServerConfiguration()
        published.hasGenericAccess = false
        published.hasGenericAttribute = false
        noServer = GATTServer(configuration: published)
    }

    mutating func run() {
        _ = perform(.exchangeMTU(UInt16(settings.mtu)))
        let rounds = settings.wants("disc") ? settings.runs : 1
        for _ in 0..<rounds { discover() }
        for _ in 0..<settings.runs {
            if settings.wants("read") { measure("c_read", bytes: 20) { $0.perform(.read($0.value)) } }
            if settings.wants("write") {
                let octets = [UInt8](repeating: 0, count: 20)
                measure("c_write", bytes: 20) { $0.perform(.write($0.value, octets)) }
            }
            if settings.wants("wcmd") { writeCommands() }
            if settings.wants("notify") { beNotified() }
        }
    }

    private mutating func measure(_ name: String, bytes: Int, _ operation: (inout ClientRole) -> GATTOutcome?) {
        let watch = Stopwatch()
        for _ in 0..<settings.count where operation(&self) == nil { return print("# \(name) failed") }
        watch.report(name, settings.count, bytes * settings.count)
    }

    private mutating func writeCommands() {
        let length = min(connection.attMTU - 3, 512)
        let octets = [UInt8](repeating: 0, count: length)
        let watch = Stopwatch()
        for _ in 0..<settings.count { _ = perform(.writeWithoutResponse(value, octets)) }
        _ = perform(.read(value))
        watch.report("c_wcmd", settings.count, settings.count * length)
    }

    private mutating func beNotified() {
        _ = perform(.write(configuration, [1, 0]))
        let length = min(connection.attMTU - 3, 512)
        notified = 0
        notifiedOctets = 0
        let order = [1] + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: settings.count >> $0) }
        let watch = Stopwatch()
        _ = perform(.write(control, order + [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]))
        while notified < settings.count, receive() {}
        watch.report("c_notify", notified, notifiedOctets)
    }

    /// Everything: services, characteristics, CCCDs by their type, and whatever handles are still unknown then.
    private mutating func discover() {
        let watch = Stopwatch()
        requests = 0
        guard case .services(let services)? = perform(.discoverServices(nil)), let last = services.last,
            case .characteristics(let characteristics)? = perform(
                .discoverCharacteristics(.first...last.handles.upperBound)),
            case .values(let configurations)? = perform(
                .readByUUID(GATTType.clientConfiguration, .first...last.handles.upperBound))
        else { return print("# discovery failed") }
        var known = Set<AttributeHandle>()
        known.reserveCapacity(services.count + 2 * characteristics.count + configurations.count)
        for service in services { known.insert(service.handles.lowerBound) }
        for characteristic in characteristics {
            known.insert(characteristic.declaration)
            known.insert(characteristic.value)
        }
        for configuration in configurations { known.insert(configuration.handle) }
        var descriptors = configurations.count
        for service in services {
            for hole in Self.holes(in: service.handles, known) {
                guard case .descriptors(let found)? = perform(.discoverDescriptors(hole)) else { continue }
                descriptors += found.count
            }
        }
        watch.report("c_discover_\(characteristics.count)chr", 1, 0)
        print("# \(requests) requests, \(descriptors) descriptors")
        value = characteristics.first { $0.uuid == .benchmark(0xA001) }?.value ?? .none
        control = characteristics.first { $0.uuid == .benchmark(0xA002) }?.value ?? .none
        configuration = configurations.first { $0.handle > value }?.handle ?? .none
    }

    /// Ranges of handles that aren't known.
    private static func holes(
        in range: ClosedRange<AttributeHandle>, _ known: Set<AttributeHandle>
    ) -> [ClosedRange<AttributeHandle>] {
        var holes: [ClosedRange<AttributeHandle>] = []
        var start: AttributeHandle?
        for raw in range.lowerBound.rawValue...range.upperBound.rawValue {
            let handle = AttributeHandle(rawValue: raw)
            if !known.contains(handle) {
                if start == nil { start = handle }
            } else if let begun = start {
                holes.append(begun...AttributeHandle(rawValue: raw - 1))
                start = nil
            }
        }
        if let begun = start { holes.append(begun...range.upperBound) }
        return holes
    }

    /// Runs a procedure to its end; nil where it failed.
    private mutating func perform(_ procedure: GATTProcedure) -> GATTOutcome? {
        token &+= 1
        connection.start(procedure, token: OperationToken(rawValue: token), at: .start, into: &out)
        while true {
            if let result = drain() { return try? result.get() }
            guard receive() else { return nil }
        }
    }

    private mutating func receive() -> Bool {
        guard let pdu = socket.receive() else { return false }
        connection.received(pdu, server: &noServer, at: .start, into: &out)
        if notified < settings.count { countNotifications() }
        return true
    }

    private mutating func countNotifications() {
        guard case .event(.valueReceived(_, _, let value, _))? = out.first else { return }
        notified += 1
        notifiedOctets += value.count
        out.removeAll(keepingCapacity: true)
    }

    /// Sends what is to be sent; the result, where the procedure has ended.
    private mutating func drain() -> Result<GATTOutcome, HostError>? {
        var result: Result<GATTOutcome, HostError>?
        var left: [GATTOutput] = []
        for output in out {
            switch output {
            case .send(let pdu, let tag):
                socket.send(pdu)
                requests += 1
                if let tag { connection.sent(tag, into: &left) }
            case .event(.gattCompleted(_, _, let ended)): result = ended
            default: break
            }
        }
        out.removeAll(keepingCapacity: true)
        for case .event(.gattCompleted(_, _, let ended)) in left { result = ended }
        return result
    }
}
