import CoreBluetooth
import Foundation

/// The lock: opens on exactly one text, answers with a framed reply that is cut over two notifications.
public final class DoorLock: NSObject, CBPeripheralManagerDelegate {
    public static let service = CBUUID(string: "9830BC16-5CE7-43CD-996F-74E9110C4CEA")
    public static let characteristic = CBUUID(string: "F6F6B7E0-897D-4F51-959F-387A94BF440E")
    public static let key = "OLWANDA_IL12345678"

    private let name: String
    private let say: (String) -> Void
    private var manager: CBPeripheralManager?
    private let door = CBMutableCharacteristic(
        type: characteristic, properties: [.read, .writeWithoutResponse, .notify], value: nil,
        permissions: [.readable, .writeable])
    /// Pieces of replies that are still to be sent.
    private var pieces: [Data] = []

    public init(name: String = "Door", say: @escaping (String) -> Void) {
        self.name = name
        self.say = say
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBPeripheralManager(delegate: self, queue: queue)
    }

    /// A frame as the opener expects it: three octets of header, the length in two, the text, two of trailer.
    public static func frame(_ text: String) -> Data {
        let body = Data(text.utf8)
        return Data([0x4F, 0x4C, 0x01, UInt8(body.count >> 8), UInt8(body.count & 0xFF)]) + body + Data([0x0D, 0x0A])
    }

    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        pieces.removeAll()
        guard peripheral.state == .poweredOn else {
            return say("Bluetooth is not on (state \(peripheral.state.rawValue))")
        }
        let service = CBMutableService(type: Self.service, primary: true)
        service.characteristics = [door]
        peripheral.removeAllServices()
        peripheral.add(service)
        door.value = Data("closed".utf8)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
        if let error { return say("the lock could not be published: \(error)") }
        peripheral.startAdvertising([CBAdvertisementDataLocalNameKey: name])
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: Error?) {
        say(error.map { "advertising failed: \($0)" } ?? "the lock waits")
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let value = door.value ?? Data()
        guard request.offset <= value.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests {
            let value = request.value ?? Data()
            if value == Data(Self.key.utf8) {
                say("the door opens")
                door.value = Data("open".utf8)
                reply("door open")
            } else {
                say("not the key: \(value.map { String(format: "%02x", $0) }.joined())")
                reply("wrong key")
            }
        }
        if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
    }

    private func reply(_ text: String) {
        let frame = Self.frame(text)
        // Cut in the middle of the length, where a careless receiver fails.
        pieces += [frame.prefix(4), frame.dropFirst(4)].map { Data($0) }
        sendPieces()
    }

    private func sendPieces() {
        guard let manager else { return }
        while let piece = pieces.first {
            guard manager.updateValue(piece, for: door, onSubscribedCentrals: nil) else { return }
            pieces.removeFirst()
        }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        sendPieces()
    }
}
