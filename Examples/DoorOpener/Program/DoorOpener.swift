import CoreBluetooth
import Foundation

/// Finds devices, connects one, and opens the door.
public final class DoorOpener: NSObject {
    static let service = CBUUID(string: "9830BC16-5CE7-43CD-996F-74E9110C4CEA")
    static let characteristic = CBUUID(string: "F6F6B7E0-897D-4F51-959F-387A94BF440E")
    static let key = "OLWANDA_IL12345678"

    /// What can be chosen on the command line.
    public struct Options {
        /// Scan before the radio is on and implement the restore callback without an identifier, as the tutorial does.
        public var asWritten = false
        /// The longest frame that is accepted, in octets.
        public var frameLimit = 512
        public init() {}
    }

    private let options: Options
    let say: (String) -> Void
    let after: (TimeInterval, @escaping () -> Void) -> Void
    /// Told when the door has answered, and when the link has ended.
    public var onFrame: ((String) -> Void)?
    public var onDisconnect: ((Error?) -> Void)?
    /// Told when the list has got a row.
    public var onRow: ((Int, CBPeripheral) -> Void)?
    public var onReady: (() -> Void)?

    private var manager: CBCentralManager?
    private var delegate: (any CBCentralManagerDelegate)?
    private(set) var devices: [CBPeripheral] = []
    var connected: CBPeripheral?
    var door: CBCharacteristic?
    var frames: FrameAssembler
    var framesBegun = 0

    public init(
        options: Options = Options(), after: @escaping (TimeInterval, @escaping () -> Void) -> Void,
        say: @escaping (String) -> Void
    ) {
        self.options = options
        self.after = after
        self.say = say
        frames = FrameAssembler(limit: options.frameLimit)
    }

    public func start(queue: DispatchQueue? = nil) {
        let delegate: any CBCentralManagerDelegate = options.asWritten ? RestoringDelegate(self) : self
        self.delegate = delegate
        manager = CBCentralManager(delegate: delegate, queue: queue)
        // The tutorial's button makes the manager and scans at once: too early, the radio's state is still unknown.
        if options.asWritten { scan() }
    }

    private func scan() {
        manager?.scanForPeripherals(withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: false])
    }

    /// Chooses a row of the table, counted from 1.
    public func choose(_ row: Int) {
        guard devices.indices.contains(row - 1) else { return say("there is no row \(row)") }
        let device = devices[row - 1]
        connected = device
        manager?.connect(device, options: [CBConnectPeripheralOptionNotifyOnDisconnectionKey: true])
    }

    /// The key that opens.
    public func open() {
        guard let connected, let door else { return say("no door is connected") }
        connected.writeValue(Data(Self.key.utf8), for: door, type: .withoutResponse)
    }

    /// The key that scans, or ends the connection.
    public func toggle() {
        if let device = connected {
            manager?.stopScan()
            manager?.cancelPeripheralConnection(device)
            forget()
            devices.removeAll { $0 === device }
            redraw()
        } else {
            devices.removeAll()
            redraw()
            scan()
        }
    }

    func forget() {
        connected = nil
        door = nil
        framesBegun += 1
        _ = frames.drop()
    }

    func redraw() {
        say("--- devices ---")
        for (index, device) in devices.enumerated() {
            say("\(index + 1)  \(device.name ?? "(no name)")  \(device.identifier)")
        }
    }
}

extension DoorOpener: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        say("state \(central.state.rawValue)")
        if central.state == .poweredOn {
            scan()
        } else {
            forget()
        }
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        // Each device once.
        guard !devices.contains(where: { $0.identifier == peripheral.identifier }) else { return }
        devices.append(peripheral)
        redraw()
        onRow?(devices.count, peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        say("[ alert: connected ]")
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    public func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        say("failed to connect: \(error.map { "\($0)" } ?? "nil")")
        forget()
        onDisconnect?(error)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        say("disconnected: \(error.map { "\($0)" } ?? "nil")")
        forget()
        onDisconnect?(error)
    }
}
