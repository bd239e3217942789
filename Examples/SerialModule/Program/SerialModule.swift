import CoreBluetooth
import Foundation

/// A serial module such as an HM-10: one characteristic that takes only writes without response and notifies what
/// comes from the other side of its wire.
public final class SerialModule: NSObject, CBPeripheralManagerDelegate {
    /// What can be chosen on the command line.
    public struct Options {
        public var name = "HMSoft"
        /// Send back each line that was received.
        public var echo = true
        public init() {}
    }

    private let options: Options
    private let say: (String) -> Void
    /// Takes what arrives, in order.
    public var onReceive: ((Data) -> Void)?

    private var manager: CBPeripheralManager?
    private let wire = CBMutableCharacteristic(
        type: CBUUID(string: "FFE1"), properties: [.read, .writeWithoutResponse, .notify], value: nil,
        permissions: [.readable, .writeable])
    private var line = Data()
    private var outgoing: [Data] = []
    private var received = 0

    public init(options: Options = Options(), say: @escaping (String) -> Void) {
        self.options = options
        self.say = say
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBPeripheralManager(delegate: self, queue: queue)
    }

    /// Octets received so far.
    public var count: Int { received }

    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        outgoing.removeAll()
        line.removeAll()
        guard peripheral.state == .poweredOn else {
            return say("Bluetooth is not on (state \(peripheral.state.rawValue))")
        }
        let service = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
        service.characteristics = [wire]
        peripheral.removeAllServices()
        peripheral.add(service)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
        if let error { return say("the module could not be published: \(error)") }
        peripheral.startAdvertising([
            CBAdvertisementDataLocalNameKey: options.name,
            CBAdvertisementDataServiceUUIDsKey: [service.uuid],
        ])
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: Error?) {
        say(error.map { "advertising failed: \($0)" } ?? "the module waits as \(options.name)")
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        guard request.offset == 0 else { return peripheral.respond(to: request, withResult: .invalidOffset) }
        request.value = Data()
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests { take(request.value ?? Data()) }
        if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
    }

    private func take(_ octets: Data) {
        received += octets.count
        onReceive?(octets)
        guard options.echo else { return }
        line.append(octets)
        while let end = line.firstIndex(of: 0x0A) {
            let text = Data(line[line.startIndex...end])
            line = Data(line[line.index(after: end)...])
            say("received \(String(decoding: text.dropLast(), as: UTF8.self))")
            transmit(text)
        }
    }

    /// Sends octets to who is subscribed, in pieces that fit.
    public func transmit(_ octets: Data) {
        let room = wire.subscribedCentrals?.map(\.maximumUpdateValueLength).min() ?? 20
        var rest = octets
        while !rest.isEmpty {
            outgoing.append(Data(rest.prefix(room)))
            rest = Data(rest.dropFirst(room))
        }
        sendOutgoing()
    }

    private func sendOutgoing() {
        guard let manager else { return }
        while let piece = outgoing.first {
            guard manager.updateValue(piece, for: wire, onSubscribedCentrals: nil) else { return }
            outgoing.removeFirst()
        }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        sendOutgoing()
    }
}
