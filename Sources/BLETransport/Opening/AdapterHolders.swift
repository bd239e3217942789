import Glibc

/// A program that has Bluetooth sockets of the HCI kind, and so may have an adapter.
package struct AdapterHolder: Hashable, Sendable {
    package let program: String
    package let process: Int32

    package init(program: String, process: Int32) {
        self.program = program
        self.process = process
    }

    /// The daemon that manages adapters has such a socket whether it uses one or not.
    var isDaemon: Bool { program == "bluetoothd" }
    /// Monitors only look on.
    var isMonitor: Bool { program == "btmon" }
    var text: String { "\(program) (process \(process))" }

    /// Those there are besides this process, as far as this user may see them. The kernel doesn't say which adapter
    /// each one has.
    package static func all(processes: String = "/proc") -> [AdapterHolder] {
        let sockets = inodes(of: contents(processes + "/net/hci"))
        var found: [AdapterHolder] = []
        for process in numbers(in: processes) where process != getpid() {
            let name = contents("\(processes)/\(process)/comm").prefix { $0 != UInt8(ascii: "\n") }
            let holder = AdapterHolder(program: String(decoding: name, as: UTF8.self), process: process)
            // Other users' descriptors can't be seen; that the daemon runs can.
            if holder.isDaemon || descriptors(of: process, in: processes).contains(where: sockets.contains) {
                found.append(holder)
            }
        }
        return found
    }

    /// The last but one column of the kernel's table of sockets.
    private static func inodes(of table: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ")
            if columns.count > 5 { found.insert("socket:[\(columns[5])]") }
        }
        return found
    }

    private static func descriptors(of process: Int32, in processes: String) -> [String] {
        let folder = "\(processes)/\(process)/fd"
        return numbers(in: folder).compactMap { number in
            var target = [CChar](repeating: 0, count: 64)
            let count = readlink("\(folder)/\(number)", &target, target.count)
            return count > 0 ? String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
        }
    }

    /// The entries of a folder whose names are numbers, in their order.
    private static func numbers(in folder: String) -> [Int32] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var numbers: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name) { numbers.append(number) }
        }
        return numbers.sorted()
    }

    /// What a file of the kernel says; nothing where it can't be read.
    private static func contents(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return octets }
            octets += buffer[..<count]
        }
    }
}
