import BLEHost
import BLEWire
import Testing

/// Lengths and MTUs whose borders have caught others.
private let lengths = [0, 1, 19, 20, 21, 22, 23, 24, 182, 184, 185, 243, 244, 246, 247, 511, 512]
private let mtus = [23, 185, 247, 517]

@Suite struct LongValueTests {
    private static func value(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test(arguments: lengths, mtus) func `a stored value is read whole`(length: Int, mtu: Int) {
        let value = Self.value(length)
        var pair = GATTPair(.with(.stored(0xFFF1, value)), mtu: mtu)
        #expect(pair.run(.readLong(3)) == .success(.value(value)))
    }

    @Test(arguments: lengths, mtus) func `a dynamic value is read whole, asked with rising offsets`(
        length: Int, mtu: Int
    ) {
        let value = Self.value(length)
        var pair = GATTPair(.with(.dynamic()), mtu: mtu)
        pair.application = { event in
            guard case .readRequested(_, _, _, let offset) = event else { return (.unlikelyError, []) }
            return offset > value.count ? (.invalidOffset, []) : (.success, Array(value[offset...]))
        }
        #expect(pair.run(.readLong(3)) == .success(.value(value)))
        let offsets = pair.peripheralEvents.compactMap { event -> Int? in
            if case .readRequested(_, _, _, let offset) = event { return offset }
            return nil
        }
        #expect(offsets == offsets.indices.map { $0 * (mtu - 1) })
    }

    @Test(arguments: lengths, mtus) func `a value is written whole, however long it is`(length: Int, mtu: Int) {
        let value = Self.value(length)
        var pair = GATTPair(.with(.stored(0xFFF1, Self.value(600 - length).suffix(300) + [])), mtu: mtu)
        #expect(pair.run(.write(3, value)) == .success(.done))
        #expect(pair.run(.readLong(3)) == .success(.value(value)))
        #expect(pair.requests.contains { $0.first == 0x12 } == (length <= mtu - 3))
    }

    @Test(arguments: lengths, mtus) func `a long write arrives whole`(length: Int, mtu: Int) {
        let value = Self.value(length)
        var pair = GATTPair(.with(.stored(0xFFF1, [9, 9, 9])), mtu: mtu)
        #expect(pair.run(.writeLong(3, value)) == .success(.done))
        #expect(pair.run(.readLong(3)) == .success(.value(value)))
    }

    @Test(arguments: lengths, mtus) func `a long write of a dynamic value is one request of the application`(
        length: Int, mtu: Int
    ) {
        let value = Self.value(length)
        var pair = GATTPair(.with(.dynamic()), mtu: mtu)
        #expect(pair.run(.writeLong(3, value)) == .success(.done))
        let requests = pair.peripheralEvents.compactMap { event -> [GATTWrite]? in
            if case .writeRequested(_, _, let writes, _) = event { return writes }
            return nil
        }
        #expect(requests.count == 1)
        #expect(requests.first.map { $0.flatMap(\.value) } == value)
    }

    @Test(arguments: mtus) func `a write at an offset below, at and past the end`(mtu: Int) {
        func write(_ offset: Int) -> (Result<GATTOutcome, HostError>?, Result<GATTOutcome, HostError>?) {
            var pair = GATTPair(.with(.stored(0xFFF1, [1, 2, 3])), mtu: mtu)
            let write = pair.run(.writeReliable([GATTWrite(handle: 3, offset: offset, value: [9])]))
            return (write, pair.run(.readLong(3)))
        }
        #expect(write(1) == (.success(.done), .success(.value([1, 9, 3]))))
        #expect(write(3) == (.success(.done), .success(.value([1, 2, 3, 9]))))
        #expect(write(4) == (.failure(.att(.invalidOffset)), .success(.value([1, 2, 3]))))
    }

    @Test func `an application that refuses an offset past the end is heard`() {
        var pair = GATTPair(.with(.dynamic()), mtu: 23)
        pair.application = { event in
            guard case .readRequested(_, _, _, let offset) = event, offset > 0 else {
                return (.success, Array(repeating: 1, count: 22))
            }
            return (.invalidOffset, [])
        }
        #expect(pair.run(.readLong(3)) == .failure(.att(.invalidOffset)))
    }
}

@Suite struct GATTPairTests {
    private static func twins() -> GATTServer {
        var server = GATTServer()
        for number in UInt8(1)...2 {
            _ = server.addService(
                .init(
                    uuid: 0xFFE0,
                    characteristics: [
                        .stored(0xFFE1, [number]), .init(uuid: 0xFFE2, properties: 0x10, permissions: []),
                    ]))
        }
        return server
    }

