import BLETestSupport
import BLETransport
import Glibc
import Testing

/// What the kernel says of switches that block radios.
@Suite struct RadioSwitchTests {
    private let folder = TemporaryFolder()

    private func write(_ number: Int, _ files: [String: String]) throws {
        mkdir("\(folder.path)/rfkill\(number)", 0o700)
        for (name, text) in files {
            let file = try #require(fopen("\(folder.path)/rfkill\(number)/\(name)", "w"))
            fputs(text + "\n", file)
            fclose(file)
        }
    }

    @Test func `those for Bluetooth are read, in the order of their numbers`() throws {
        try write(10, ["type": "bluetooth", "name": "hci0", "soft": "1", "hard": "0"])
        try write(9, ["type": "bluetooth", "name": "tpacpi_bluetooth_sw", "soft": "0", "hard": "1"])
        try write(2, ["type": "wlan", "name": "phy0", "soft": "1", "hard": "1"])
        let switches = RadioSwitch.all(classFolder: folder.path)
        #expect(switches.map(\.name) == ["tpacpi_bluetooth_sw", "hci0"])
        #expect(switches.map(\.isSoftBlocked) == [false, true])
        #expect(switches.map(\.isHardBlocked) == [true, false])
    }

    @Test func `without the kernel's folder there are none`() {
        #expect(RadioSwitch.all(classFolder: folder.path + "/none").isEmpty)
    }
}
