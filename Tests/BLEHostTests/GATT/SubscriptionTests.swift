import BLEHost
import BLEWire
import Testing

@Suite struct SubscriptionTests {
    /// FFF1 notifies (value 3, CCCD 4), FFF2 indicates (value 6, CCCD 7), FFF3 both (value 9, CCCD 10).
    private static func server(_ configuration: AttributePermissions = [.read, .write]) -> GATTServer {
        func characteristic(_ uuid: BluetoothUUID, _ properties: UInt8) -> GATTServiceDefinition.Characteristic {
            .init(uuid: uuid, properties: properties, permissions: .read, configurationPermissions: configuration)
        }
        return .with(characteristic(0xFFF1, 0x10), characteristic(0xFFF2, 0x20), characteristic(0xFFF3, 0x30))
    }

    @Test func `a client that subscribes is told with the handle of the value`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 0A 04 00", "→ 0B 00 00", "← 12 04 00 01 00", "→ 13", "← 0A 04 00", "→ 0B 01 00")
        #expect(peer.events == [.subscriptionChanged(peer.connection.link, 3, .notifications)])
        #expect(peer.connection.configuration(of: 4) == .notifications)
    }

    @Test func `writing what is there already tells nothing`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 12 07 00 02 00", "→ 13", "← 12 07 00 02 00", "→ 13", "← 12 07 00 00 00", "→ 13")
        let link = peer.connection.link
        #expect(peer.events == [.subscriptionChanged(link, 6, .indications), .subscriptionChanged(link, 6, [])])
    }

    @Test(arguments: ["04 00 02 00", "07 00 01 00", "04 00 03 00"])
    func `a bit that the properties don't allow is improper`(write: String) {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 12 " + write, "→ 01 12 \(write.prefix(5)) FD", "← 0A \(write.prefix(5))", "→ 0B 00 00")
        #expect(peer.events == [])
    }

    @Test(arguments: ["", " 01", " 00 00 00", " 01 00 00"]) func `A16 a length other than 2 is invalid`(value: String) {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 12 04 00" + value, "→ 01 12 04 00 0D", "← 0A 04 00", "→ 0B 00 00")
    }

    @Test(arguments: ["04 00", "00 80", "FF FF"]) func `A16 reserved bits are a value that isn't allowed`(value: String)
    {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 12 0A 00 " + value, "→ 01 12 0A 00 13", "← 0A 0A 00", "→ 0B 00 00")
        #expect(peer.events == [])
    }

    @Test func `each client has a value of its own`() {
        var first = ScriptedPeer(Self.server())
        first.play("← 12 04 00 01 00", "→ 13")
        var second = ScriptedPeer(first.server)
        second.play("← 0A 04 00", "→ 0B 00 00")
    }

    @Test func `a configuration that wants encryption refuses a plain link`() {
        var peer = ScriptedPeer(Self.server([.read, .write, .writeEncrypted]))
        peer.play("← 0A 04 00", "→ 0B 00 00", "← 12 04 00 01 00", "→ 01 12 04 00 05")
    }

    @Test func `A14 a configuration can be written by way of the prepare queue`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 16 04 00 00 00 01 00", "→ 17 04 00 00 00 01 00", "← 18 01", "→ 19")
        #expect(peer.events == [.subscriptionChanged(peer.connection.link, 3, .notifications)])
        peer.play("← 16 04 00 00 00 01 02 03", "→ 17 04 00 00 00 01 02 03", "← 18 01", "→ 01 18 04 00 0D")
    }

    // MARK: Values

    @Test func `a notification ends when it has left for the controller`() {
        var connection = GATTConnection(link: ConnectionHandle(rawValue: 1), configuration: GATTConfiguration())
        var out: [GATTOutput] = []
        let token = OperationToken(rawValue: 9)
        connection.sendValue(3, [7], indicate: false, token: token, at: .start, into: &out)
        #expect(out == [.send(pdu: [0x1B, 3, 0, 7], tag: 1)])
        out = []
        connection.sent(1, into: &out)
        #expect(out == [.event(.valueSent(connection.link, token, nil))])
        out = []
        connection.sent(1, into: &out)
        connection.sent(77, into: &out)
        #expect(out == [])
    }

    @Test(arguments: [false, true]) func `a value longer than the MTU allows is cut`(indicate: Bool) {
        var peer = ScriptedPeer()
        peer.send(Array(repeating: 1, count: 512), of: 3, indicate: indicate)
        #expect(peer.sent == [[indicate ? 0x1D : 0x1B, 3, 0] + Array(repeating: 1, count: 20)])
    }

    @Test func `an empty value is sent`() {
        var peer = ScriptedPeer()
        peer.send([], of: 3)
        peer.send([], of: 3, indicate: true)
        peer.play("→ 1B 03 00", "→ 1D 03 00")
    }

    @Test func `indications wait for one another and notifications for nothing`() {
        var peer = ScriptedPeer()
        peer.send([1], of: 6, indicate: true, token: 1)
        peer.send([2], of: 6, indicate: true, token: 2)
        peer.send([3], of: 3, token: 3)
        peer.play("→ 1D 06 00 01", "→ 1B 03 00 03", "← 1E", "→ 1D 06 00 02", "← 1E", "← 1E", "→ nothing")
        let link = peer.connection.link
        #expect(
            peer.events
                == [3, 1, 2].map { HostEvent.valueSent(link, OperationToken(rawValue: $0), nil) })
    }

    @Test func `an indication isn't held up by a request`() {
        var peer = ScriptedPeer()
        peer.start(.read(3))
        peer.send([1], of: 6, indicate: true, token: 2)
        peer.play("→ 0A 03 00", "→ 1D 06 00 01", "← 1E", "← 0B 05")
        #expect(peer.result() == .success(.value([5])))
    }
}

