import BLEBackend
import BLEWire
import CoreBluetooth
import Testing

/// Contract I: advertising.
struct AdvertisingTests {
    private let bench = PeripheralBench()

    @Test func `110 the name and the services are advertised`() {
        bench.manager.startAdvertising([
            CBAdvertisementDataLocalNameKey: "OBand-75",
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFF0"), CBUUID(string: "FFE0")],
        ])
        #expect(
            bench.backend.takeCommands() == [
                .startAdvertising(AdvertisingRequest(localName: "OBand-75", services: [0xFFF0, 0xFFE0]))
            ])
    }

    @Test func `110 other keys are ignored with a warning`() {
        bench.manager.startAdvertising(["no such key 4712": 1, CBAdvertisementDataTxPowerLevelKey: 4])
        #expect(bench.backend.takeCommands() == [.startAdvertising(AdvertisingRequest())])
        #expect(bench.logged("WARNING", "'no such key 4712' is not allowed").count == 1)
    }

    @Test(
        arguments: [
            [CBAdvertisementDataLocalNameKey: 5], [CBAdvertisementDataServiceUUIDsKey: "FFF0"],
        ] as [[String: any Sendable]])
    func `110 a value of the wrong type is refused`(data: [String: any Sendable]) {
        bench.manager.startAdvertising(data)
        bench.settle()
        #expect(bench.delegate.take() == ["advertising false CBError 1"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `111 advertising has begun when it is told`() {
        bench.manager.startAdvertising(nil)
        #expect(!bench.manager.isAdvertising)
        bench.play(.advertisingStarted(nil))
        #expect(bench.delegate.take() == ["advertising true nil"])
    }

    @Test func `111 a failed start can be tried again`() {
        bench.manager.startAdvertising(nil)
        bench.play(.advertisingStarted(BackendError(.unknown)))
        #expect(bench.delegate.take() == ["advertising false CBError 0"])
        _ = bench.backend.takeCommands()
        bench.manager.startAdvertising(nil)
        #expect(bench.backend.takeCommands() == [.startAdvertising(AdvertisingRequest())])
    }

    @Test func `111 starting twice is an error and changes nothing`() {
        bench.manager.startAdvertising(nil)
        bench.play(.advertisingStarted(nil))
        _ = bench.delegate.take()
        _ = bench.backend.takeCommands()
        bench.manager.startAdvertising(nil)
        bench.settle()
        #expect(bench.delegate.take() == ["advertising true CBError 9"])
        #expect(bench.backend.takeCommands() == [])
    }

    @Test func `115 stopping is not told`() {
        bench.manager.startAdvertising(nil)
        bench.play(.advertisingStarted(nil))
        _ = bench.delegate.take()
        bench.manager.stopAdvertising()
        #expect(!bench.manager.isAdvertising)
        bench.settle()
        #expect(bench.delegate.take() == [])
        #expect(bench.backend.takeCommands().last == .stopAdvertising)
    }

    @Test func `115 a start that was stopped before its answer is not told`() {
        bench.manager.startAdvertising(nil)
        bench.manager.stopAdvertising()
        bench.play(.advertisingStarted(nil))
        #expect(bench.delegate.take() == [])
        #expect(!bench.manager.isAdvertising)
    }

    @Test func `116 nil advertises without data`() {
        bench.manager.startAdvertising(nil)
        #expect(bench.backend.takeCommands() == [.startAdvertising(AdvertisingRequest())])
    }
}
