import BLEDevices
import Foundation
import Testing

/// The devices that come with the package.
@Suite struct ReadyDeviceTests {
    @Test func `there is one for each of the tutorials, and for what people meet most`() {
        let names = [
            "Tutorials/door-lock", "Tutorials/heart-rate-sensor", "Tutorials/serial-module", "Tutorials/thermostat",
            "Tutorials/wrist-band", "battery", "cycling-power", "eddystone-uid", "eddystone-url", "environment",
            "fitness-machine", "heart-rate", "ibeacon", "keyboard", "lock", "thermometer", "uart",
        ]
        #expect(readyDevices() == names.map { $0 + ".yaml" })
    }

    @Test(arguments: readyDevices())
    func `each can be read, and is the same when it was written and read again`(path: String) throws {
        let text = try String(contentsOf: devicesFolder.appending(path: path), encoding: .utf8)
        #expect(complaint(text) == nil)
        let first = try device(text)
        #expect(!first.title.isEmpty)
        #expect(try device(first.yaml()) == first, "\(first.yaml())")
    }
}
