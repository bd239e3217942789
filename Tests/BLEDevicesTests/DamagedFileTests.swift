import BLEDeviceFiles
import BLEDevices
import BLEWire
import Foundation
import Testing

/// Files that are wrong in ways that nobody thought of: they're read or refused, and what was read can be run.
@Suite struct DamagedFileTests {
    /// Numbers that look random, the same in every run.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static func damaged(_ text: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var text = text
        for _ in 0...Int.random(in: 0...4, using: &dice) where !text.isEmpty {
            let place = Int.random(in: text.indices, using: &dice)
            switch Int.random(in: 0...5, using: &dice) {
            case 0: text[place] = UInt8.random(in: 0...255, using: &dice)
            case 1: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...40, using: &dice)))
            case 2: text.insert(contentsOf: text[place..<min(text.count, place + 30)], at: place)
            case 3: text.insert(contentsOf: "\(Int64.random(in: .min ... .max, using: &dice))".utf8, at: place)
            case 4:
                text.insert(
                    contentsOf: (["1e308", "-1", "0", "[]", "{}", "nan", "~"].randomElement(using: &dice) ?? "").utf8,
                    at: place)
            default: text.removeLast(text.count - place)
            }
        }
        return text
    }

    private func runs(_ device: DeviceDescription) throws {
        var machine = DeviceMachine(device)
        var outputs: [DeviceMachine.Output] = []
        machine.start(at: .start, noon)
        for index in device.characteristics.indices {
            machine.handle(.subscribed(index, 1), at: .start, noon, into: &outputs)
            machine.handle(.write(1, [.init(index, [1, 2])], 1), at: .start, noon, into: &outputs)
            machine.handle(.read(2, index, offset: 0, 1), at: .start, noon, into: &outputs)
        }
        for _ in 0..<20 where machine.nextDeadline != .never {
            // What is due in the first second: a period of a millisecond fills it well.
            guard machine.nextDeadline < .start + .seconds(1) else { break }
            machine.tick(at: machine.nextDeadline, noon, into: &outputs)
        }
        // What it is written as is a file again.
        #expect(DeviceDatabase(try BLEDevicesTests.device(device.yaml())) == DeviceDatabase(device))
    }

    @Test(arguments: readyDevices())
    func `a damaged device file is read or refused`(path: String) throws {
        let text = Array(try Data(contentsOf: devicesFolder.appending(path: path)))
        var dice = Dice(state: UInt64(text.count))
        var read = 0
        for _ in 0..<300 {
            guard let node = try? YAML.read(Self.damaged(text, &dice)), let device = try? DeviceDescription(node) else {
                continue
            }
            read += 1
            try runs(device)
        }
        // Some damage does no harm: else nothing of what is above was tried.
        #expect(read > 0)
    }

    @Test(arguments: ["server.xml", "kettle.gatt", "kettle.whad.json", "kettle.blew.json", "kettle.srv.json"])
    func `a damaged file of another tool is read or refused`(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
        let text = Array(try Data(contentsOf: folder.appending(path: name)))
        var dice = Dice(state: UInt64(text.count))
        var read = 0
        for _ in 0..<500 {
            let damaged = Self.damaged(text, &dice)
            let string = String(decoding: damaged, as: UTF8.self)
            let result: DeviceImport?
            if name.hasSuffix("xml") {
                result = try? DeviceImport(nRFConnect: string)
            } else if name.hasSuffix("gatt") {
                result = try? DeviceImport(btstack: string)
            } else if let node = try? YAML.read(damaged) {
                result = try? DeviceImport(json: node, DeviceImport.format(ofJSON: node))
            } else {
                result = nil
            }
            guard let device = result?.device else { continue }
            read += 1
            // What comes of it is a device file.
            let text = device.yaml()
            #expect(complaint(text) == nil, "\(string)\n\(text)")
        }
        #expect(read > 0)
    }
}
