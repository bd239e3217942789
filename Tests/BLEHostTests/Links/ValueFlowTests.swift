import BLEHost
import BLEWire
import Testing

/// Values through few buffers: all of them, in their order, told when they have left.
@Suite struct ValueFlowTests {
    static let count: UInt64 = 10_000

    /// A bench whose controller has four buffers and completes two packets at a time.
    struct SlowBench {
        var bench: HostBench
        var nextToken: UInt64 = 0
        var done: [UInt64] = []
        var inFlight = 0
        var received: [[UInt8]] = []
        var recombiner = Recombiner()

        init(_ bench: HostBench) {
            self.bench = bench
            self.bench.completesData = false
        }

        /// Hands the PDUs that have left to the peer, and lets the controller complete some of them.
        mutating func turn() throws {
            for packet in bench.data {
                inFlight += 1
                if let pdu = recombiner.receive(try HCIACLData(packet: packet)).pdu { received.append(pdu.payload) }
            }
            #expect(inFlight <= 4)
            bench.data = []
            for event in bench.takeEvents() {
                switch event {
                case .valueSent(_, let token, nil), .gattCompleted(_, let token, .success): done.append(token.rawValue)
                case .attMTUChanged: break
                default: Issue.record("unexpected: \(event)")
                }
            }
            let count = min(inFlight, 2)
            inFlight -= count
            if count > 0 {
                bench.receive(HCINumberOfCompletedPackets.packet(handle: HostBench.handle, count: UInt16(count)))
            }
        }
    }

    static func payload(_ index: UInt64) -> [UInt8] {
        (0..<40).map { UInt8(truncatingIfNeeded: index >> (8 * ($0 % 4))) }
    }

    /// A link with a large ATT_MTU and small packets, so that each value goes in two fragments.
    static func linked(as role: LERole) -> HostBench {
        var bench = HostBench.linked(as: role) { $0.bufferLength = 27 }
        bench.receive([0x02, 0xF7, 0x00], on: .att)
        bench.forget()
        return bench
    }

    @Test func `ten thousand notifications leave completely and in order`() throws {
        var bench = Self.linked(as: .peripheral)
        bench.command(
            .addService(
                OperationToken(rawValue: 0),
                GATTServiceDefinition(
                    uuid: BluetoothUUID(0xFFF0),
                    characteristics: [.init(uuid: BluetoothUUID(0xFFF1), properties: 0x10, permissions: .read)])))
        guard case .serviceAdded(_, .success(let layout))? = bench.takeEvents().first else {
            Issue.record("no service")
            return
        }
        let handle = layout.characteristics[0]
        var slow = SlowBench(bench)
        slow.bench.forget()
        while slow.done.count < Int(Self.count) {
            while slow.nextToken < Self.count, slow.nextToken < UInt64(slow.done.count) + 100 {
                let token = OperationToken(rawValue: slow.nextToken)
                slow.bench.command(
                    .sendValue(HostBench.handle, token, handle, Self.payload(slow.nextToken), indicate: false))
                slow.nextToken += 1
            }
            try slow.turn()
        }
        #expect(slow.done == Array(0..<Self.count))
        let head: [UInt8] = [0x1B, UInt8(handle.rawValue & 0xFF), UInt8(handle.rawValue >> 8)]
        #expect(slow.received == (0..<Self.count).map { head + Self.payload($0) })
    }

    @Test func `ten thousand writes without response leave completely and in order`() throws {
        var slow = SlowBench(Self.linked(as: .central))
        while slow.done.count < Int(Self.count) {
            while slow.nextToken < Self.count, slow.nextToken < UInt64(slow.done.count) + 100 {
                let token = OperationToken(rawValue: slow.nextToken)
                slow.bench.command(
                    .gatt(HostBench.handle, token, .writeWithoutResponse(0x0020, Self.payload(slow.nextToken))))
                slow.nextToken += 1
            }
            try slow.turn()
        }
        #expect(slow.done == Array(0..<Self.count))
        #expect(slow.received == (0..<Self.count).map { [0x52, 0x20, 0x00] + Self.payload($0) })
    }

