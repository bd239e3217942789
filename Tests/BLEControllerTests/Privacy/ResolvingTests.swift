import BLECrypto
import BLEController
import BLEWire
import Testing

/// Private addresses that controllers make and resolve. [Vol 6, Part B, 6]
@Suite struct ResolvingTests {
    /// Two devices with keys, each in the list of the other.
    private struct Scene {
        static let (irkOfFirst, irkOfSecond): (UInt128, UInt128) = (0x1111_2222_3333, 0x4444_5555_6666)
        var radio: TestRadio
        let first: ControllerID
        let second: ControllerID

        init(isListed: Bool = true) {
            var settings = RadioSettings()
            settings.capturesAir = true
            radio = TestRadio(settings)
            (first, second) = (radio.add(1), radio.add(2))
            guard isListed else { return }
            list(second, of: first, peerIRK: Self.irkOfSecond, localIRK: Self.irkOfFirst)
            list(first, of: second, peerIRK: Self.irkOfFirst, localIRK: Self.irkOfSecond)
        }

        mutating func list(_ peer: ControllerID, of id: ControllerID, peerIRK: UInt128, localIRK: UInt128) {
            let command = LEAddDeviceToResolvingList(
                peer: radio.address(peer), peerIRK: peerIRK, localIRK: localIRK)
            radio.send(command, to: id)
            radio.send(LESetAddressResolutionEnable(isEnabled: true), to: id)
        }

        /// The second advertises with private addresses that the first resolves.
        mutating func advertise(_ type: LEAdvertisingType = .connectableAndScannable, interval: UInt16 = 160) {
            var parameters = LESetAdvertisingParameters()
            parameters.intervalMinimum = interval
            parameters.intervalMaximum = interval
            parameters.type = type
            parameters.ownAddressType = .resolvableOrPublic
            parameters.peer = radio.address(first)
            radio.send(parameters, to: second)
            radio.send(LESetAdvertisingData(data: [2, 1, 6]), to: second)
            radio.send(LESetScanResponseData(data: [2, 9, 0x61]), to: second)
            radio.send(LESetAdvertisingEnable(isEnabled: true), to: second)
        }

        /// AdvA of every advertisement on the air, each once.
        var advertisers: [DeviceAddress] {
            var found: [DeviceAddress] = []
            for packet in radio.air where packet.direction == .advertising {
                guard let pdu = LLAdvertisement(packet.pdu, count: packet.pdu.count) else { continue }
                if found.last != pdu.advertiser { found.append(pdu.advertiser) }
            }
            return found
        }
    }

    @Test func `P05 the address of an advertiser is new every 15 minutes, and the key resolves each`() {
        var scene = Scene()
        scene.advertise(interval: 0x0800)
        scene.radio.run(.seconds(3600 - 5))
        let addresses = scene.advertisers
        #expect(addresses.count == 4)
        #expect(Set(addresses).count == 4)
        #expect(addresses.allSatisfy { KeyDerivation.resolves($0, irk: Scene.irkOfSecond) })
        #expect(addresses.allSatisfy { !KeyDerivation.resolves($0, irk: Scene.irkOfFirst) })
    }

