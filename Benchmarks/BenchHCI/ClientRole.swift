import BLEHost
import BLEWire

/// The central: connects, discovers, reads, writes and is notified, as often as the harness wants.
struct ClientRole {
    private var loop: HostLoop
    private let settings: Settings
    private let peer = DeviceAddress(0x0605_0403_0201)
    private var link = ConnectionHandle(rawValue: 0)
    private var token: UInt64 = 1
    private var value = AttributeHandle.none
    private var control = AttributeHandle.none
    private var configuration = AttributeHandle.none
    private var requests = 0
    // What events have brought.
    private var isOn = false
    private var isLinked = false
    private var result: Result<GATTOutcome, HostError>?
    private var commandsLeft = 0
    private var notified = 0
    private var notifiedOctets = 0

    init(_ settings: Settings) {
        self.settings = settings
        loop = HostLoop(settings)
    }

    mutating func run() {
        loop.command(.powerOn)
        wait { $0.isOn }
        connect()
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
        if settings.wants("connect") { reconnect() }
    }

    private mutating func connect() {
        loop.command(.connect(peer, ConnectionSettings()))
        wait { $0.isLinked }
    }

    private mutating func reconnect() {
        let count = min(max(settings.count / 20, 1), 500)
        let watch = Stopwatch()
        for _ in 0..<count {
            loop.command(.disconnect(link, reason: .remoteUserTerminated))
            wait { !$0.isLinked }
            connect()
        }
        watch.report("c_connect_disconnect", count, 0)
    }

    private mutating func measure(_ name: String, bytes: Int, _ operation: (inout ClientRole) -> GATTOutcome?) {
        let watch = Stopwatch()
        for _ in 0..<settings.count where operation(&self) == nil { return print("# \(name) failed") }
        watch.report(name, settings.count, bytes * settings.count)
    }

    private mutating func writeCommands() {
        let length = min(settings.mtu - 3, 512)
        let octets = [UInt8](repeating: 0, count: length)
        var owed = settings.count
        let watch = Stopwatch()
        while owed > 0 {
            while owed > 0, commandsLeft < 256 {
                owed -= 1
                commandsLeft += 1
                loop.command(.gatt(link, OperationToken(rawValue: 0), .writeWithoutResponse(value, octets)))
            }
            wait { $0.commandsLeft < 256 }
        }
        wait { $0.commandsLeft == 0 }
        _ = perform(.read(value))
        watch.report("c_wcmd", settings.count, settings.count * length)
    }

    private mutating func beNotified() {
        _ = perform(.write(configuration, [1, 0]))
        let length = min(settings.mtu - 3, 512)
        notified = 0
        notifiedOctets = 0
        let order = [1] + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: settings.count >> $0) }
        let watch = Stopwatch()
        _ = perform(.write(control, order + [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]))
        wait { $0.notified >= $0.settings.count }
        watch.report("c_notify", notified, notifiedOctets)
    }

    /// Everything: services, characteristics, and the descriptors of all by whole ranges.
    private mutating func discover() {
        let watch = Stopwatch()
        guard case .services(let services)? = perform(.discoverServices(nil)), let last = services.last,
            case .characteristics(let characteristics)? = perform(
                .discoverCharacteristics(.first...last.handles.upperBound)),
            case .values(let configurations)? = perform(
                .readByUUID(BluetoothUUID(0x2902), .first...last.handles.upperBound))
        else { return print("# discovery failed") }
        watch.report("c_discover_\(characteristics.count)chr", 1, 0)
        value = characteristics.first { $0.uuid == .benchmark(0xA001) }?.value ?? .none
        control = characteristics.first { $0.uuid == .benchmark(0xA002) }?.value ?? .none
        configuration = configurations.first { $0.handle > value }?.handle ?? .none
    }

    /// Runs a procedure to its end; nil where it failed.
    private mutating func perform(_ procedure: GATTProcedure) -> GATTOutcome? {
        token &+= 1
        result = nil
        loop.command(.gatt(link, OperationToken(rawValue: token), procedure))
        wait { $0.result != nil }
        return try? result?.get()
    }

    /// Takes turns until the condition holds. The run ends where the other side goes before.
    private mutating func wait(_ condition: (ClientRole) -> Bool) {
        look()
        while !condition(self), loop.turn() { look() }
    }

    private mutating func look() {
        var events = loop.takeEvents()
        for event in events {
            switch event {
            case .valueReceived(_, _, let value, _):
                notified += 1
                notifiedOctets += value.count
            case .gattCompleted(_, OperationToken(rawValue: 0), _): commandsLeft -= 1
            case .gattCompleted(_, _, let ended): result = ended
            case .stateChanged(let state): isOn = state == .poweredOn
            case .connected(let info):
                link = info.handle
                isLinked = true
            case .disconnected: isLinked = false
            default: break
            }
        }
        loop.giveBack(&events)
    }
}
