import BLEController
import BLEHost
import BLESimulator
import BLEWire
import Testing

@Suite struct LightPeripheralTests {
    private static let profile: LightPeripheralProfile = {
        var profile = SimulationTests.beacon
        var counter = LightPeripheralProfile.Characteristic(
            uuid: BluetoothUUID(0xAA02), properties: 0x10, permissions: [], value: [0, 0, 0, 0, 9])
        counter.period = .seconds(1)
        var asked = LightPeripheralProfile.Characteristic(
            uuid: BluetoothUUID(0xAA03), properties: 0x0A, permissions: [.read, .write])
        asked.asksReads = true
        asked.asksWrites = true
        profile.services = [
            .init(
                uuid: BluetoothUUID(0xAA00),
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(0xAA01), properties: 0x0A, permissions: [.read, .write], value: [1, 2, 3]),
                    counter, asked,
                ])
        ]
        return profile
    }()

    private var bench = Bench()
    private let central: DeviceID
    private let device: DeviceID
    private let link: ConnectionHandle
    private let handles: [AttributeHandle]

    init() throws {
        central = bench.addHost("central")
        device = bench.addPeripheral("device", Self.profile)
        let info = bench.connect(central, to: device)
        link = try #require(info).handle
        bench.command(.gatt(link, OperationToken(rawValue: 1), .discoverCharacteristics(.first ... .last)), central)
        let found = bench.wait(for: central) { event -> [GATTCharacteristic]? in
            if case .gattCompleted(_, _, .success(.characteristics(let list))) = event { list } else { nil }
        }
        handles = try #require(found).filter { ($0.uuid.short16 ?? 0) >= 0xAA00 }.map(\.value)
    }

    private mutating func result(_ procedure: GATTProcedure) -> Result<GATTOutcome, HostError>? {
        bench.command(.gatt(link, OperationToken(rawValue: 2), procedure), central)
        return answer()
    }

    private mutating func answer() -> Result<GATTOutcome, HostError>? {
        bench.wait(for: central) {
            if case .gattCompleted(_, OperationToken(rawValue: 2), let result) = $0 { result } else { nil }
        }
    }

    @Test mutating func `publishes its services`() {
        #expect(handles.count == 3)
    }

    @Test mutating func `answers a read from its value`() {
        #expect(result(.read(handles[0])) == .success(.value([1, 2, 3])))
    }

    @Test mutating func `takes what is written`() {
        #expect(result(.write(handles[0], [7])) == .success(.done))
        #expect(bench.simulation.peripheral(of: device)?.values[0] == [7])
    }

    @Test mutating func `takes a long write whole`() {
        let value = [UInt8](repeating: 3, count: 300)
        #expect(result(.writeLong(handles[0], value)) == .success(.done))
        #expect(bench.simulation.peripheral(of: device)?.values[0] == value)
    }

    @Test mutating func `sends its value in its rhythm while somebody is subscribed`() {
        // The CCCD stands behind the value.
        let configuration = AttributeHandle(rawValue: handles[1].rawValue + 1)
        #expect(result(.write(configuration, [1, 0])) == .success(.done))
        bench.run(.milliseconds(3_500))
        let values = bench.events(of: central).compactMap { event -> [UInt8]? in
            if case .valueReceived(_, handles[1], let value, _) = event { value } else { nil }
        }
        #expect(values == [[1, 0, 0, 0, 9], [2, 0, 0, 0, 9], [3, 0, 0, 0, 9]])
        #expect(result(.write(configuration, [0, 0])) == .success(.done))
        let count = bench.events(of: central).count
        bench.run(.seconds(3))
        #expect(bench.events(of: central).count == count)
    }

    @Test mutating func `asks whoever plays it where it was told to`() throws {
        bench.command(.gatt(link, OperationToken(rawValue: 2), .read(handles[2])), central)
        bench.run(.seconds(1))
        let asked = bench.outputs.compactMap { output -> GATTRequestID? in
            if case .peripheral(device, .readRequested(_, let request, 2, 0)) = output { request } else { nil }
        }
        let request = try #require(asked.first)
        let own = try #require(bench.simulation.peripheral(of: device)?.connectedLinks.first)
        var out: [SimulationOutput] = []
        bench.simulation.answerRead(device, own, request, offset: 0, .success([4, 5]), into: &out)
        #expect(answer() == .success(.value([4, 5])))
    }

    @Test mutating func `advertises again when a link has ended`() {
        bench.command(.disconnect(link, reason: .remoteUserTerminated), central)
        bench.run(.seconds(1))
        #expect(bench.simulation.linkLayerState(of: device) == .advertising)
    }
}
