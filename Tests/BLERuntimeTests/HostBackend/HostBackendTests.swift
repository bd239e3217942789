import BLEBackend
import BLEController
import BLEHost
import BLERuntime
import BLETestSupport
import BLEWire
import Testing

/// Two backends with their real hosts and controllers: what the core's tests leave to the host, and the snapshot.
@Suite struct HostBackendTests {
    static let service = LocalAttributeID(rawValue: 101)
    static let data = LocalAttributeID(rawValue: 102)

    /// A module with one characteristic of all properties, and a central that is connected to it and knows it.
    struct Pair {
        let radio: RadioFixture
        let phone: RadioDevice
        let module: RadioDevice
        let central: RadioSession
        let peripheral: RadioSession
        let peer: PeerID
        let service: RemoteService
        let data: RemoteCharacteristic

        init(
            phone change: (inout PhoneProfile) -> Void = { _ in },
            module moduleChange: (inout PhoneProfile) -> Void = { _ in }, buffers: Int = 8
        ) throws {
            radio = RadioFixture()
            phone = radio.add("Phone", change) { $0.aclPacketCount = buffers }
            module = radio.add("Module", moduleChange) { $0.aclPacketCount = buffers }
            central = phone.open(.central)
            peripheral = module.open(.peripheral)
            let radio = radio
            radio.run(for: .milliseconds(10))
            peripheral.perform(.addService(HostBackendTests.published))
            peripheral.perform(.startAdvertising(AdvertisingRequest(localName: "HMSoft", services: [0xFFE0])))
            radio.run(for: .milliseconds(10))
            peer = phone.peer(module)
            central.perform(.connect(peer, ConnectOptions()))
            central.perform(.discoverServices(peer, filter: nil))
            radio.run(for: .seconds(1))
            central.perform(.discoverServices(peer, filter: nil))
            radio.run(for: .seconds(1))
            service = try #require(
                central.sink.take().compactMap { event -> RemoteService? in
                    guard case .servicesDiscovered(_, .success(let list)) = event else { return nil }
                    return list.first
                }.first)
            central.perform(.discoverCharacteristics(peer, of: service, filter: nil))
            radio.run(for: .seconds(1))
            data = try #require(
                central.sink.take().compactMap { event -> RemoteCharacteristic? in
                    guard case .characteristicsDiscovered(_, _, .success(let list)) = event else { return nil }
                    return list.first
                }.first)
            _ = peripheral.sink.take()
        }

        /// Subscribes to the characteristic.
        func subscribe() {
            central.perform(.setNotify(peer, data, true))
            radio.run(for: .seconds(1))
            _ = (central.sink.take(), peripheral.sink.take())
        }

        /// What was notified since the last look.
        func notified() -> [[UInt8]] {
            central.sink.take().compactMap { event in
                guard case .valueNotified(_, _, let value) = event else { return nil }
                return value
            }
        }
    }

    static let published = LocalService(
        id: service, uuid: 0xFFE0, isPrimary: true, includes: [],
        characteristics: [
            LocalCharacteristic(
                id: data, uuid: 0xFFE1, properties: 0x1E, permissions: [.readable, .writeable], value: nil,
                descriptors: [])
        ])

    @Test func `a scan finds an advertiser with its name and service, and a device doesn't hear itself`() {
        let radio = RadioFixture()
        let phone = radio.add("Phone")
        let module = radio.add("Module")
        let central = phone.open(.central)
        let own = phone.open(.peripheral)
        let peripheral = module.open(.peripheral)
        radio.run(for: .milliseconds(10))
        own.perform(.startAdvertising(AdvertisingRequest(localName: "Phone")))
        peripheral.perform(.startAdvertising(AdvertisingRequest(localName: "HMSoft", services: [0xFFE0])))
        central.perform(.startScan(ScanRequest(allowDuplicates: true)))
        radio.run(for: .seconds(2))
        let found = central.sink.take().compactMap { event -> (PeerID, Advertisement)? in
            guard case .discovered(let peer, _, let advertisement, _) = event else { return nil }
            return (peer, advertisement)
        }
        #expect(found.count > 10)
        #expect(found.allSatisfy { $0.0 == phone.peer(module) })
        #expect(found.last?.1.localName == "HMSoft")
        #expect(found.last?.1.services == [0xFFE0])
        #expect(found.last?.1.isConnectable == true)
    }

    @Test func `what is on its way to a link that ends in the same batch stays here`() throws {
        let pair = try Pair()
        let handle = try #require(pair.radio.radio.linkHandles(of: pair.module.id).first)
        // Read By Group Type, which is answered at once.
        let request = HCIACLData.packet(
            handle: handle, boundary: .first,
            payload: [0x07, 0x00, 0x04, 0x00, 0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
        var packets: [[UInt8]] = []
        pair.module.backend.receive([request], at: pair.radio.now, into: &packets)
        #expect(packets.count { $0[0] == H4Indicator.aclData.rawValue } == 1)
        let other = HCIACLData.packet(
            handle: ConnectionHandle(rawValue: 0x0EFE), boundary: .firstFromHost, payload: [1])
        packets = [other]
        let end = HCIDisconnectionComplete(handle: handle, reason: .remoteUserTerminated).packet()
        pair.module.backend.receive([request, end], at: pair.radio.now, into: &packets)
        #expect(packets.filter { $0[0] == H4Indicator.aclData.rawValue } == [other])
        // The same where a driver hands over one packet at a time and sends later.
        packets = [other, HCIACLData.packet(handle: handle, boundary: .firstFromHost, payload: [2])]
        pair.module.backend.receive(end, at: pair.radio.now, into: &packets)
        #expect(packets.filter { $0[0] == H4Indicator.aclData.rawValue } == [other])
    }

    @Test func `connecting exchanges the MTU, which both sides see, and reads the name`() throws {
        let pair = try Pair()
        #expect(pair.phone.backend.attMTU(of: pair.peer) == 517)
        #expect(pair.module.backend.attMTU(of: pair.module.peer(pair.phone)) == 517)
        #expect(pair.phone.backend.knownPeers([pair.peer]) == [KnownPeer(id: pair.peer, name: "Module")])
    }

    @Test func `connected peers are found by their services`() throws {
        let pair = try Pair()
        let backend = pair.phone.backend
        #expect(backend.connectedPeers(withServices: [0xFFE0]) == [KnownPeer(id: pair.peer, name: "Module")])
        #expect(backend.connectedPeers(withServices: [0x180D]) == [])
        #expect(backend.connectedPeers(withServices: []) == [])
        // The phone is the module's central, and no peripheral of its programs.
        #expect(pair.module.backend.connectedPeers(withServices: [0xFFE0]) == [])
    }

    @Test func `10,000 writes without response arrive in order, each refusal followed by one ready event`() throws {
        let pair = try Pair(phone: { $0.writeQueueDepth = 4 }, buffers: 4)
        var next = 0
        var refusals = 0
        var announcements = 0
        var isReady = true
        func write() {
            while isReady, next < 10_000 {
                if pair.central.write([UInt8(next >> 8), UInt8(next & 255)], to: pair.data.value, of: pair.peer) {
                    next += 1
                } else {
                    refusals += 1
                    isReady = false
                }
            }
        }
        var arrived: [Int] = []
        write()
        pair.radio.run(atMost: .seconds(600)) {
            for case .readyToWriteWithoutResponse in pair.central.sink.take() {
                announcements += 1
                isReady = true
            }
            write()
            for case .writeRequests(_, _, let writes) in pair.peripheral.sink.take() {
                arrived += writes.map { Int($0.value[0]) << 8 | Int($0.value[1]) }
            }
            return arrived.count == 10_000
        }
        #expect(arrived == Array(0..<10_000))
        #expect(refusals > 1000)
        #expect(announcements == refusals)
    }

    @Test func `updates are refused exactly when the queue is full, and then announced once`() throws {
        let pair = try Pair(module: { $0.updateQueueDepth = 3 }, buffers: 2)
        pair.subscribe()
        #expect(pair.peripheral.update([0], of: Self.data))
        #expect(pair.peripheral.update([1], of: Self.data))
        #expect(pair.peripheral.update([2], of: Self.data))
        #expect(!pair.peripheral.update([3], of: Self.data))
        #expect(!pair.peripheral.update([4], of: Self.data))
        pair.radio.run(for: .seconds(1))
        let ready = pair.peripheral.sink.take().filter { $0 == .readyToUpdateSubscribers }
        #expect(ready.count == 1)
        #expect(pair.notified() == [[0], [1], [2]])
    }

    @Test func `500 updates through a tiny queue arrive in order`() throws {
        let pair = try Pair(module: { $0.updateQueueDepth = 2 }, buffers: 1)
        pair.subscribe()
        var next = 0
        func send() {
            while next < 500, pair.peripheral.update([UInt8(next & 255), UInt8(next >> 8)], of: Self.data) { next += 1 }
        }
        var arrived: [[UInt8]] = []
        send()
        pair.radio.run(atMost: .seconds(60)) {
            if pair.peripheral.sink.take().contains(.readyToUpdateSubscribers) { send() }
            arrived += pair.notified()
            return arrived.count == 500
        }
        #expect(arrived == (0..<500).map { [UInt8($0 & 255), UInt8($0 >> 8)] })
    }

    @Test func `an update that nobody is subscribed to is accepted and goes nowhere`() throws {
        let pair = try Pair()
        for _ in 0..<100 { #expect(pair.peripheral.update([1], of: Self.data)) }
        pair.radio.run(for: .seconds(1))
        #expect(pair.notified() == [])
    }

    @Test func `a central that vanishes with updates on their way leaves the queue empty`() throws {
        let pair = try Pair(module: { $0.updateQueueDepth = 3 }, buffers: 1)
        pair.subscribe()
        while pair.peripheral.update([1], of: Self.data) {}
        pair.radio.radio.setRSSI(-127, between: pair.phone.id, and: pair.module.id)
        pair.radio.run(for: .seconds(10))
        let events = pair.peripheral.sink.take()
        #expect(events.filter { $0 == .readyToUpdateSubscribers }.count == 1)
        #expect(
            events.contains { event in
                if case .unsubscribed = event { true } else { false }
            })
        #expect(pair.peripheral.update([1], of: Self.data))
    }

    @Test func `a value longer than the MTU allows is cut`() throws {
        let pair = try Pair(phone: { $0.exchangesMTU = false })
        pair.subscribe()
        #expect(pair.peripheral.update(Array(repeating: 7, count: 512), of: Self.data))
        pair.radio.run(for: .seconds(1))
        #expect(pair.notified() == [Array(repeating: 7, count: 20)])
    }

    @Test func `a service that is published later is told by Service Changed`() throws {
        let pair = try Pair()
        let late = LocalService(
            id: LocalAttributeID(rawValue: 201), uuid: 0xFFD0, isPrimary: true, includes: [], characteristics: [])
        pair.radio.run(for: .seconds(1))
        _ = pair.central.sink.take()
        pair.peripheral.perform(.addService(late))
        pair.radio.run(for: .seconds(1))
        let changes = pair.central.sink.take().compactMap { event -> ClosedRange<AttributeHandle>? in
            guard case .servicesModified(_, let range) = event else { return nil }
            return range
        }
        #expect(changes.count == 1)
        #expect(changes.first?.contains(pair.data.value) == false)
    }

    @Test func `out of range the connection times out and comes back by itself where it was asked for`() throws {
        let pair = try Pair()
        pair.central.perform(.connect(pair.peer, ConnectOptions(autoReconnect: true)))
        pair.radio.run(for: .seconds(1))
        _ = pair.central.sink.take()
        pair.radio.radio.setRSSI(-127, between: pair.phone.id, and: pair.module.id)
        pair.radio.run(for: .seconds(5))
        guard case .disconnected(_, let error?, reconnecting: true) = pair.central.sink.take().last else {
            Issue.record("not lost")
            return
        }
        #expect(error.cause == .connectionTimeout)
        pair.radio.radio.setRSSI(nil, between: pair.phone.id, and: pair.module.id)
        pair.radio.run(for: .seconds(5))
        #expect(pair.central.sink.take().contains(.connected(pair.peer)))
    }

    @Test func `each session gets one batch for what happens at once`() throws {
        let pair = try Pair()
        pair.central.perform(.disconnect(pair.peer))
        pair.central.perform(.startScan(ScanRequest()))
        pair.central.perform(.connect(PeerID(bits: 1), ConnectOptions()))
        pair.central.perform(.connect(PeerID(bits: 2), ConnectOptions()))
        pair.radio.run(until: pair.radio.now)
        #expect(pair.central.sink.takeBatches().map(\.count) == [2])
    }

    @Test func `a transport that closes and opens again is a reset`() throws {
        let pair = try Pair()
        var packets: [[UInt8]] = []
        pair.phone.backend.transportClosed(reason: "test", at: pair.radio.now, into: &packets)
        let events = pair.central.sink.take()
        guard case .disconnected(pair.peer, _?, reconnecting: false) = events.first else {
            Issue.record("not told")
            return
        }
        #expect(events.last == .stateChanged(.resetting))
        #expect(pair.phone.backend.adapterState == .resetting)
        #expect(pair.phone.backend.knownPeers([pair.peer]) == [])
        #expect(!pair.phone.backend.canSendWriteWithoutResponse(to: pair.peer))
    }

    @Test func `switching off and on by the condition`() throws {
        let pair = try Pair()
        pair.phone.backend.setCondition(.off)
        pair.radio.run(for: .seconds(1))
        #expect(pair.central.sink.take() == [.stateChanged(.poweredOff)])
        pair.phone.backend.setCondition(.on)
        pair.radio.run(for: .seconds(1))
        #expect(pair.central.sink.take() == [.stateChanged(.poweredOn)])
        pair.central.perform(.connect(pair.peer, ConnectOptions()))
        pair.radio.run(for: .seconds(2))
        #expect(pair.central.sink.take().contains(.connected(pair.peer)))
    }
}