    @Test func `P05 scan requests have private addresses too, and no packet has the identity`() {
        var scene = Scene()
        scene.advertise()
        var parameters = LESetScanParameters()
        parameters.isActive = true
        parameters.ownAddressType = .resolvableOrPublic
        scene.radio.send(parameters, to: scene.first)
        scene.radio.send(LESetScanEnable(isEnabled: true, filterDuplicates: false), to: scene.first)
        scene.radio.run(.seconds(2))
        let requests = scene.radio.air.compactMap { packet -> LLScanReq? in
            guard case .scanReq(let request)? = try? LLAdvertisingPacket(decoding: packet.pdu).payload else {
                return nil
            }
            return request
        }
        #expect(!requests.isEmpty)
        #expect(
            requests.allSatisfy {
                KeyDerivation.resolves(DeviceAddress($0.scanner, .randomDevice), irk: Scene.irkOfFirst)
            })
        let identities = [scene.radio.address(scene.first).bits, scene.radio.address(scene.second).bits]
        #expect(requests.allSatisfy { !identities.contains($0.advertiser) })
        #expect(scene.advertisers.allSatisfy { !identities.contains($0.bits) })
    }

    @Test func `P06 keys are set up once, however many addresses are heard`() {
        var scene = Scene()
        let strangers = (3...6).map { scene.radio.add($0) }
        for stranger in strangers {
            // They have keys of their own, and a new address each second.
            scene.list(scene.first, of: stranger, peerIRK: 0x99, localIRK: UInt128(stranger.rawValue + 0x1000))
            scene.radio.send(LESetResolvablePrivateAddressTimeout(timeout: 1), to: stranger)
            var parameters = LESetAdvertisingParameters()
            parameters.ownAddressType = .resolvableOrPublic
            parameters.peer = scene.radio.address(scene.first)
            scene.radio.send(parameters, to: stranger)
            scene.radio.send(LESetAdvertisingEnable(isEnabled: true), to: stranger)
        }
        scene.radio.send(LESetResolvablePrivateAddressTimeout(timeout: 1), to: scene.second)
        scene.advertise()
        scene.radio.scan(scene.first, filterDuplicates: false)
        scene.radio.run(.seconds(30))
        let use = scene.radio.radio.resolverUse(of: scene.first)
        #expect(use.setups == 2)
        #expect(use.remembered > 100 && use.remembered <= 4096)
        #expect(scene.radio.reports(scene.first).contains { $0.address.kind == .publicIdentity })
    }

    @Test func `an advertiser keeps its identity through its addresses`() {
        var scene = Scene()
        scene.radio.send(LESetResolvablePrivateAddressTimeout(timeout: 2), to: scene.second)
        scene.advertise()
        // A scan request with the identity address wouldn't be answered.
        scene.radio.send(
            LESetScanParameters(
                isActive: true, interval: 16, window: 16, ownAddressType: .resolvableOrPublic, filterPolicy: 0),
            to: scene.first)
        scene.radio.send(LESetScanEnable(isEnabled: true, filterDuplicates: false), to: scene.first)
        scene.radio.run(.seconds(10))
        let reports = scene.radio.reports(scene.first)
        #expect(reports.count > 50)
        let identity = DeviceAddress(scene.radio.address(scene.second).bits, .publicIdentity)
        #expect(reports.allSatisfy { $0.address == identity })
        #expect(reports.contains { $0.type == .scanResponse })
        #expect(scene.advertisers.count >= 4)
    }

    @Test func `duplicates are those of an identity, not of an address`() {
        var scene = Scene()
        scene.radio.send(LESetResolvablePrivateAddressTimeout(timeout: 1), to: scene.second)
        scene.advertise()
        scene.radio.scan(scene.first, filterDuplicates: true)
        scene.radio.run(.seconds(10))
        #expect(scene.radio.reports(scene.first).count == 1)
    }

    @Test func `who has the key not hears private addresses only`() {
        var scene = Scene()
        scene.radio.send(LESetResolvablePrivateAddressTimeout(timeout: 1), to: scene.second)
        let stranger = scene.radio.add(3)
        scene.advertise()
        scene.radio.scan(stranger, filterDuplicates: true)
        scene.radio.run(.seconds(10))
        let reports = scene.radio.reports(stranger)
        #expect(reports.count >= 8)
        #expect(reports.allSatisfy { $0.address.isResolvablePrivate && $0.address.kind == .randomDevice })
    }

    @Test(arguments: [true, false]) func `a central connects by identity, and both learn who the other is`(
        usesAcceptList: Bool
    ) throws {
        var scene = Scene()
        scene.advertise()
        let peer = scene.radio.address(scene.second)
        scene.radio.send(LEAddDeviceToFilterAcceptList(address: peer), to: scene.first)
        let command = LECreateConnection(
            usesAcceptList: usesAcceptList, peer: usesAcceptList ? DeviceAddress(0) : peer,
            ownAddressType: .resolvableOrPublic)
        #expect(scene.radio.status(command, to: scene.first) == .success)
        scene.radio.run(.seconds(1))
        for (id, other, isFirst) in [(scene.first, scene.second, true), (scene.second, scene.first, false)] {
            let event = try #require(
                scene.radio.events(id).compactMap {
                    if case .leEnhancedConnectionComplete(let event) = $0 { event } else { nil }
                }.first)
            #expect(event.status == .success)
            #expect(event.peer == DeviceAddress(scene.radio.address(other).bits, .publicIdentity))
            let (own, others) =
                isFirst ? (Scene.irkOfFirst, Scene.irkOfSecond) : (Scene.irkOfSecond, Scene.irkOfFirst)
            #expect(KeyDerivation.resolves(event.localResolvableAddress, irk: own))
            #expect(KeyDerivation.resolves(event.peerResolvableAddress, irk: others))
        }
        let again = LECreateConnection(peer: peer)
        #expect(scene.radio.status(again, to: scene.first) == .connectionAlreadyExists)
    }

    @Test func `a host that doesn't want the newer event gets the older one, with the plain identity`() throws {
        var scene = Scene()
        scene.radio.send(LESetEventMask(mask: .standard), to: scene.first)
        scene.advertise()
        let peer = scene.radio.address(scene.second)
        scene.radio.send(LECreateConnection(peer: peer), to: scene.first)
        scene.radio.run(.seconds(1))
        let event = try #require(
            scene.radio.events(scene.first).compactMap {
                if case .leConnectionComplete(let event) = $0 { event } else { nil }
            }.first)
        #expect(event.peer == peer)
    }

    @Test func `directed advertising names its target by a private address, and only the target connects`() throws {
        var scene = Scene()
        let stranger = scene.radio.add(3)
        scene.advertise(.directedLowDutyCycle)
        scene.radio.scan(stranger)
        scene.radio.send(LECreateConnection(peer: scene.radio.address(scene.second)), to: scene.first)
        scene.radio.run(.seconds(1))
        let targets = scene.radio.air.compactMap { LLAdvertisement($0.pdu, count: $0.pdu.count)?.target }
        #expect(!targets.isEmpty)
        #expect(targets.allSatisfy { KeyDerivation.resolves($0, irk: Scene.irkOfFirst) })
        #expect(scene.radio.reports(stranger).isEmpty)
        // The central came with its public identity address, which network privacy doesn't take.
        #expect(scene.radio.connections(scene.second).isEmpty)
    }

    @Test func `P08 the identity address of a peer that has a key isn't heard in network privacy mode`() {
        var scene = Scene()
        scene.radio.advertise(scene.second)
        scene.radio.scan(scene.first)
        scene.radio.run(.seconds(1))
        #expect(scene.radio.reports(scene.first).isEmpty)
        scene.radio.send(LESetScanEnable(isEnabled: false, filterDuplicates: false), to: scene.first)
        let mode = LESetPrivacyMode(peer: scene.radio.address(scene.second), mode: 1)
        #expect(scene.radio.status(mode, to: scene.first) == .success)
        scene.radio.scan(scene.first)
        scene.radio.run(.seconds(1))
        let reports = scene.radio.reports(scene.first)
        #expect(!reports.isEmpty)
        #expect(reports.allSatisfy { $0.address == scene.radio.address(scene.second) })
    }

    @Test func `P07 an old private address of ours isn't answered`() throws {
        var scene = Scene()
        scene.radio.send(LESetResolvablePrivateAddressTimeout(timeout: 2), to: scene.second)
        scene.advertise()
        scene.radio.run(.milliseconds(500))
        let old = try #require(scene.advertisers.last)
        scene.radio.run(.seconds(3))
        #expect(scene.advertisers.last != old)
        for (address, isAnswered) in [(old, false), (try #require(scene.advertisers.last), true)] {
            var connect = LLConnectInd()
            connect.initiator = 0x1234
            connect.advertiser = address.bits
            connect.accessAddress = 0x5065_5A1B
            connect.interval = 24
            connect.timeout = 72
            connect.windowSize = 1
            connect.channelMap = ChannelMap.all.bits
            connect.hopAndSleepClockAccuracy = 5
            let packet = LLAdvertisingPacket(
                header: AdvertisingHeader(type: .connectInd, receiverIsRandom: true), payload: .connectInd(connect))
            scene.radio.radio.injectReply(try packet.encoded(), to: scene.second)
            scene.radio.run(.milliseconds(300))
            #expect(!scene.radio.connections(scene.second).isEmpty == isAnswered)
        }
    }

    @Test func `without an entry the address that stands in is used`() {
        var scene = Scene(isListed: false)
        scene.advertise()
        scene.radio.run(.milliseconds(500))
        #expect(scene.advertisers == [scene.radio.address(scene.second)])
    }

    @Test func `commands about the list answer as they should`() {
        var radio = TestRadio()
        let id = radio.add(1) { $0.resolvingListSize = 2 }
        let entry = { (last: UInt64, irk: UInt128) in
            LEAddDeviceToResolvingList(peer: DeviceAddress(last), peerIRK: irk, localIRK: 7)
        }
        let results: [HCIStatus?] = [
            radio.status(entry(1, 1), to: id),
            radio.status(entry(1, 2), to: id),
            radio.status(entry(2, 1), to: id),
            radio.status(entry(2, 0), to: id),
            radio.status(entry(3, 3), to: id),
            radio.status(LERemoveDeviceFromResolvingList(peer: DeviceAddress(9)), to: id),
            radio.status(LESetPrivacyMode(peer: DeviceAddress(9), mode: 1), to: id),
            radio.status(LEReadPeerResolvableAddress(peer: DeviceAddress(9)), to: id),
            radio.status(LEReadLocalResolvableAddress(peer: DeviceAddress(1)), to: id),
            radio.status(LEReadResolvingListSize(), to: id),
        ]
        #expect(
            results == [
                .success, .invalidParameters, .invalidParameters, .success, .memoryCapacityExceeded,
                .unknownConnectionIdentifier, .unknownConnectionIdentifier, .unknownConnectionIdentifier, .success,
                .success,
            ])
        radio.send(LESetAddressResolutionEnable(isEnabled: true), to: id)
        radio.scan(id)
        let busy: [HCIStatus?] = [
            radio.status(LERemoveDeviceFromResolvingList(peer: DeviceAddress(1)), to: id),
            radio.status(LEClearResolvingList(), to: id),
            radio.status(LESetAddressResolutionEnable(isEnabled: false), to: id),
            radio.status(LESetPrivacyMode(peer: DeviceAddress(1), mode: 1), to: id),
            radio.status(LESetResolvablePrivateAddressTimeout(timeout: 60), to: id),
        ]
        #expect(
            busy == [.commandDisallowed, .commandDisallowed, .commandDisallowed, .commandDisallowed, .success])
        radio.send(LESetScanEnable(isEnabled: false, filterDuplicates: false), to: id)
        #expect(radio.status(LEClearResolvingList(), to: id) == .success)
        #expect(
            radio.status(LEReadLocalResolvableAddress(peer: DeviceAddress(1)), to: id) == .unknownConnectionIdentifier)
    }

    @Test func `a controller without privacy knows none of it`() {
        var radio = TestRadio()
        let id = radio.add(1) { $0.supportsPrivacy = false }
        #expect(radio.status(LEReadResolvingListSize(), to: id) == .unknownCommand)
        var parameters = LESetAdvertisingParameters()
        parameters.ownAddressType = .resolvableOrPublic
        #expect(radio.status(parameters, to: id) == .unsupportedFeature)
    }

    @Test func `a crowd of private addresses costs the scanner no memory without end`() {
        var scene = Scene()
        scene.radio.scan(scene.first)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<10_000 {
            let bits = UInt64(0x40) << 40 | generator.next() & 0x3FFF_FFFF_FFFF
            let packet = LLAdvertisingPacket(
                header: AdvertisingHeader(type: .advInd, transmitterIsRandom: true),
                payload: .advInd(LLAdvInd(advertiser: bits, data: [])))
            guard let pdu = try? packet.encoded() else { continue }
            var out: [RadioOutput] = []
            scene.radio.radio.injectAdvertising(pdu, channel: 37, at: scene.radio.now, into: &out)
        }
        scene.advertise()
        scene.radio.run(.seconds(1))
        #expect(scene.radio.reports(scene.first).allSatisfy { $0.address.kind == .publicIdentity })
    }
}
