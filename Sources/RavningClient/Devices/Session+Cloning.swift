import CommandLineKit
import CoreBluetooth
import Foundation

/// Why a value can't be had.
struct Refusal: Error {
    let text: String
    /// The link would have to be encrypted.
    let isForWantOfSecurity: Bool
}

// What a copy of a device needs to know of it.
extension Session {
    /// What is heard of a device in the second after it was heard first; nil where it isn't heard.
    func hear(_ name: String) throws -> Sighting? {
        let wanted = DeviceName(name)
        var heard: Sighting?
        manager.scanForPeripherals(withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        defer { manager.stopScan() }
        _ = try waitIfAny(within: patience) { event -> Void? in
            guard case .sighting(let sighting) = event, wanted.matches(sighting) else { return nil }
            heard = sighting
            return ()
        }
        guard let first = heard else { return nil }
        // Scan responses come behind.
        _ = try waitIfAny(within: 1) { event -> Void? in
            if case .sighting(let sighting) = event, sighting.peripheral === first.peripheral { heard = sighting }
            return nil
        }
        return heard
    }

    /// All services, those that are included before those that include them.
    func discoverWithIncluded(_ peripheral: CBPeripheral) throws -> (all: [CBService], primary: Int) {
        let primary = try discover(peripheral, descriptors: true)
        var all: [CBService] = []
        for service in primary {
            peripheral.discoverIncludedServices(nil, for: service)
            try wait(until: "discovering included services") { event in
                guard case .includedServices(let found, let error) = event, found === service else { return false }
                try Failure.check("discovering included services", error)
                return true
            }
            for included in service.includedServices ?? [] where !included.isPrimary {
                if !all.contains(where: { $0 === included }) {
                    try discoverCharacteristics(of: included, peripheral, descriptors: true)
                    all.append(included)
                }
            }
            all.append(service)
        }
        return (all, primary.count)
    }

    func tryToRead(_ characteristic: CBCharacteristic, of peripheral: CBPeripheral) throws -> Result<[UInt8], Refusal> {
        peripheral.readValue(for: characteristic)
        return try wait("reading \(characteristic.uuid.uuidString)") { event in
            guard case .value(let read, let value, let error) = event, read === characteristic else { return nil }
            return try Self.result(Array(value), error)
        }
    }

    func tryToRead(_ descriptor: CBDescriptor, of peripheral: CBPeripheral) throws -> Result<[UInt8], Refusal> {
        peripheral.readValue(for: descriptor)
        return try wait("reading \(descriptor.uuid.uuidString)") { event in
            guard case .descriptorValue(let read, let value, let error) = event, read === descriptor else { return nil }
            return try Self.result(value, error)
        }
    }

    /// What the device refuses is known then; anything else ends the command.
    private static func result(_ octets: [UInt8], _ error: (any Error)?) throws -> Result<[UInt8], Refusal> {
        guard let error else { return .success(octets) }
        guard let refusal = error as? CBATTError else { throw Failure.of("reading", error) }
        let security: [CBATTError.Code] = [
            .insufficientAuthentication, .insufficientEncryption, .insufficientEncryptionKeySize,
        ]
        return .failure(
            Refusal(text: Failure.text(error), isForWantOfSecurity: security.contains(refusal.code)))
    }
}

extension CBDescriptor {
    /// The value as it came over the air.
    var octets: [UInt8] {
        switch value {
        case let text as String: Array(text.utf8)
        case let data as Data: Array(data)
        case let number as NSNumber: [UInt8(number.uint16Value & 0xFF), UInt8(number.uint16Value >> 8)]
        default: []
        }
    }
}
