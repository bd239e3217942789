import CoreBluetooth
import Foundation

/// The wrist band: two services, a characteristic that tells the time, one to read and write, one to read.
public final class BandPeripheral: NSObject, CBPeripheralManagerDelegate {
    /// What can be chosen on the command line.
    public struct Options {
        /// The local name that is advertised.
        public var name = "OBand-75"
        /// The tutorial's own form: the read-only characteristic of the second service has the UUID of the
        /// read/write one of the first.
        public var sameUUID = false
        public init() {}
    }

    private let options: Options
    private let now: () -> Date
    private let after: (TimeInterval, @escaping () -> Void) -> Void
    private let say: (String) -> Void

    private var manager: CBPeripheralManager?
    private var servicesToAdd = 0
    /// A timer runs for each of these; its number tells whether a timer that fires is still the current one.
    private var timers: [CBCharacteristic: Int] = [:]
    private var timersStarted = 0
    /// Characteristics whose last update found the queue full.
    private var refused: [CBMutableCharacteristic] = []

    /// - Parameters:
    ///   - now: the clock whose time is sent.
    ///   - after: does work after some seconds, on the manager's queue.
    ///   - say: takes a line for the person who watches.
    public init(
        options: Options = Options(), now: @escaping () -> Date,
        after: @escaping (TimeInterval, @escaping () -> Void) -> Void, say: @escaping (String) -> Void
    ) {
        self.options = options
        self.now = now
        self.after = after
        self.say = say
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBPeripheralManager(delegate: self, queue: queue)
    }

    // MARK: Publishing

    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        switch peripheral.state {
        case .poweredOn:
            say("Bluetooth: opened")
            publish()
        default:
            say("Bluetooth: failed to open (state \(peripheral.state.rawValue))")
            timers.removeAll()
            refused.removeAll()
        }
    }

    private func publish() {
        let time = CBMutableCharacteristic(
            type: CBUUID(string: "FFF1"), properties: .notify, value: nil, permissions: .readable)
        let note = CBMutableCharacteristic(
            type: CBUUID(string: "FFF2"), properties: [.read, .write], value: nil, permissions: [.readable, .writeable])
        note.descriptors = [
            CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "xmgDes1")
        ]
        let first = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        first.characteristics = [time, note]

        let model = CBMutableCharacteristic(
            type: CBUUID(string: options.sameUUID ? "FFF2" : "FFE1"), properties: .read, value: nil,
            permissions: .readable)
        let second = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
        second.characteristics = [model]

        servicesToAdd = 2
        manager?.removeAllServices()
        manager?.add(first)
        manager?.add(second)
        model.value = Data("XMG band".utf8)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
        if let error {
            say("service \(service.uuid) could not be added: \(error)")
            return
        }
        say("service \(service.uuid) added")
        servicesToAdd -= 1
        // Only when every service is there does the band let itself be found.
        guard servicesToAdd == 0 else { return }
        peripheral.startAdvertising([
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFF0"), CBUUID(string: "FFE0")],
            CBAdvertisementDataLocalNameKey: options.name,
        ])
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: Error?) {
        if let error {
            say("advertising failed: \(error)")
        } else {
            say("advertising as \(options.name)")
        }
    }

    // MARK: Requests

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        guard request.characteristic.properties.contains(.read) else {
            say("read of \(request.characteristic.uuid) refused")
            return peripheral.respond(to: request, withResult: .readNotPermitted)
        }
        let value = request.characteristic.value ?? Data()
        guard request.offset <= value.count else {
            say("read of \(request.characteristic.uuid) at \(request.offset): past its end")
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        say("read of \(request.characteristic.uuid) answered")
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        // All or nothing: first look at every request, then store.
        for request in requests {
            let value = (request.characteristic.value ?? Data())
            if !request.characteristic.properties.contains(.write) {
                say("write of \(request.characteristic.uuid) refused")
                return peripheral.respond(to: first, withResult: .writeNotPermitted)
            }
            if request.offset > value.count && request.offset > requests.map(\.end).max() ?? 0 {
                return peripheral.respond(to: first, withResult: .invalidOffset)
            }
        }
        for request in requests {
            guard let characteristic = request.characteristic as? CBMutableCharacteristic else { continue }
            let before = request.offset == 0 ? Data() : (characteristic.value ?? Data()).prefix(request.offset)
            characteristic.value = before + (request.value ?? Data())
        }
        say("write of \(first.characteristic.uuid): \(text(first.characteristic.value))")
        peripheral.respond(to: first, withResult: .success)
    }

    // MARK: Subscriptions

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        say("subscribed to \(characteristic.uuid)")
        guard timers[characteristic] == nil, let published = characteristic as? CBMutableCharacteristic else { return }
        timersStarted += 1
        timers[characteristic] = timersStarted
        tick(published, timer: timersStarted)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        say("unsubscribed from \(characteristic.uuid)")
        guard let published = characteristic as? CBMutableCharacteristic else { return }
        if published.subscribedCentrals?.isEmpty ?? true {
            timers[characteristic] = nil
            refused.removeAll { $0 === published }
        }
    }

    private func tick(_ characteristic: CBMutableCharacteristic, timer: Int) {
        after(2) { [weak self] in
            guard let self, self.timers[characteristic] == timer else { return }
            self.sendTime(to: characteristic)
            self.tick(characteristic, timer: timer)
        }
    }

    private func sendTime(to characteristic: CBMutableCharacteristic) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yy:MM:dd:HH:mm:ss"
        let time = formatter.string(from: now())
        if manager?.updateValue(Data(time.utf8), for: characteristic, onSubscribedCentrals: nil) == true {
            say("sent \(time)")
        } else if !refused.contains(where: { $0 === characteristic }) {
            refused.append(characteristic)
        }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        let waiting = refused
        refused.removeAll()
        waiting.forEach(sendTime)
    }

    private func text(_ value: Data?) -> String { String(decoding: value ?? Data(), as: UTF8.self) }
}

extension CBATTRequest {
    /// The end of what this request writes.
    fileprivate var end: Int { offset + (value?.count ?? 0) }
}
