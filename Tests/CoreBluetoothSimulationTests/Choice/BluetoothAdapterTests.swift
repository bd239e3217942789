import CoreBluetooth
import Ravning
import Testing

/// The choice of the adapter by code. Each in a process of its own, since a process has one device.
@Suite struct BluetoothAdapterTests {
    @Test(arguments: [
        (BluetoothAdapter.automatic, "auto"), (.virtual("kitchen"), "virtual:kitchen"), (.hci(1), "hci:1"),
        (.tcp(host: "localhost", port: 9000), "tcp:localhost:9000"), (.unix(path: "/run/x"), "unix:/run/x"),
        (.serial(path: "/dev/ttyS1", baud: 115_200), "serial:/dev/ttyS1@115200"),
        (.usb(), "usb:0"), (.usb(vendor: 0xA12, product: 1), "usb:0a12:0001"),
    ])
    func `says what the environment would`(adapter: BluetoothAdapter, text: String) {
        #expect(adapter.description == text)
    }

    @Test func `managers use the adapter that was chosen before them`() async {
        await #expect(processExitsWith: .success) {
            // Nothing listens there, so nothing but an adapter that can't be reached is tried.
            try BluetoothAdapter.serial(path: "/dev/null").use()
            let manager = CBCentralManager(delegate: nil, queue: nil)
            #expect(throws: BluetoothAdapterError.self) { try BluetoothAdapter.virtual().use() }
            withExtendedLifetime(manager) {}
        }
    }

    @Test func `a radio without a name is refused`() {
        #expect(throws: BluetoothAdapterError.self) { try BluetoothAdapter.virtual("").use() }
    }

    @Test func `a capture that doesn't say what to write is refused`() {
        #expect(throws: BluetoothAdapterError.self) { try BluetoothAdapter.virtual().use(capture: "packets.txt") }
    }
}
