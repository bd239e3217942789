import BLEDevices
import BLEWire
import CommandLineKit
import CoreBluetooth
import Foundation

/// `ravning clone`: a device file of a device that is there.
let cloneCommand = Command(.clone, arguments: "DEVICE", argumentCount: 1...1, run: runClone)

@Sendable private func runClone(_ options: ParsedOptions) throws {
    let session = try Session(options)
    defer { session.close() }
    let name = options.arguments[0]
    let heard = try session.hear(name)
    let peripheral = try session.connect(heard?.peripheral.identifier.uuidString ?? name)
    var clone = Clone()
    if let heard { clone.take(heard) } else { clone.note("nothing was heard of its advertisement") }
    try clone.read(peripheral, session)
    for note in clone.notes { printError("ravning: clone: \(note)".printable) }
    let file = clone.device.yaml(notes: ["A copy of a device."] + clone.notes.map(\.printable))
    try session.output.say(
        String(file.dropLast()),
        .object([
            ("event", .text("cloned")), ("notes", .list(clone.notes.map(JSON.text))), ("file", .text(file)),
        ]))
}

/// What becomes known of a device.
private struct Clone {
    private(set) var device = DeviceDescription()
    /// What couldn't be had.
    private(set) var notes: [String] = []

    mutating func note(_ text: String) { notes.append(text) }

    mutating func take(_ heard: Sighting) {
        device.title = heard.name ?? ""
        device.advertisement.name = heard.fields.name
        device.advertisement.services = heard.fields.services.compactMap { BluetoothUUID($0) }
        device.advertisement.manufacturerData = heard.fields.manufacturerData
        device.advertisement.serviceData = heard.fields.serviceData.compactMap { service, octets in
            BluetoothUUID(service).map { .init(service: $0, octets: octets) }
        }
        device.advertisement.leaveOutWhatHasNoRoom(&notes)
    }

    mutating func read(_ peripheral: CBPeripheral, _ session: Session) throws {
        let services = try session.discoverWithIncluded(peripheral)
        for service in services.all {
            guard let uuid = BluetoothUUID(service.uuid.uuidString) else { continue }
            var copy = DeviceService(uuid, isPrimary: service.isPrimary)
            for included in service.includedServices ?? [] {
                let number = services.all.prefix(device.services.count).firstIndex { $0 === included }
                if let number {
                    copy.includes.append(number)
                } else {
                    note("\(uuid) includes \(included.uuid.uuidString), which comes later: left out")
                }
            }
            for characteristic in service.characteristics ?? [] {
                if let copied = try read(characteristic, peripheral, session) { copy.characteristics.append(copied) }
            }
            device.services.append(copy)
        }
    }

    private mutating func read(
        _ characteristic: CBCharacteristic, _ peripheral: CBPeripheral, _ session: Session
    ) throws -> DeviceCharacteristic? {
        guard let uuid = BluetoothUUID(characteristic.uuid.uuidString) else { return nil }
        let service = characteristic.service?.uuid.uuidString ?? ""
        let properties = CharacteristicProperties(
            UInt8(truncatingIfNeeded: characteristic.properties.rawValue), "\(service)/\(uuid)", &notes)
        var copy = DeviceCharacteristic(uuid, properties: properties)
        if properties.contains(.read) {
            switch try session.tryToRead(characteristic, of: peripheral) {
            case .success(let octets): copy.value = ValueTemplate(readably: octets)
            case .failure(let refusal):
                if refusal.isForWantOfSecurity { copy.encryption.insert(.read) }
                note("\(service)/\(uuid) wasn't read: \(refusal.text)")
            }
        }
        for descriptor in characteristic.descriptors ?? [] {
            guard let type = BluetoothUUID(descriptor.uuid.uuidString), !DeviceDescriptor.ofSystem.contains(type) else {
                continue
            }
            switch try session.tryToRead(descriptor, of: peripheral) {
            case .success(let octets): copy.descriptors.append(DeviceDescriptor(type, octets: octets))
            case .failure(let refusal): note("\(service)/\(uuid)/\(type) wasn't read: \(refusal.text)")
            }
        }
        return copy
    }
}
