import BLEHost
import BLEWire

/// The peripheral: serves the database of the harness and answers as an application would.
struct ServerRole {
    private var loop: HostLoop
    private let settings: Settings
    private var handles: [AttributeHandle] = []
    private let twenty = [UInt8](repeating: 0x5A, count: 20)
    /// Notifications that are still to be given to the host, and those that it has.
    private var owed = 0
    private var inHost = 0
    private var octets: [UInt8] = []
    private var link = ConnectionHandle(rawValue: 0)

    init(_ settings: Settings) {
        self.settings = settings
        loop = HostLoop(settings)
    }

    mutating func run() {
        loop.command(.powerOn)
        loop.command(.addService(OperationToken(rawValue: 0), .benchmark(storesValues: settings.storesValues)))
        for number in 0..<(settings.characteristics / 10) {
            loop.command(.addService(OperationToken(rawValue: 1), .filler(number)))
        }
        repeat {
            var events = loop.takeEvents()
            for event in events { handle(event) }
            loop.giveBack(&events)
            notify()
        } while loop.turn()
    }

    private mutating func handle(_ event: HostEvent) {
        switch event {
        case .stateChanged(.poweredOn), .disconnected: loop.command(.startAdvertising(AdvertisingSettings()))
        case .serviceAdded(OperationToken(rawValue: 0), .success(let layout)): handles = layout.characteristics
        case .readRequested(let link, let request, _, let offset):
            let value = offset == 0 ? twenty : Array(twenty.dropFirst(offset))
            loop.command(.respond(link, request, .success, value: value))
        case .writeRequested(let link, let request, let writes, needsResponse: true):
            loop.command(.respond(link, request, .success, value: []))
            guard let write = writes.first, write.handle == handles.last, write.value.count >= 7, write.value[0] == 1
            else { return }
            self.link = link
            owed = Self.number(write.value[1...4])
            octets = [UInt8](repeating: 0, count: Self.number(write.value[5...6]))
        case .valueSent: inHost -= 1
        default: break
        }
    }

    /// Keeps the host supplied.
    private mutating func notify() {
        while owed > 0, inHost < 256, let handle = handles.first {
            owed -= 1
            inHost += 1
            let token = OperationToken(rawValue: UInt64(owed))
            loop.command(.sendValue(link, token, handle, octets, indicate: false))
        }
    }

    private static func number(_ octets: ArraySlice<UInt8>) -> Int { octets.reversed().reduce(0) { $0 << 8 | Int($1) } }
}

extension BluetoothUUID {
    /// 0000xxxx-1212-EFDE-1523-785FEABCD123
    static func benchmark(_ number: Int) -> BluetoothUUID {
        BluetoothUUID(full: UInt128(number) << 96 | 0x1212_EFDE_1523_785F_EABC_D123)
    }
}

extension GATTServiceDefinition {
    fileprivate static func benchmark(storesValues: Bool) -> GATTServiceDefinition {
        GATTServiceDefinition(
            uuid: .benchmark(0xA000),
            characteristics: [
                Characteristic(
                    uuid: .benchmark(0xA001), properties: 0x1E, permissions: [.read, .write],
                    value: storesValues ? Array(repeating: 0x5A, count: 20) : nil),
                Characteristic(uuid: .benchmark(0xA002), properties: 0x08, permissions: .write),
            ])
    }

    fileprivate static func filler(_ number: Int) -> GATTServiceDefinition {
        GATTServiceDefinition(
            uuid: .benchmark(0xB000 + number),
            characteristics: (0..<10).map { index in
                Characteristic(
                    uuid: .benchmark(0xC000 + number * 10 + index), properties: 0x1A, permissions: [.read, .write],
                    value: Array(repeating: 0x5A, count: 20))
            })
    }
}
