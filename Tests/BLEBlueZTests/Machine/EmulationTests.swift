import BLEBackend
import BLEBlueZ
import BLETestSupport
import BLEWire
import Testing

/// What a tool that stands for a device which is no phone asks of BlueZ.
struct BlueZEmulationTests {
    @Test func `A beacon has its data, is no peripheral, and isn't discoverable`() throws {
        var (fixture, session) = MachineFixture.on(.peripheral)
        var request = AdvertisingRequest(services: [0xFEAA])
        request.manufacturerData = [0x4C, 0x00, 0x02, 0x15]
        request.serviceData = [.init(uuid: 0xFEAA, data: [0x10, 0x00])]
        request.isConnectable = false
        fixture.perform(.startAdvertising(request), session)
        #expect(fixture.events(of: session) == [.advertisingStarted(nil)])
        let path = try #require(fixture.daemon.registered.first)
        let number = fixture.call(path, DBusName.properties, "GetAll", [.string(BlueZName.advertisement)])
        guard case .success(let values)? = fixture.answers[number], let value = values.first else {
            Issue.record("no answer")
            return
        }
        let service = "0000feaa-0000-1000-8000-00805f9b34fb"
        #expect(
            value
                == .properties([
                    "Type": .string("broadcast"), "ServiceUUIDs": .strings([service]),
                    "ManufacturerData": .dictionary(
                        key: "q", value: "v", [.init(.uint16(0x004C), .variant(.bytes([0x02, 0x15])))]),
                    "ServiceData": .dictionary(
                        key: "s", value: "v", [.init(.string(service), .variant(.bytes([0x10, 0x00])))]),
                ]))
    }

    @Test func `A service of the system is BlueZ's to refuse`() {
        var (fixture, session) = MachineFixture.on(.peripheral)
        var battery = LocalService(
            id: LocalAttributeID(rawValue: 10), uuid: 0x180F, isPrimary: true, includes: [], characteristics: [])
        battery.isEmulated = true
        fixture.perform(.addService(battery), session)
        #expect(fixture.events(of: session) == [.serviceAdded(battery.id, nil)])
    }
}
