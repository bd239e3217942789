import CommandLineKit
import CoreBluetooth
import Dispatch
import Foundation
import Ravning

/// `ravning pair`: pairs with a device, as a phone does when something on it needs that.
let pairCommand = Command(.pair, arguments: "DEVICE", argumentCount: 1...1) { options in
    try Session.use(options) { session, peripheral in
        let identifier = peripheral.identifier
        func say(_ text: String, isNew: Bool) throws {
            try session.output.say(
                "\(text) \(peripheral.name.map { "\"\($0.printable)\"" } ?? identifier.uuidString)",
                .object([
                    ("event", .text("paired")), ("device", .text(identifier.uuidString)),
                    ("name", peripheral.name.map(JSON.text)), ("new", .flag(isNew)),
                ]))
        }
        if Pairing.bondedPeers.contains(identifier) { return try say("is paired already:", isNew: false) }
        let characteristics = try session.discover(peripheral).flatMap { $0.characteristics ?? [] }
        for characteristic in characteristics where try session.pairs(by: characteristic, peripheral) {
            return try say("paired with", isNew: true)
        }
        throw CommandError(.notFound, "nothing that the device lets be read or notified asks for pairing")
    }
}

extension Session {
    /// Uses a characteristic and sees whether that makes the devices pair.
    fileprivate func pairs(by characteristic: CBCharacteristic, _ peripheral: CBPeripheral) throws -> Bool {
        if characteristic.properties.contains(.read) {
            peripheral.readValue(for: characteristic)
        } else if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
            peripheral.setNotifyValue(true, for: characteristic)
        } else {
            return false
        }
        return try wait("pairing") { event in
            switch event {
            case .paired(_, let failure?): throw CommandError(.refused, "not paired: \(failure)")
            case .paired(_, nil): return true
            case .value(let used, _, _) where used === characteristic: return isPairing ? nil : false
            case .notifying(let used, _) where used === characteristic: return isPairing ? nil : false
            default: return nil
            }
        }
    }
}
