import BLEHost
import BLEWire
import Testing

/// LE credit based channels: two hosts on one air, and a host against a scripted peer.
@Suite struct CreditChannelTests {
    static let token = OperationToken(rawValue: 1)
    static let channel = ChannelIdentifier(rawValue: 0x0040)
    static let handle = HostBench.handle

    /// Two linked hosts, of which the second listens to SPSM 0x0080.
    struct Pair {
        var air = AirBench()
        let central: Int
        let peripheral: Int
        let links: (central: ConnectionHandle, peripheral: ConnectionHandle)

        init(_ change: (inout HostConfiguration) -> Void = { _ in }) throws {
            var configuration = HostConfiguration()
            change(&configuration)
            central = air.add(configuration)
            peripheral = air.add(configuration)
            let made = air.link(central, to: peripheral)
            links = try #require(made)
            air.command(peripheral, .listen(spsm: 0x0080, ChannelListener()))
        }

        mutating func open(_ command: ChannelCommand = .open(token, spsm: 0x0080)) throws -> ChannelInfo {
            air.command(central, .channel(links.central, command))
            let info = air.wait(central) { if case .channel(_, .opened(let info, token)) = $0 { info } else { nil } }
            return try #require(info)
        }

        mutating func accepted() throws -> ChannelInfo {
            let info = air.wait(peripheral) { if case .channel(_, .opened(let info, nil)) = $0 { info } else { nil } }
            return try #require(info)
        }

        mutating func expect(
            _ device: Int, receives sdu: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let received = air.wait(device) { if case .channel(_, .received(_, let sdu)) = $0 { sdu } else { nil } }
            #expect(received == sdu, sourceLocation: sourceLocation)
        }

        mutating func expect(
            _ device: Int, closes end: ChannelEnd, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let found = air.wait(device) { if case .channel(_, .closed(_, let end)) = $0 { end } else { nil } }
            #expect(found == end, sourceLocation: sourceLocation)
        }
    }

    static func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test func `a channel opens at both sides with the other side's MTU`() throws {
        var pair = try Pair { $0.channels.mtu = 500 }
        let info = try pair.open()
        #expect(info == ChannelInfo(channel: Self.channel, spsm: 0x0080, mtu: 500))
        let accepted = try pair.accepted()
        #expect(accepted == info)
    }

    @Test(arguments: [0, 1, 21, 22, 245, 246, 247, 500, 2048])
    func `an SDU arrives whole both ways, in as many K-frames as it takes`(_ count: Int) throws {
        var pair = try Pair()
        let info = try pair.open()
        let accepted = try pair.accepted()
        let sdu = Self.octets(count)
        pair.air.command(pair.central, .channel(pair.links.central, .send(info.channel, sdu)))
        pair.expect(pair.peripheral, receives: sdu)
        pair.air.command(pair.peripheral, .channel(pair.links.peripheral, .send(accepted.channel, sdu)))
        pair.expect(pair.central, receives: sdu)
    }

    @Test func `each side may end a channel, and the other is told`() throws {
        var pair = try Pair()
        var info = try pair.open()
        pair.air.command(pair.central, .channel(pair.links.central, .close(info.channel)))
        pair.expect(pair.central, closes: .own)
        pair.expect(pair.peripheral, closes: .peer)
        info = try pair.open()
        let accepted = try pair.accepted()
        pair.air.command(pair.peripheral, .channel(pair.links.peripheral, .close(accepted.channel)))
        pair.expect(pair.peripheral, closes: .own)
        pair.expect(pair.central, closes: .peer)
    }