@Suite struct ServiceChangedTests {
    /// 1801 alone: Service Changed 3 with CCCD 4, Client Supported Features 6, Database Hash 8.
    private static func server() -> GATTServer {
        var configuration = GATTServerConfiguration()
        configuration.hasGenericAccess = false
        return GATTServer(configuration: configuration)
    }

    private static let service = GATTServiceDefinition(uuid: 0xFFF0, characteristics: [.stored()])

    @Test func `the GATT service is laid out as it should`() {
        var peer = ScriptedPeer(Self.server())
        peer.play(
            "← 10 01 00 FF FF 00 28", "→ 11 06 01 00 08 00 01 18", "← 08 01 00 08 00 03 28",
            "→ 09 07 02 00 20 03 00 05 2A 05 00 0A 06 00 29 2B 07 00 02 08 00 2A 2B", "← 04 04 00 04 00",
            "→ 05 01 04 00 02 29", "← 0A 03 00", "→ 01 0A 03 00 02")
    }

    @Test func `a subscriber is told which handles changed`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 12 04 00 02 00", "→ 13")
        _ = peer.server.addService(Self.service)
        peer.databaseChanged()
        peer.play("→ 1D 03 00 09 00 0B 00", "← 1E")
        _ = peer.server.removeService(9)
        peer.databaseChanged()
        peer.play("→ 1D 03 00 09 00 0B 00")
    }

    @Test func `a client that didn't subscribe is told nothing`() {
        var peer = ScriptedPeer(Self.server())
        _ = peer.server.addService(Self.service)
        peer.databaseChanged()
        peer.play("→ nothing")
    }

    @Test func `a storm of changes is joined while one waits`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 12 04 00 02 00", "→ 13")
        for _ in 0..<1000 {
            _ = peer.server.addService(.init(uuid: 0xFFF0))
            peer.databaseChanged()
        }
        peer.play("→ 1D 03 00 09 00 09 00", "← 1E", "→ 1D 03 00 0A 00 F0 03", "← 1E", "→ nothing")
    }

    @Test func `a subscription goes with its service`() {
        var server = Self.server()
        _ = server.addService(
            .init(uuid: 0xFFF0, characteristics: [.init(uuid: 0xFFF1, properties: 0x10, permissions: [])]))
        var peer = ScriptedPeer(server)
        peer.play("← 12 0C 00 01 00", "→ 13")
        _ = peer.server.removeService(9)
        peer.databaseChanged()
        #expect(peer.connection.configuration(of: 12) == [])
    }

    // MARK: Robust caching

    private static func robustPeer() -> ScriptedPeer {
        var peer = ScriptedPeer(server())
        peer.play("← 12 06 00 01", "→ 13", "← 0A 06 00", "→ 0B 01")
        _ = peer.server.addService(service)
        peer.databaseChanged()
        return peer
    }

    @Test func `a client that doesn't know of a change gets Database Out Of Sync once`() {
        var peer = Self.robustPeer()
        peer.play("← 0A 0B 00", "→ 01 0A 00 00 12", "← 0A 0B 00", "→ 0B 01 02 03")
    }

    @Test(arguments: [
        "0A 0B 00", "0C 0B 00 00 00", "0E 0B 00 06 00", "20 0B 00 06 00", "12 0B 00 01",
        "16 0B 00 00 00 01", "08 01 00 20 00 F1 FF",
    ])
    func `each request for a handle is refused`(request: String) {
        var peer = Self.robustPeer()
        peer.play("← " + request, "→ 01 \(request.prefix(2)) 00 00 12")
    }

    @Test(arguments: [
        "10 09 00 FF FF 00 28", "04 09 00 09 00", "06 01 00 FF FF 00 28 F0 FF", "08 09 00 FF FF 03 28",
        "08 01 00 FF FF F1 FF",
    ])
    func `requests that discover are carried out`(request: String) {
        var peer = Self.robustPeer()
        peer.receive(Hex.octets(request) ?? [])
        #expect(peer.sent.first?.first != 0x01)
    }

    @Test func `reading the hash makes the client aware at its next request`() {
        var peer = Self.robustPeer()
        peer.receive([0x08, 1, 0, 0xFF, 0xFF, 0x2A, 0x2B])
        #expect(peer.sent.first?.prefix(4) == [0x09, 18, 8, 0])
        peer.sent = []
        peer.play("← 0A 0B 00", "→ 0B 01 02 03")
    }

    @Test func `confirming Service Changed makes the client aware`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 12 06 00 01", "→ 13", "← 12 04 00 02 00", "→ 13")
        _ = peer.server.addService(Self.service)
        peer.databaseChanged()
        peer.play("→ 1D 03 00 09 00 0B 00", "← 1E", "← 0A 0B 00", "→ 0B 01 02 03")
    }

    @Test func `commands of a client that doesn't know are ignored and it gets no values`() {
        var peer = Self.robustPeer()
        peer.play("← 52 0B 00 09", "→ nothing")
        peer.send([1], of: 11)
        let error = HostError.att(.databaseOutOfSync)
        #expect(peer.events == [.valueSent(peer.connection.link, OperationToken(rawValue: 1), error)])
    }

    @Test func `a client without robust caching isn't bothered`() {
        var peer = ScriptedPeer(Self.server())
        _ = peer.server.addService(Self.service)
        peer.databaseChanged()
        peer.play("← 0A 0B 00", "→ 0B 01 02 03")
    }

    @Test func `A15 features may be set and never cleared`() {
        var peer = ScriptedPeer(Self.server())
        peer.play(
            "← 0A 06 00", "→ 0B 00", "← 12 06 00 01", "→ 13", "← 12 06 00 05", "→ 13", "← 12 06 00 04",
            "→ 01 12 06 00 13", "← 12 06 00", "→ 01 12 06 00 0D", "← 12 06 00 FD 01", "→ 13", "← 0A 06 00",
            "→ 0B 05", "← 0C 06 00 02 00", "→ 01 0C 06 00 07")
    }
}
