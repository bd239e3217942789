import CoreBluetooth
import Foundation

/// A terminal for a serial module: what is typed is sent, what the module sends is printed.
public final class SerialTerminal: NSObject {
    /// What can be chosen on the command line.
    public struct Options {
        public var name = "HMSoft"
        /// Try a write with response first, to see the module refuse it.
        public var withResponse = false
        public init() {}
    }

    private let options: Options
    private let say: (String) -> Void
    /// Takes what the module sends.
    public var onReceive: ((Data) -> Void)?
    /// Told when text can be sent.
    public var onReady: (() -> Void)?
    /// Told when everything that was to be sent has been handed over.
    public var onSent: (() -> Void)?
    /// Told when the link has ended or could not be made.
    public var onEnd: ((Error?) -> Void)?

    private var manager: CBCentralManager?
    private var module: CBPeripheral?
    private var wire: CBCharacteristic?
    private var outgoing = Data()
    private var isTrying = false

    public init(options: Options = Options(), say: @escaping (String) -> Void) {
        self.options = options
        self.say = say
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBCentralManager(delegate: self, queue: queue)
    }

    /// Sends octets, in pieces as long as the link takes and as fast as it takes them.
    public func send(_ octets: Data) {
        outgoing.append(octets)
        sendPieces()
    }

    public func leave() {
        if let module { manager?.cancelPeripheralConnection(module) }
    }

    private func sendPieces() {
        guard let module, let wire, !isTrying, !outgoing.isEmpty else { return }
        let length = module.maximumWriteValueLength(for: .withoutResponse)
        while !outgoing.isEmpty, module.canSendWriteWithoutResponse {
            module.writeValue(Data(outgoing.prefix(length)), for: wire, type: .withoutResponse)
            outgoing = Data(outgoing.dropFirst(length))
        }
        if outgoing.isEmpty { onSent?() }
    }
}

extension SerialTerminal: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return say("Bluetooth is not on (state \(central.state.rawValue))") }
        // It looks at once, and connects at once.
        central.scanForPeripherals(withServices: nil)
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard peripheral.name == options.name, module == nil else { return }
        say("found \(options.name)")
        module = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        say("connected")
        peripheral.delegate = self
        peripheral.discoverServices([CBUUID(string: "FFE0")])
    }

    public func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        say("failed to connect: \(error.map { "\($0)" } ?? "no error")")
        onEnd?(error)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        say("disconnected: \(error.map { "\($0)" } ?? "no error")")
        wire = nil
        onEnd?(error)
    }
}

extension SerialTerminal: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics([CBUUID(string: "FFE1")], for: service)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
    ) {
        guard let found = service.characteristics?.first else { return say("no serial characteristic") }
        wire = found
        peripheral.setNotifyValue(true, for: found)
        guard options.withResponse else { return }
        isTrying = true
        peripheral.writeValue(Data("with response\n".utf8), for: found, type: .withResponse)
    }

    public func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?)
    {
        say("write with response: \(error.map { "refused: \($0.localizedDescription)" } ?? "accepted")")
        say("from now on without response")
        isTrying = false
        sendPieces()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
    ) {
        say(error.map { "not listening: \($0)" } ?? "ready")
        onReady?()
    }

    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        sendPieces()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        if let error { return say("value: \(error)") }
        onReceive?(characteristic.value ?? Data())
    }
}