    @Test func `the same characteristic UUID in two services is two characteristics`() throws {
        var pair = GATTPair(Self.twins(), mtu: 185)
        guard case .success(.services(let services)) = pair.run(.discoverServices(0xFFE0)) else {
            Issue.record("no services")
            return
        }
        var found: [[GATTHandleValue]] = []
        for service in services {
            if case .success(.values(let values)) = pair.run(.readByUUID(0xFFE1, service.handles)) {
                found.append(values)
            }
        }
        #expect(found.map { $0.map(\.value) } == [[[1]], [[2]]])
        #expect(found[0][0].handle != found[1][0].handle)
    }

    @Test func `what is discovered is what was published`() throws {
        var pair = GATTPair(Self.twins(), mtu: 23)
        guard case .success(.services(let services)) = pair.run(.discoverServices(nil)) else {
            Issue.record("no services")
            return
        }
        #expect(services.map(\.uuid) == [0x1800, 0x1801, 0xFFE0, 0xFFE0])
        var types: [BluetoothUUID] = []
        for service in services {
            if case .success(.descriptors(let descriptors)) = pair.run(.discoverDescriptors(service.handles)) {
                types += descriptors.map(\.uuid)
            }
        }
        #expect(types == pair.server.database.attributes.map(\.type))
    }

    @Test(arguments: [false, true]) func `10,000 values arrive complete and in order`(indicate: Bool) {
        var pair = GATTPair(Self.twins(), mtu: 23)
        for number in UInt64(0)..<10_000 {
            let value = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            pair.notify(3, value, indicate: indicate, token: number)
            if number % 100 == 99 { pair.settle() }
        }
        pair.settle()
        let received = pair.centralEvents.compactMap { event -> Int? in
            if case .valueReceived(_, 3, let value, indicate) = event { return Int(value[0]) | Int(value[1]) << 8 }
            return nil
        }
        let sent = pair.peripheralEvents.compactMap { event -> UInt64? in
            if case .valueSent(_, let token, nil) = event { return token.rawValue }
            return nil
        }
        #expect(received == Array(0..<10_000))
        #expect(sent == Array(0..<10_000))
    }

    @Test func `10,000 writes without response arrive complete and in order`() {
        var pair = GATTPair(.with(.dynamic()), mtu: 23)
        for number in 0..<10_000 {
            _ = pair.run(
                .writeWithoutResponse(3, [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]))
        }
        let received = pair.peripheralEvents.compactMap { event -> Int? in
            guard case .writeRequested(_, _, let writes, false) = event else { return nil }
            return Int(writes[0].value[0]) | Int(writes[0].value[1]) << 8
        }
        #expect(received == Array(0..<10_000))
    }

    @Test func `subscribing and being notified go over the air as they should`() {
        var pair = GATTPair(Self.twins(), mtu: 23)
        guard let handle = pair.server.database.configurationHandle(of: 18) else {
            Issue.record("no CCCD")
            return
        }
        #expect(pair.run(.write(handle, [1, 0])) == .success(.done))
        pair.notify(18, [7], indicate: false, token: 1)
        pair.settle()
        #expect(pair.peripheralEvents.contains(.subscriptionChanged(pair.peripheral.link, 18, .notifications)))
        #expect(pair.centralEvents.last == .valueReceived(pair.central.link, 18, [7], indicated: false))
    }

    @Test func `a signed write goes across`() {
        var pair = GATTPair(.with(.stored(0xFFF1, [0], properties: 0x42)))
        pair.central.signingKey = GATTSigningKey(csrk: 7)
        pair.peripheral.peerSigningKey = GATTSigningKey(csrk: 7)
        _ = pair.run(.signedWrite(3, [5]))
        _ = pair.run(.signedWrite(3, [6]))
        #expect(pair.run(.read(3)) == .success(.value([6])))
    }

    @Test(arguments: [10, 100, 1000]) func `discovery asks no more than the lists need`(count: Int) {
        var server = GATTServer(configuration: .empty)
        for number in 0..<(count / 10) {
            let characteristics = (0..<10).map { index in
                GATTServiceDefinition.Characteristic(
                    uuid: BluetoothUUID(full: UInt128(number * 10 + index) << 96 | 0x5F9B_34FB), properties: 0x1A,
                    permissions: [.read, .write])
            }
            _ = server.addService(
                .init(uuid: BluetoothUUID(full: UInt128(number) << 96 | 5), characteristics: characteristics))
        }
        var pair = GATTPair(server, mtu: 247)
        pair.requests = []
        let range = AttributeHandle.first...AttributeHandle.last
        guard case .success(.characteristics(let found)) = pair.run(.discoverCharacteristics(range)),
            case .success(.values(let configurations)) = pair.run(.readByUUID(0x2902, range))
        else {
            Issue.record("not discovered")
            return
        }
        #expect(found.count == count)
        #expect(configurations.count == count)
        // Eleven declarations of 21 octets, 61 CCCDs of 4 octets in 245; the end of each list costs one request.
        #expect(pair.requests.count == (count + 10) / 11 + 1 + (count + 60) / 61 + 1)
    }
}
