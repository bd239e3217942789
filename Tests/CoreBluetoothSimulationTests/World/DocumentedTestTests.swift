import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// The test that the article "Putting an existing Core Bluetooth project on Linux" shows, word for word.
@Suite struct DocumentedTestTests {
    @Test func `the thermometer is found and read, and waits while the radio is off`() {
        let world = World(seed: 1)
        let temperature = VirtualCharacteristic(
            CBUUID(string: "2A1C"), .read, value: Data([0x00, 0x6D, 0x01, 0x00, 0xFF]))
        world.addPeripheral(
            VirtualPeripheral("Thermometer")
                .advertising(services: [CBUUID(string: "1809")])
                .service(CBUUID(string: "1809"), temperature))
        let phone = world.addPhone("phone")
        let program = phone.run { ThermometerProgram() }
        #expect(world.run(until: { program.temperature == 36.5 }))

        phone.powerOff()
        #expect(world.run(until: { program.isWaiting }))
    }
}

/// As an app would have it: finds a thermometer, connects it and reads its temperature.
private final class ThermometerProgram: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var temperature: Double?
    private(set) var isWaiting = true
    private var manager: CBCentralManager?
    private var thermometer: CBPeripheral?

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: DispatchQueue(label: "thermometer"))
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        isWaiting = central.state != .poweredOn
        if !isWaiting { central.scanForPeripherals(withServices: [CBUUID(string: "1809")]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        thermometer = peripheral
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices([CBUUID(string: "1809")])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        peripheral.services?.forEach { peripheral.discoverCharacteristics(nil, for: $0) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        service.characteristics?.forEach(peripheral.readValue)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        // Flags, then a number as mantissa of 24 bits and exponent of 8.
        guard let octets = characteristic.value.map([UInt8].init), octets.count >= 5 else { return }
        let mantissa = Int(octets[1]) | Int(octets[2]) << 8 | Int(octets[3]) << 16
        temperature = Double(mantissa) * pow(10, Double(Int8(bitPattern: octets[4])))
    }
}
