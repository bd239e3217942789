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
        guard let directory = opendir(classFolder) else { return [] }
        defer { closedir(directory) }
        var numbers: [Int] = []
        while let entry = readdir(directory) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if file.hasPrefix("rfkill"), let number = Int(file.dropFirst(6)) { numbers.append(number) }
        }
        return numbers.sorted().compactMap { number in
            func line(_ file: String) -> String { firstLine(of: "\(classFolder)/rfkill\(number)/\(file)") }
            guard line("type") == "bluetooth" else { return nil }
            return RadioSwitch(
                name: line("name"), isSoftBlocked: line("soft") == "1", isHardBlocked: line("hard") == "1")
        }
    }

    private static func firstLine(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
