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
        let sockets = inodes(of: text(processes + "/net/hci"))
        var found: [AdapterHolder] = []
        for process in numberedEntries(of: processes).compactMap(Int32.init(exactly:)) where process != getpid() {
            let name = text("\(processes)/\(process)/comm").prefix { $0 != "\n" }
            let holder = AdapterHolder(program: String(name), process: process)
            // Other users' descriptors can't be seen; that the daemon runs can.
            if holder.isDaemon || descriptors(of: process, in: processes).contains(where: sockets.contains) {
                found.append(holder)
            }
        }
        return found
    }

    /// The last but one column of the kernel's table of sockets.
    private static func inodes(of table: String) -> Set<String> {
        var found: Set<String> = []
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ")
            if columns.count > 5 { found.insert("socket:[\(columns[5])]") }
        }
        return found
    }

    private static func descriptors(of process: Int32, in processes: String) -> [String] {
        let folder = "\(processes)/\(process)/fd"
        return numberedEntries(of: folder).compactMap { number in
            var target = [CChar](repeating: 0, count: 64)
            let count = readlink("\(folder)/\(number)", &target, target.count)
            return count > 0 ? String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
        }
    }

    /// What a file of the kernel says; nothing where it can't be read.
    private static func text(_ path: String) -> String {
        String(decoding: (try? contents(ofFile: path)) ?? [], as: UTF8.self)
    }
}
