import BLEBackend
import CoreBluetooth
import Testing

/// Measuring distances: as on hardware that can't. [contract 1.4]
struct ChannelSoundingTests {
    @Test func `a channel sounding session ends at once with operation not supported`() {
        let bench = CentralBench()
        let (peripheral, _) = bench.explore()
        let configuration = CBChannelSoundingSessionConfiguration(role: .initiator)
        #expect(configuration.role == .initiator)
        peripheral.startChannelSoundingSession(configuration)
        bench.settle()
        #expect(bench.delegate.take() == ["sounding CBError 13"])
        #expect(bench.backend.takeCommands() == [])
        #expect(!CBCentralManager.supports(.channelSounding))
    }

    @Test func `a channel sounding session of a peripheral that is not connected is logged`() {
        let bench = CentralBench()
        let peripheral = bench.discover()
        peripheral.startChannelSoundingSession(CBChannelSoundingSessionConfiguration(role: .reflector))
        peripheral.cancelChannelSoundingSession()
        bench.settle()
        #expect(bench.delegate.take() == [])
        #expect(bench.logged("API MISUSE", "can only accept commands while in the connected state").count == 2)
    }
}
