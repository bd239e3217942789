import BLEHost
import BLEWire

/// The peripheral: serves the database of the harness and answers as an application would.
struct ServerRole {
    private var connection: GATTConnection
    private var server: GATTServer
    private let socket: PDUSocket
    private let control: AttributeHandle
    private let value: AttributeHandle
    private let twenty = [UInt8](repeating: 0x5A, count: 20)
    private var out: [GATTOutput] = []

    init(_ settings: Settings, _ socket: PDUSocket) {
        self.socket = socket
        var configuration = GATTConfiguration()
        configuration.receiveMTU = settings.mtu
        connection = GATTConnection(link: ConnectionHandle(rawValue: 1), configuration: configuration)
        var published = GATTServerConfiguration()
        published.hasGenericAccess = false
        published.hasGenericAttribute = false
        server = GATTServer(configuration: published)
        let layout = try? server.addService(.benchmark(storesValues: settings.storesValues)).get()
        value = layout?.characteristics[0] ?? .none
        control = layout?.characteristics[1] ?? .none
        for number in 0..<(settings.characteristics / 10) { _ = server.addService(.filler(number)) }
    }

    mutating func run() {
        while let pdu = socket.receive() {
            connection.received(pdu, server: &server, at: .start, into: &out)
            drain()
        }
    }

    /// Carries out what is wanted, and what comes of that.
    private mutating func drain() {
        var index = 0
        while index < out.count {
            switch out[index] {
            case .send(let pdu, let tag):
                socket.send(pdu)
                if let tag { connection.sent(tag, into: &out) }
            case .event(.readRequested(_, let request, _, let offset)):
                let value = offset == 0 ? twenty : Array(twenty.dropFirst(offset))
                connection.respond(request, .success, value: value, server: &server, at: .start, into: &out)
            case .event(.writeRequested(_, let request, let writes, let needsResponse)):
                if needsResponse { answer(request, writes) }
            default: break
            }
            index += 1
        }
        out.removeAll(keepingCapacity: true)
    }

    private mutating func answer(_ request: GATTRequestID, _ writes: [GATTWrite]) {
        connection.respond(request, .success, value: [], server: &server, at: .start, into: &out)
        guard let write = writes.first, write.handle == control, write.value.count >= 7, write.value[0] == 1 else {
            return
        }
        // The response leaves before the notifications.
        if case .send(let pdu, _)? = out.popLast() { socket.send(pdu) }
        notify(count: Self.number(write.value[1...4]), length: Self.number(write.value[5...6]))
    }

    private mutating func notify(count: Int, length: Int) {
        let octets = [UInt8](repeating: 0, count: length)
        var sent: [GATTOutput] = []
        for number in 0..<count {
            let token = OperationToken(rawValue: UInt64(number))
            connection.sendValue(value, octets, indicate: false, token: token, at: .start, into: &sent)
            if case .send(let pdu, let tag?)? = sent.first {
                socket.send(pdu)
                connection.sent(tag, into: &sent)
            }
            sent.removeAll(keepingCapacity: true)
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
            characteristics: (0..<10).map {
                Characteristic(
                    uuid: .benchmark(0xC000 + number * 10 + $0), properties: 0x1A, permissions: [.read, .write])
            })
    }
}
