internal import BLERuntime

/// The adapter that a program's managers use, chosen by code in place of the environment.
///
/// Every program can be told by `RAVNING_ADAPTER` instead, without a change:
///
/// ```swift
/// try BluetoothAdapter.virtual("kitchen").use(as: "thermometer")
/// let manager = CBCentralManager(delegate: program, queue: nil)
/// ```
///
/// Managers that a `CoreBluetoothSimulation` world's phone runs belong to that phone, whatever is chosen here.
public struct BluetoothAdapter: Hashable, Sendable, CustomStringConvertible {
    /// As `RAVNING_ADAPTER` says it: `virtual:kitchen`, `hci:0`.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// BlueZ's adapter where it has one, else the first one that is free, as when nothing is chosen.
    public static let automatic = BluetoothAdapter("auto")
    /// A virtual radio by its name: programs of one user on one radio hear each other, without hardware or rights.
    public static func virtual(_ radio: String = "default") -> BluetoothAdapter { BluetoothAdapter("virtual:\(radio)") }
    /// The adapter that bluetoothd has, shared with the desktop and other programs, without root.
    /// - Parameter adapter: its name, `hci0`; nil = the first one that is on.
    public static func bluez(_ adapter: String? = nil) -> BluetoothAdapter {
        BluetoothAdapter("bluez" + (adapter.map { ":\($0)" } ?? ""))
    }
    /// The kernel's adapter hciN by its user channel: it must be down, and the program needs the right.
    public static func hci(_ number: Int) -> BluetoothAdapter { BluetoothAdapter("hci:\(number)") }
    /// A controller that speaks H4 over TCP.
    public static func tcp(host: String, port: Int) -> BluetoothAdapter { BluetoothAdapter("tcp:\(host):\(port)") }
    /// A controller that speaks H4 over a unix socket.
    public static func unix(path: String) -> BluetoothAdapter { BluetoothAdapter("unix:\(path)") }
    /// A controller that speaks H4 over a serial line.
    /// - Parameter baud: nil = the standard one.
    public static func serial(path: String, baud: Int? = nil) -> BluetoothAdapter {
        BluetoothAdapter("serial:\(path)" + (baud.map { "@\($0)" } ?? ""))
    }
    /// A controller on USB that the process takes from the kernel, which needs no Bluetooth of its own then; where the
    /// package was built with the trait `USB`. [Vol 4, Part B]
    /// - Parameter number: which one of several, counted from 0 in the bus's order.
    public static func usb(_ number: Int = 0) -> BluetoothAdapter { BluetoothAdapter("usb:\(number)") }
    /// A controller on USB by its vendor and product, as `lsusb` shows them.
    public static func usb(vendor: UInt16, product: UInt16) -> BluetoothAdapter {
        func digits(_ value: UInt16) -> String { String(String(0x1_0000 + Int(value), radix: 16).dropFirst()) }
        return BluetoothAdapter("usb:\(digits(vendor)):\(digits(product))")
    }

    /// Makes this the adapter of the process. To be called before the first manager is made.
    /// - Parameters:
    ///   - device: the device's name on a virtual radio; nil = `RAVNING_DEVICE`, or the executable's name.
    ///   - capture: a file that packets are written to: `.btsnoop` for HCI, `.pcap` for the air of a virtual radio;
    ///     nil = `RAVNING_CAPTURE`.
    public func use(as device: String? = nil, capture: String? = nil) throws {
        if let problem = Device.chooseProcess(adapter: description, device: device, capture: capture) {
            throw BluetoothAdapterError(description: problem)
        }
    }
}

/// Why an adapter can't be used.
public struct BluetoothAdapterError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, for a person.
    public let description: String
}
