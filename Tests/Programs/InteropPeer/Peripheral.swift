import CoreBluetooth
import Foundation

/// The peripheral: publishes the services that it is told, and answers for them; its channels echo.
final class Peripheral: NSObject, Role {
    private var manager: CBPeripheralManager?
    private var values: [CBUUID: Data] = [:]
    private var characteristics: [CBUUID: CBMutableCharacteristic] = [:]
    private var services: [CBUUID: CBMutableService] = [:]
    private var channels: [Channel] = []
    /// Updates that didn't fit, in their order.
    private var updates: [(CBMutableCharacteristic, Data)] = []

    override init() {
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func perform(_ order: Order) -> Bool {
        switch order.verb {
        case "publish":
            let service = service(order)
            services[service.uuid] = service
            manager?.add(service)
        case "advertise":
            manager?.startAdvertising([
                CBAdvertisementDataLocalNameKey: order.text("name"),
                CBAdvertisementDataServiceUUIDsKey: order.texts("services").map(CBUUID.init(string:)),
            ])
        case "stopAdvertising": manager?.stopAdvertising()
        case "withdraw":
            guard let service = services.removeValue(forKey: CBUUID(string: order.text("uuid"))) else { return false }
            manager?.remove(service)
        case "publishChannel": manager?.publishL2CAPChannel(withEncryption: order.flag("encrypted"))
        case "value":
            let uuid = CBUUID(string: order.text("characteristic"))
            say("value", ["characteristic": uuid.uuidString, "value": values[uuid]?.hexadecimal ?? ""])
        case "update":
            let uuid = CBUUID(string: order.text("characteristic"))
            guard let characteristic = characteristics[uuid], let value = order.octets("value") else { return false }
            updates.append((characteristic, value))
            update()
        default: return false
        }
        return true
    }

    private func update() {
        while let (characteristic, value) = updates.first {
            guard manager?.updateValue(value, for: characteristic, onSubscribedCentrals: nil) == true else { return }
            updates.removeFirst()
        }
    }

    private func service(_ order: Order) -> CBMutableService {
        let service = CBMutableService(type: CBUUID(string: order.text("uuid")), primary: true)
        service.includedServices = order.texts("includes").compactMap { services[CBUUID(string: $0)] }
        service.characteristics = order.orders("characteristics").map { order in
            let uuid = CBUUID(string: order.text("uuid"))
            // Values that can be written are asked of the delegate.
            let isFixed = order.flag("fixed")
            let characteristic = CBMutableCharacteristic(
                type: uuid, properties: CBCharacteristicProperties(rawValue: UInt(order.number("properties"))),
                value: isFixed ? order.octets("value") : nil,
                permissions: CBAttributePermissions(rawValue: UInt(order.number("permissions"))))
            if !order.text("description").isEmpty {
                let type = CBUUID(string: CBUUIDCharacteristicUserDescriptionString)
                characteristic.descriptors = [CBMutableDescriptor(type: type, value: order.text("description"))]
            }
            characteristics[uuid] = characteristic
            values[uuid] = order.octets("value")
            return characteristic
        }
        return service
    }
}

extension Peripheral: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        say("state", ["state": peripheral.state.rawValue])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
        say("published", ["service": service.uuid.uuidString], error)
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: Error?) {
        say("advertising", [:], error)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let value = values[request.characteristic.uuid] ?? Data()
        guard request.offset <= value.count else { return peripheral.respond(to: request, withResult: .invalidOffset) }
        request.value = Data(value.dropFirst(request.offset))
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        // An error of the application's own. [Vol 3, Part F, 3.4.1.1]
        if let first = requests.first, first.value == Data("refuse".utf8) {
            let refusal = CBATTError.Code(rawValue: 0x80) ?? .unlikelyError
            return peripheral.respond(to: first, withResult: refusal)
        }
        for request in requests {
            let uuid = request.characteristic.uuid
            let octets = request.value ?? Data()
            // A write from offset 0 is a new value; what follows of a long one is behind it.
            values[uuid] = (values[uuid] ?? Data()).prefix(request.offset) + octets
            say("wrote", ["characteristic": uuid.uuidString, "offset": request.offset, "value": octets.hexadecimal])
        }
        requests.first.map { peripheral.respond(to: $0, withResult: .success) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        let fields: [String: Any] = [
            "characteristic": characteristic.uuid.uuidString, "length": central.maximumUpdateValueLength,
        ]
        say("subscribed", fields)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        say("unsubscribed", ["characteristic": characteristic.uuid.uuidString])
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { update() }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: Error?
    ) {
        say("channelPublished", ["psm": Int(PSM)], error)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: Error?) {
        if let channel { channels.append(Channel(channel, echoes: true)) }
        say("opened", ["psm": Int(channel?.psm ?? 0)], error)
    }
}