    @Test func `the end of the link ends its channels before the link is told lost`() throws {
        var pair = try Pair()
        _ = try pair.open()
        pair.air.command(pair.central, .disconnect(pair.links.central, reason: .remoteUserTerminated))
        pair.expect(pair.peripheral, closes: .link(.remoteUserTerminated))
        let events = pair.air.devices[pair.central].events
        let channel = events.firstIndex { if case .channel(_, .closed) = $0 { true } else { false } }
        let link = events.firstIndex { if case .disconnected = $0 { true } else { false } }
        let (first, second) = (try #require(channel), try #require(link))
        #expect(first < second)
    }

    @Test func `a service that isn't there is an error, and so is a link that isn't`() throws {
        var pair = try Pair()
        pair.air.command(pair.central, .channel(pair.links.central, .open(Self.token, spsm: 0x0090)))
        let error = pair.air.wait(pair.central) {
            if case .channel(_, .openFailed(Self.token, let error)) = $0 { error } else { nil }
        }
        #expect(error == .l2cap(.spsmNotSupported))
        let none = ConnectionHandle(rawValue: 0x0EFF)
        pair.air.command(pair.central, .channel(none, .open(Self.token, spsm: 0x0080)))
        let gone = HostError.disconnected(.unknownConnectionIdentifier)
        #expect(pair.air.devices[pair.central].events.last == .channel(none, .openFailed(Self.token, gone)))
    }

    @Test func `five enhanced channels open at once, and carry each their own`() throws {
        var pair = try Pair()
        pair.air.command(
            pair.central, .channel(pair.links.central, .openSeveral(Self.token, spsm: 0x0080, count: 5)))
        var infos: [ChannelInfo] = []
        while infos.count < 5 {
            let next = pair.air.wait(pair.central) {
                if case .channel(_, .opened(let info, Self.token)) = $0 { info } else { nil }
            }
            infos.append(try #require(next))
        }
        #expect(infos.map(\.channel.rawValue) == [0x40, 0x41, 0x42, 0x43, 0x44])
        #expect(infos.map(\.isEnhanced) == [true, true, true, true, true])
        for (number, info) in infos.enumerated() {
            pair.air.command(pair.central, .channel(pair.links.central, .send(info.channel, [UInt8(number)])))
        }
        for number in 0..<5 { pair.expect(pair.peripheral, receives: [UInt8(number)]) }
    }

    @Test func `a reconfigured channel takes longer SDUs`() throws {
        var pair = try Pair { $0.channels.mtu = 100 }
        let info = try pair.open(.openSeveral(Self.token, spsm: 0x0080, count: 1))
        let accepted = try pair.accepted()
        pair.air.command(
            pair.central, .channel(pair.links.central, .reconfigure(Self.token, [info.channel], mtu: 300, mps: 300)))
        let done = pair.air.wait(pair.central) {
            if case .channel(_, .reconfigured(Self.token, let error)) = $0 { [error] } else { nil }
        }
        #expect(done == [nil])
        #expect(
            pair.air.devices[pair.peripheral].events.contains(
                .channel(pair.links.peripheral, .peerReconfigured(accepted.channel, mtu: 300))))
        let sdu = Self.octets(300)
        pair.air.command(pair.peripheral, .channel(pair.links.peripheral, .send(accepted.channel, sdu)))
        pair.expect(pair.central, receives: sdu)
    }

    @Test func `a reconfiguration that gives less isn't asked for`() throws {
        var pair = try Pair()
        let info = try pair.open(.openSeveral(Self.token, spsm: 0x0080, count: 1))
        pair.air.command(
            pair.central, .channel(pair.links.central, .reconfigure(Self.token, [info.channel], mtu: 100, mps: 247)))
        let error = HostError.invalidParameters("a reconfiguration to MTU 100, MPS 247")
        #expect(
            pair.air.devices[pair.central].events.last
                == .channel(pair.links.central, .reconfigured(Self.token, error)))
    }

    // MARK: Credits

    @Test func `sends no more K-frames than it has credits, and goes on when more come`() throws {
        // The peer takes K-frames of 64 octets and gives 2 credits.
        var bench = try ChannelCaseTests.openedBench()
        let sdu = Self.octets(60)
        for _ in 0..<4 { bench.command(.channel(Self.handle, .send(Self.channel, sdu))) }
        #expect(bench.sentPDUs().map(\.payload) == [[60, 0] + sdu, [60, 0] + sdu])
        bench.forget()
        bench.receive([0x16, 1, 4, 0, 0x40, 0, 1, 0], on: .signalling)
        #expect(bench.sentPDUs().map(\.payload) == [[60, 0] + sdu])
        #expect(bench.events == [.channel(Self.handle, .sent(Self.channel, octets: 60))])
    }

    @Test func `has few K-frames ahead of the controller, whatever the credits`() throws {
        var bench = try ChannelCaseTests.openedBench()
        bench.completesData = false
        bench.receive([0x16, 1, 4, 0, 0x40, 0, 0xFF, 0], on: .signalling)
        for _ in 0..<100 { bench.command(.channel(Self.handle, .send(Self.channel, Self.octets(60)))) }
        // A Command Reject passes all but those.
        bench.receive([0x7F, 5, 0, 0], on: .signalling)
        bench.completesData = true
        bench.receive(HCINumberOfCompletedPackets.packet(handle: Self.handle, count: 4))
        let place = try #require(bench.sentPDUs().firstIndex { $0.channel == .signalling })
        #expect(place <= 4 + 8)
        #expect(bench.sentPDUs().count { $0.channel == Self.channel } == 100)
    }

