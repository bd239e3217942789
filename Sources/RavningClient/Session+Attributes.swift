import CommandLineKit
import CoreBluetooth
import Foundation

// What is done with the attributes of a connected device, each step to its end.
extension Session {
    /// The services with their characteristics, and descriptors where they are wanted.
    func discover(_ peripheral: CBPeripheral, descriptors: Bool = false) throws -> [CBService] {
        peripheral.discoverServices(nil)
        try wait(until: "discovering services") { event in
            guard case .services(let error) = event else { return false }
            try Failure.check("discovering services", error)
            return true
        }
        let services = peripheral.services ?? []
        for service in services { try discoverCharacteristics(of: service, peripheral, descriptors: descriptors) }
        return services
    }

    func discoverCharacteristics(of service: CBService, _ peripheral: CBPeripheral, descriptors: Bool) throws {
        peripheral.discoverCharacteristics(nil, for: service)
        try wait(until: "discovering characteristics") { event in
            guard case .characteristics(let found, let error) = event, found === service else { return false }
            try Failure.check("discovering characteristics", error)
            return true
        }
        guard descriptors else { return }
        for characteristic in service.characteristics ?? [] {
            peripheral.discoverDescriptors(for: characteristic)
            try wait(until: "discovering descriptors") { event in
                guard case .descriptors(let found, let error) = event, found === characteristic else { return false }
                try Failure.check("discovering descriptors", error)
                return true
            }
        }
    }

    /// The characteristic that the command line names.
    func characteristic(_ name: CharacteristicName, of peripheral: CBPeripheral) throws -> CBCharacteristic {
        try name.choose(from: discover(peripheral))
    }

    func read(_ characteristic: CBCharacteristic, of peripheral: CBPeripheral) throws -> [UInt8] {
        let action = "reading \(characteristic.uuid.uuidString)"
        peripheral.readValue(for: characteristic)
        return try wait(action) { event in
            guard case .value(let read, let value, let error) = event, read === characteristic else { return nil }
            try Failure.check(action, error)
            return Array(value)
        }
    }

    func write(_ value: [UInt8], to characteristic: CBCharacteristic, of peripheral: CBPeripheral) throws {
        let action = "writing \(characteristic.uuid.uuidString)"
        peripheral.writeValue(Data(value), for: characteristic, type: .withResponse)
        try wait(until: action) { event in
            guard case .written(let written, let error) = event, written === characteristic else { return false }
            try Failure.check(action, error)
            return true
        }
    }

    func send(_ value: [UInt8], to characteristic: CBCharacteristic, of peripheral: CBPeripheral) throws {
        while !peripheral.canSendWriteWithoutResponse {
            try wait(until: "room for a write") { event in
                if case .ready = event { true } else { false }
            }
        }
        peripheral.writeValue(Data(value), for: characteristic, type: .withoutResponse)
    }

    /// Waits until what was sent without response is over: a link that is ended drops what still waits for the air. What
    /// is sent before a request is there before the request, so the answer to one says it.
    func settle(_ peripheral: CBPeripheral, _ characteristic: CBCharacteristic) throws {
        guard let service = characteristic.service else { return }
        peripheral.discoverIncludedServices(nil, for: service)
        try wait(until: "the end of the writes") { event in
            if case .includedServices(let found, _) = event, found === service { true } else { false }
        }
    }

    /// Subscribes; the values that came before the answer did.
    func subscribe(to characteristic: CBCharacteristic, of peripheral: CBPeripheral) throws -> [[UInt8]] {
        let action = "subscribing to \(characteristic.uuid.uuidString)"
        var early: [[UInt8]] = []
        peripheral.setNotifyValue(true, for: characteristic)
        try wait(until: action) { event in
            switch event {
            case .value(let updated, let value, nil) where updated === characteristic: early.append(Array(value))
            case .notifying(let changed, let error) where changed === characteristic:
                try Failure.check(action, error)
                return true
            default: break
            }
            return false
        }
        return early
    }

    func unsubscribe(from characteristic: CBCharacteristic, of peripheral: CBPeripheral) throws {
        let action = "unsubscribing from \(characteristic.uuid.uuidString)"
        peripheral.setNotifyValue(false, for: characteristic)
        try wait(until: action) { event in
            guard case .notifying(let changed, let error) = event, changed === characteristic else { return false }
            try Failure.check(action, error)
            return true
        }
    }
}

extension CBCharacteristic {
    /// What says which one it is, for a program.
    var members: [(String, JSON?)] {
        [("service", service.map { .text($0.uuid.uuidString) }), ("characteristic", .text(uuid.uuidString))]
    }

    /// The names of its properties, in the order of their bits. [Vol 3, Part G, 3.3.1.1]
    var propertyNames: [String] {
        let names: [(CBCharacteristicProperties, String)] = [
            (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write without response"),
            (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
            (.authenticatedSignedWrites, "signed write"), (.extendedProperties, "extended"),
        ]
        return names.filter { properties.contains($0.0) }.map(\.1)
    }
}
