import BLEBackend
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Contract H: subscriptions and updates.
struct SubscriptionTests {
    private let bench = PeripheralBench()

    @Test func `103 a subscription is told with the central among the subscribed`() throws {
        let (characteristic, name) = try publish()
        #expect(characteristic.subscribedCentrals == nil)
        bench.play(.subscribed(central: bench.central, name))
        #expect(bench.delegate.take() == ["subscribed FFF1, now 1"])
        #expect(bench.delegate.attributes.withLock { $0.last } === characteristic)
        #expect(
            characteristic.subscribedCentrals?.map(\.identifier.uuidString) == [bench.central.id.description])
    }

    @Test func `103 a second subscription of the same central changes nothing`() throws {
        let (characteristic, name) = try publish()
        bench.play(.subscribed(central: bench.central, name), .subscribed(central: bench.central, name))
        #expect(bench.delegate.take() == ["subscribed FFF1, now 1"])
        #expect(characteristic.subscribedCentrals?.count == 1)
    }

    @Test func `95 the end of a subscription is told once`() throws {
        let (characteristic, name) = try publish()
        bench.play(.subscribed(central: bench.central, name))
        bench.play(.unsubscribed(central: bench.central, name), .unsubscribed(central: bench.central, name))
        #expect(bench.delegate.take() == ["subscribed FFF1, now 1", "unsubscribed FFF1, now 0"])
        #expect(characteristic.subscribedCentrals == [])
    }

    @Test func `96 one central is one object while the program keeps it`() throws {
        let (_, name) = try publish()
        bench.play(.subscribed(central: bench.central, name))
        bench.play(.readRequest(RequestID(rawValue: 1), central: bench.central, name, offset: 0))
        let request = bench.delegate.requests.withLock { $0[0] }
        #expect(request.central === bench.delegate.centrals.withLock { $0[0] })
        bench.manager.respond(to: request, withResult: .success)
    }

    @Test func `104 updateValue says whether the value was queued`() throws {
        let (characteristic, name) = try publish()
        bench.play(.subscribed(central: bench.central, name))
        bench.backend.state.withLock { $0.updateRoom = 1 }
        #expect(bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil))
        #expect(!bench.manager.updateValue(Data([2]), for: characteristic, onSubscribedCentrals: nil))
        #expect(
            bench.backend.state.withLock { $0.updates } == [
                .init(value: [1], characteristic: name, centrals: nil)
            ])
        _ = bench.delegate.take()
        bench.play(.readyToUpdateSubscribers)
        #expect(bench.delegate.take() == ["ready to update"])
    }

    @Test func `104 not powered on there is no room`() throws {
        let (characteristic, _) = try publish()
        bench.play(.stateChanged(.poweredOff))
        #expect(!bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil))
    }

    @Test func `105 a list reaches those of it that are subscribed`() throws {
        let (characteristic, name) = try publish()
        let other = CentralInfo(id: Peers.next(), maximumUpdateValueLength: 20)
        bench.play(.subscribed(central: bench.central, name), .subscribed(central: other, name))
        let centrals = bench.delegate.centrals.withLock { $0 }
        #expect(bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: [centrals[1]]))
        bench.play(.unsubscribed(central: other, name))
        #expect(bench.manager.updateValue(Data([2]), for: characteristic, onSubscribedCentrals: centrals))
        #expect(
            bench.backend.state.withLock { $0.updates } == [
                .init(value: [1], characteristic: name, centrals: [other.id]),
                .init(value: [2], characteristic: name, centrals: [bench.central.id]),
            ])
    }

    @Test func `105 without a subscriber nothing is queued and the answer is true`() throws {
        let (characteristic, name) = try publish()
        #expect(bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil))
        bench.play(.subscribed(central: bench.central, name))
        #expect(bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: []))
        #expect(bench.backend.state.withLock { $0.updates } == [])
    }

    @Test func `a characteristic that is not published is not updated, and the log says so`() {
        let (_, characteristic) = Local.service()
        #expect(bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil))
        let address = "\(characteristic)".prefix { $0 != "," }
        #expect(bench.logged("API MISUSE: \(address)", "isn't published").count == 1)
    }

    @Test(arguments: [(23, 20), (185, 182), (515, 512), (517, 512)])
    func `106 a value is cut to what the central can receive`(mtu: Int, length: Int) throws {
        let (characteristic, name) = try publish()
        bench.backend.state.withLock { $0.mtu = mtu }
        bench.play(.subscribed(central: bench.central, name))
        #expect(bench.delegate.centrals.withLock { $0[0].maximumUpdateValueLength } == length)
        #expect(bench.manager.updateValue(Data(count: 600), for: characteristic, onSubscribedCentrals: nil))
        #expect(bench.backend.state.withLock { $0.updates[0].value.count } == length)
    }

    @Test func `108 an update leaves the characteristic's value`() throws {
        let (characteristic, name) = try publish()
        bench.play(.subscribed(central: bench.central, name))
        bench.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil)
        #expect(characteristic.value == nil)
    }

    @Test func `109 a wish for latency is passed on and not answered`() throws {
        let (_, name) = try publish()
        bench.play(.subscribed(central: bench.central, name))
        let central = bench.delegate.centrals.withLock { $0[0] }
        bench.manager.setDesiredConnectionLatency(.high, for: central)
        #expect(bench.backend.takeCommands() == [.setConnectionLatency(bench.central.id, .high)])
    }

    private func publish() throws -> (CBMutableCharacteristic, LocalAttributeID) {
        let (service, characteristic) = Local.service()
        let local = try #require(bench.publish(service))
        return (characteristic, local.characteristics[0].id)
    }
}