    @Test func `gives credits back as octets are taken, not before`() throws {
        // MTU 64, MPS 32, 6 credits.
        var bench = try ChannelCaseTests.openedBench()
        let frame: [UInt8] = [30, 0] + Self.octets(30)
        for _ in 0..<6 { bench.receive(frame, on: Self.channel) }
        #expect(bench.data.isEmpty)
        bench.command(.channel(Self.handle, .taken(Self.channel, octets: 60)))
        #expect(bench.data.isEmpty)
        bench.command(.channel(Self.handle, .taken(Self.channel, octets: 30)))
        #expect(bench.sentPDUs().map { Hex.string($0.payload, separator: " ") } == ["16 01 04 00 40 00 03 00"])
    }

    @Test func `a peer with short K-frames gets credits while its SDU grows`() throws {
        var bench = try ChannelCaseTests.openedBench()
        // 64 octets, one a frame: far more frames than the window has.
        bench.receive([64, 0], on: Self.channel)
        for number in 0..<64 { bench.receive([UInt8(number)], on: Self.channel) }
        #expect(bench.events == [.channel(Self.handle, .received(Self.channel, Array(0..<64)))])
    }

    @Test func `an SDU that is longer than the peer takes is refused`() throws {
        var bench = try ChannelCaseTests.openedBench()
        bench.command(.channel(Self.handle, .send(Self.channel, Self.octets(65))))
        let error = HostError.invalidParameters("an SDU of 65 octets, the peer takes 64")
        #expect(bench.events == [.channel(Self.handle, .refused(Self.channel, error))])
        #expect(bench.data.isEmpty)
    }

    // MARK: Peers that don't answer

    @Test func `a request for a channel that nobody answers ends after thirty seconds`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.channel(Self.handle, .open(Self.token, spsm: 0x80)))
        bench.advance(by: .milliseconds(29_999))
        #expect(bench.events.isEmpty)
        bench.advance(by: .milliseconds(1))
        let error = HostError.invalidResponse("no answer to the L2CAP request")
        #expect(bench.events == [.channel(Self.handle, .openFailed(Self.token, error))])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `a channel whose end nobody answers is gone after thirty seconds`() throws {
        var bench = try ChannelCaseTests.openedBench()
        bench.command(.channel(Self.handle, .close(Self.channel)))
        bench.advance(by: .milliseconds(29_999))
        #expect(bench.events.isEmpty)
        bench.advance(by: .milliseconds(1))
        #expect(bench.events == [.channel(Self.handle, .closed(Self.channel, .own))])
    }

    @Test func `two ends that cross are one end`() throws {
        var bench = try ChannelCaseTests.openedBench()
        bench.command(.channel(Self.handle, .close(Self.channel)))
        bench.receive([0x06, 9, 4, 0, 0x40, 0, 0x40, 0], on: .signalling)
        bench.receive([0x07, 1, 4, 0, 0x40, 0, 0x40, 0], on: .signalling)
        #expect(bench.events == [.channel(Self.handle, .closed(Self.channel, .own))])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `a peer that doesn't know channels rejects the request`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.channel(Self.handle, .open(Self.token, spsm: 0x80)))
        bench.receive([0x01, 1, 2, 0, 0, 0], on: .signalling)
        #expect(bench.events == [.channel(Self.handle, .openFailed(Self.token, .hci(.unsupportedRemoteFeature)))])
    }

    @Test func `a pending answer gives the peer its time once more`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.channel(Self.handle, .openSeveral(Self.token, spsm: 0x80, count: 1)))
        bench.advance(by: .seconds(20))
        bench.receive([0x18, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0x0D, 0], on: .signalling)
        bench.advance(by: .seconds(20))
        #expect(bench.events.isEmpty)
        bench.receive([0x18, 1, 10, 0, 64, 0, 64, 0, 1, 0, 0, 0, 0x40, 0], on: .signalling)
        let info = ChannelInfo(channel: Self.channel, spsm: 0x80, mtu: 64, isEnhanced: true)
        #expect(bench.events == [.channel(Self.handle, .opened(info, Self.token))])
    }
}