    @Test func `tells that a value has left when its last fragment goes to the controller`() {
        var bench = Self.linked(as: .central)
        bench.completesData = false
        let token = OperationToken(rawValue: 1)
        bench.command(.gatt(HostBench.handle, token, .writeWithoutResponse(0x0020, [UInt8](repeating: 1, count: 120))))
        // 127 octets: four fragments of 27 are there, the fifth waits.
        #expect(bench.data.count == 4)
        #expect(bench.events.isEmpty)
        bench.receive(HCINumberOfCompletedPackets.packet(handle: HostBench.handle, count: 1))
        #expect(bench.events == [.gattCompleted(HostBench.handle, token, .success(.done))])
    }

    @Test func `refuses values beyond the limit of a link's queue`() {
        var configuration = HostConfiguration.quiet
        configuration.linkQueueLimit = 5
        var bench = HostBench.linked(as: .central, configuration)
        bench.completesData = false
        for index in 0..<10 {
            let token = OperationToken(rawValue: UInt64(index))
            bench.command(.gatt(HostBench.handle, token, .writeWithoutResponse(0x0020, [1])))
        }
        let failed = bench.events.filter {
            if case .gattCompleted(_, _, .failure(.hci(.memoryCapacityExceeded))) = $0 { true } else { false }
        }
        // Four have left, five wait.
        #expect(failed.count == 1)
        bench.forget()
        bench.receive(HCINumberOfCompletedPackets.packet(handle: HostBench.handle, count: 4))
        #expect(bench.events.count == 4)
    }

    @Test func `G09 ends a link whose server lets a request run out of time`() {
        var bench = HostBench.linked(as: .central)
        let token = OperationToken(rawValue: 1)
        bench.command(.gatt(HostBench.handle, token, .read(3)))
        #expect(bench.host.nextDeadline == bench.now + .seconds(30))
        bench.advance(by: .seconds(30))
        #expect(
            bench.events == [
                .gattCompleted(HostBench.handle, token, .failure(.attTimeout)),
                .disconnected(HostBench.handle, HostBench.peer, reason: .localHostTerminated),
            ])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `has the earliest deadline of its links at hand`() {
        var bench = HostBench.linked(as: .peripheral)
        let other = ConnectionHandle(rawValue: 0x0041)
        bench.linkMade(other, to: DeviceAddress(2), as: .peripheral)
        let start = bench.now
        bench.command(.gatt(HostBench.handle, OperationToken(rawValue: 1), .read(3)))
        bench.advance(by: .seconds(1))
        bench.command(.gatt(other, OperationToken(rawValue: 2), .read(3)))
        #expect(bench.host.nextDeadline == start + .seconds(30))
        bench.receive([0x0B, 1], on: .att)
        #expect(bench.host.nextDeadline == start + .seconds(31))
        bench.receive([0x0B, 1], on: .att, of: other)
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `has the earliest deadline of many links whatever order they come and go in`() {
        var bench = HostBench.poweredOn()
        var random = SeededGenerator(state: 3)
        var due: [UInt16: Instant] = [:]
        for raw in UInt16(1)...40 {
            bench.linkMade(ConnectionHandle(rawValue: raw), to: DeviceAddress(UInt64(raw)), as: .peripheral)
        }
        for step in UInt64(1)...2000 {
            let raw = UInt16.random(in: 1...40, using: &random)
            let handle = ConnectionHandle(rawValue: raw)
            if due[raw] == nil {
                bench.command(.gatt(handle, OperationToken(rawValue: step), .read(3)))
                due[raw] = bench.now + .seconds(30)
            } else {
                bench.receive([0x0B, 1], on: .att, of: handle)
                due[raw] = nil
            }
            #expect(bench.host.nextDeadline == due.values.min())
            bench.advance(by: .milliseconds(1))
        }
    }
}
