import BLEBackend
import BLEWire
import CoreBluetooth
import BLELocking
import Testing

/// Contract F: reading, writing, notifying.
struct ValueTests {
    @Test func `68 a read and a notification come the same way, the value set before the call`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        peripheral.readValue(for: characteristic)
        #expect(bench.backend.takeCommands().last == .read(bench.peer, Remote.value))
        bench.play(.valueRead(bench.peer, Remote.value, .success([1])))
        bench.play(.valueNotified(bench.peer, Remote.value, [2, 3]))
        #expect(bench.delegate.take() == ["value FFF1 1 nil", "value FFF1 2 3 nil"])
        #expect(characteristic.value == Data([2, 3]))
    }

    @Test func `68 values of one batch are told one by one, each as it was`() {
        let bench = CentralBench()
        let (peripheral, _) = bench.explore()
        bench.play(
            .valueNotified(bench.peer, Remote.value, [1]), .valueRead(bench.peer, Remote.value, .success([2])),
            .valueNotified(bench.peer, Remote.value, []))
        #expect(bench.delegate.take() == ["value FFF1 1 nil", "value FFF1 2 nil", "value FFF1  nil"])
        withExtendedLifetime(peripheral) {}
    }

    @Test func `70 an error leaves the value as it was`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.play(.valueRead(bench.peer, Remote.value, .success([1])))
        bench.play(.valueRead(bench.peer, Remote.value, .failure(BackendError(.att(.unlikelyError)))))
        #expect(bench.delegate.take() == ["value FFF1 1 nil", "value FFF1 1 CBATTError 14"])
        #expect(characteristic.value == Data([1]))
        withExtendedLifetime(peripheral) {}
    }

    @Test func `71 the peer is asked also where the properties do not allow it`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore(.notify)
        peripheral.readValue(for: characteristic)
        peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
        #expect(
            bench.backend.takeCommands() == [
                .read(bench.peer, Remote.value), .write(bench.peer, Remote.value, [1]),
            ])
        bench.play(
            .valueRead(bench.peer, Remote.value, .failure(BackendError(.att(.readNotPermitted)))),
            .written(bench.peer, Remote.value, BackendError(.att(.writeNotPermitted))))
        #expect(bench.delegate.take() == ["value FFF1 nil CBATTError 2", "wrote FFF1 CBATTError 3"])
    }

    @Test func `72 commands keep their order`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        for value in UInt8(0)..<50 {
            peripheral.writeValue(Data([value]), for: characteristic, type: .withResponse)
        }
        #expect(bench.backend.takeCommands() == (UInt8(0)..<50).map { .write(bench.peer, Remote.value, [$0]) })
    }

    @Test func `73 and 77 a write without response takes room and is not answered`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        bench.backend.state.withLock { $0.writeRoom = 1 }
        #expect(peripheral.canSendWriteWithoutResponse)
        peripheral.writeValue(Data([1]), for: characteristic, type: .withoutResponse)
        #expect(!peripheral.canSendWriteWithoutResponse)
        peripheral.writeValue(Data([2]), for: characteristic, type: .withoutResponse)
        #expect(
            bench.backend.takeCommands() == [
                .writeWithoutResponse(bench.peer, Remote.value, [1]),
                .writeWithoutResponse(bench.peer, Remote.value, [2]),
            ])
        bench.play(.readyToWriteWithoutResponse(bench.peer))
        #expect(bench.delegate.take() == ["ready to write"])
    }

    @Test func `77 without a connection there is no room`() {
        let bench = CentralBench()
        #expect(!bench.discover().canSendWriteWithoutResponse)
    }

    @Test(arguments: [(23, 20), (185, 182), (247, 244), (517, 512)])
    func `75 how long a write may be`(mtu: Int, length: Int) {
        let bench = CentralBench()
        let peripheral = bench.connect()
        bench.backend.state.withLock { $0.mtu = mtu }
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == length)
    }

    @Test func `76 a write without response that does not fit is not sent, and the log says so`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        peripheral.writeValue(Data(count: 21), for: characteristic, type: .withoutResponse)
        peripheral.writeValue(Data(count: 20), for: characteristic, type: .withoutResponse)
        #expect(
            bench.backend.takeCommands() == [
                .writeWithoutResponse(bench.peer, Remote.value, [UInt8](repeating: 0, count: 20))
            ])
        let address = "\(characteristic)".prefix { $0 != "," }
        #expect(bench.logged("WARNING: 21 octets are more than the 20", String(address)).count == 1)
    }

    @Test func `78 a write without response that is not offered is not sent, and the log says so`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore([.read, .write])
        peripheral.writeValue(Data([1]), for: characteristic, type: .withoutResponse)
        #expect(bench.backend.takeCommands() == [])
        let address = "\(characteristic)".prefix { $0 != "," }
        #expect(
            bench.logged(
                "WARNING: Characteristic \(address)",
                "does not specify the \"Write Without Response\" property - ignoring response-less write"
            ).count == 1)
    }

    @Test func `79 a subscription is answered with isNotifying set`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        peripheral.setNotifyValue(true, for: characteristic)
        #expect(!characteristic.isNotifying)
        #expect(bench.backend.takeCommands() == [.setNotify(bench.peer, Remote.characteristic(), true)])
        bench.play(.notifyStateChanged(bench.peer, Remote.characteristic(), .success(true)))
        #expect(bench.delegate.take() == ["notifying true nil"])
    }

    @Test func `80 the state that is held already is answered at once`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        peripheral.setNotifyValue(false, for: characteristic)
        bench.settle()
        #expect(bench.delegate.take() == ["notifying false nil"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `80 while an answer is awaited every wish goes to the peer`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        peripheral.setNotifyValue(true, for: characteristic)
        peripheral.setNotifyValue(false, for: characteristic)
        #expect(
            bench.backend.takeCommands() == [
                .setNotify(bench.peer, Remote.characteristic(), true),
                .setNotify(bench.peer, Remote.characteristic(), false),
            ])
    }

    @Test func `81 a characteristic that can not be subscribed to is answered with an error`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore([.read, .write])
        peripheral.setNotifyValue(true, for: characteristic)
        bench.settle()
        #expect(bench.delegate.take() == ["notifying false CBATTError 6"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `81 a failed subscription leaves the state`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        peripheral.setNotifyValue(true, for: characteristic)
        bench.play(
            .notifyStateChanged(
                bench.peer, Remote.characteristic(), .failure(BackendError(.att(.attributeNotFound)))))
        #expect(bench.delegate.take() == ["notifying false CBATTError 10"])
    }

    @Test func `84 the signal strength is read`() {
        let bench = CentralBench()
        let peripheral = bench.connect()
        peripheral.readRSSI()
        #expect(bench.backend.takeCommands() == [.readRSSI(bench.peer)])
        bench.play(.rssi(bench.peer, .success(-51)))
        bench.play(.rssi(bench.peer, .failure(BackendError(.unknown))))
        #expect(bench.delegate.take() == ["rssi -51 nil", "rssi 127 CBError 0"])
    }

    @Test func `84 without a connection the signal strength is an error`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        peripheral.readRSSI()
        bench.settle()
        #expect(bench.delegate.take() == ["rssi 127 CBError 3"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `what a callback sees is what it was told`() {
        let bench = CentralBench()
        let (peripheral, characteristic) = bench.explore()
        let seen = Locked<[Data?]>([])
        bench.delegate.inside.withLock { inside in
            inside = { _ in seen.withLock { $0.append(characteristic.value) } }
        }
        bench.play(.valueNotified(bench.peer, Remote.value, [1]), .valueNotified(bench.peer, Remote.value, [2]))
        #expect(seen.withLock { $0 } == [Data([1]), Data([2])])
        withExtendedLifetime(peripheral) {}
    }
}
