import Glibc

/// A switch of the kernel's that blocks radios, as `rfkill list` shows it.
package struct RadioSwitch: Hashable, Sendable {
    /// What it switches: `hci0`, or what a laptop's maker calls it.
    package let name: String
    /// Blocked by a program; `rfkill unblock` undoes it.
    package let isSoftBlocked: Bool
    /// Blocked by a switch or a key of the machine.
    package let isHardBlocked: Bool

    /// Those for Bluetooth, in the order of their numbers.
    package static func all(classFolder: String = "/sys/class/rfkill") -> [RadioSwitch] {
        numberedEntries(of: classFolder, prefix: "rfkill").compactMap { number in
            func line(_ file: String) -> String { firstLine(of: "\(classFolder)/rfkill\(number)/\(file)") }
            guard line("type") == "bluetooth" else { return nil }
            return RadioSwitch(
                name: line("name"), isSoftBlocked: line("soft") == "1", isHardBlocked: line("hard") == "1")
        }
    }

    private static func firstLine(of path: String) -> String {
        String(decoding: ((try? contents(ofFile: path)) ?? []).prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
