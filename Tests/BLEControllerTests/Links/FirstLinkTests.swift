import BLEController
import BLEWire
import Testing

@Suite struct FirstLinkTests {
    @Test func `two controllers meet on the air, exchange data both ways and part`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        radio.scan(central, active: true)
        radio.advertise(peripheral)
        radio.run(.milliseconds(500))
        let reports = radio.reports(central)
        #expect(reports.contains { $0.type == .connectableAndScannable && $0.data == [2, 1, 6] })
        #expect(reports.contains { $0.type == .scanResponse && $0.data == [4, 9, 0x61, 0x62, 0x63] })
        radio.send(LESetScanEnable(isEnabled: false), to: central)
        let handles = try radio.connect(central, to: peripheral)
        #expect(radio.radio.linkLayerState(of: central) == .connectedAsCentral)
        #expect(radio.radio.linkLayerState(of: peripheral) == .connectedAsPeripheral)
        radio.sendData([3, 0, 4, 0, 1, 2, 3], to: central, handles.central)
        radio.sendData([2, 0, 4, 0, 9, 8], to: peripheral, handles.peripheral)
        radio.run(.milliseconds(100))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[3, 0, 4, 0, 1, 2, 3]])
        #expect(radio.data(central).map(\.payloadOctets) == [[2, 0, 4, 0, 9, 8]])
        #expect(
            radio.status(HCIDisconnect(handle: handles.central, reason: .remoteUserTerminated), to: central) == .success
        )
        radio.run(.milliseconds(200))
        #expect(radio.disconnections(central).map(\.reason) == [.localHostTerminated])
        #expect(radio.disconnections(peripheral).map(\.reason) == [.remoteUserTerminated])
        #expect(radio.radio.linkLayerState(of: central) == .standby)
        #expect(radio.radio.linkLayerState(of: peripheral) == .standby)
    }
}
