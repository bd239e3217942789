import BLEWire
import CommandLineKit
import CoreBluetooth

/// Does steps one after the other, with one link for all that stand between `connect` and `disconnect`.
final class ScriptRunner {
    private let session: Session
    private var peripheral: CBPeripheral?
    private var services: [CBService]?
    /// Subscriptions that go on beside the other steps.
    private var watched: [CBCharacteristic] = []
    /// What a script calls the device, where the command line calls it otherwise.
    private let device: String?

    init(_ session: Session, device: String? = nil) {
        self.session = session
        self.device = device
        session.observer = { [weak self] event in
            guard let self, case .value(let characteristic, let value, nil) = event,
                watched.contains(where: { $0 === characteristic })
            else { return }
            try show(Array(value), of: characteristic)
        }
    }

    /// What an answer was where it was expected to be another one; nil where all is well.
    func perform(_ step: ScriptStep) throws -> String? {
        switch step {
        case .connect(let name):
            try disconnect()
            peripheral = try session.connect(device ?? name)
        case .disconnect: try disconnect()
        case .wait(let seconds): let _: Void? = try session.waitIfAny(within: seconds) { _ in nil }
        case .explore: try session.explore(connected())
        case .rssi: try session.showRSSI(connected())
        case .read(let name, let expectation):
            let characteristic = try find(name)
            return try judge(expectation, name) {
                try session.read(characteristic, of: connected())
            }
        case .write(let name, let octets, let withResponse, let expectation):
            return try write(octets, name, withResponse: withResponse, expectation)
        case .subscribe(let name, let count, let seconds, let isInBackground):
            try subscribe(name, count: count, seconds: seconds, isInBackground: isInBackground)
        case .unsubscribe(let name):
            let characteristic = try find(name)
            try session.unsubscribe(from: characteristic, of: connected())
            watched.removeAll { $0 === characteristic }
        }
        return nil
    }

    private func connected() throws -> CBPeripheral {
        guard let peripheral, peripheral.state == .connected else {
            throw CommandError(.other, "no device is connected: `connect DEVICE` comes first")
        }
        return peripheral
    }

    private func find(_ name: CharacteristicName) throws -> CBCharacteristic {
        let found = try services ?? session.discover(connected())
        services = found
        return try name.choose(from: found)
    }

    private func disconnect() throws {
        guard peripheral != nil else { return }
        session.close()
        peripheral = nil
        services = nil
        watched = []
    }

    private func write(
        _ octets: [UInt8], _ name: CharacteristicName, withResponse: Bool, _ expectation: ScriptStep.Expectation?
    ) throws -> String? {
        let (characteristic, peripheral) = (try find(name), try connected())
        return try judge(expectation, name) {
            if withResponse {
                try session.write(octets, to: characteristic, of: peripheral)
            } else {
                try session.send(octets, to: characteristic, of: peripheral)
                try session.settle(peripheral, characteristic)
            }
            return nil
        }
    }

    private func subscribe(
        _ name: CharacteristicName, count: Int?, seconds: Double?, isInBackground: Bool
    ) throws {
        let (characteristic, peripheral) = (try find(name), try connected())
        let early = try session.subscribe(to: characteristic, of: peripheral)
        for value in early { try show(value, of: characteristic) }
        if isInBackground { return watched.append(characteristic) }
        var left = count.map { $0 - early.count }
        if let left, left <= 0 { return }
        let end: Void? = try session.waitIfAny(within: seconds) { event in
            guard case .value(let updated, let value, nil) = event, updated === characteristic else { return nil }
            try show(Array(value), of: characteristic)
            left? -= 1
            return left == 0 ? () : nil
        }
        if end == nil, let left, left > 0 {
            throw CommandError(.timedOut, "\(left) of \(count ?? left) values didn't come")
        }
    }

    private func show(_ value: [UInt8], of characteristic: CBCharacteristic) throws {
        let shown = ShownValue(value, of: characteristic.uuid)
        let path = [characteristic.service?.uuid.uuidString, characteristic.uuid.uuidString].compactMap(\.self)
        try session.output.say(
            path.joined(separator: "/") + "  " + shown.text,
            .object([("event", .text("value"))] + characteristic.members + shown.members))
    }

    /// Does a step and compares its answer with what it is to be. An error that nobody expects ends the script.
    private func judge(
        _ expectation: ScriptStep.Expectation?, _ name: CharacteristicName, _ body: () throws -> [UInt8]?
    ) throws -> String? {
        do {
            let value = try body()
            if let value { try show(value, of: find(name)) }
            switch expectation {
            case .error(let code)?: return "\(name.text): no error, expected \(Hex.prefixed(UInt8(code)))"
            case .value(let wanted)? where value != wanted:
                return "\(name.text): got \(Self.text(value ?? [])), expected \(Self.text(wanted))"
            default: return nil
            }
        } catch let error as CommandError where expectation != nil && error.attributeError != nil {
            let code = error.attributeError ?? 0
            if expectation == .error(code) { return nil }
            if case .value(let wanted)? = expectation {
                return "\(name.text): refused with \(Hex.prefixed(UInt8(code))), expected \(Self.text(wanted))"
            }
            if case .error(let wanted)? = expectation {
                return
                    "\(name.text): refused with \(Hex.prefixed(UInt8(code))), expected \(Hex.prefixed(UInt8(wanted)))"
            }
            return nil
        }
    }

    private static func text(_ octets: [UInt8]) -> String {
        octets.isEmpty ? "(empty)" : Hex.string(octets, separator: " ")
    }
}
