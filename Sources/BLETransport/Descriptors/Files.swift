import Glibc

/// A file that can't be read: the system's number for why.
package struct FileError: Error, Equatable, Sendable {
    package let code: Int32
}

/// All octets of a file, the kernel's made-up ones included.
package func contents(ofFile path: String) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw FileError(code: errno) }
        if count == 0 { return octets }
        octets += buffer[..<count]
    }
}

/// The numbers of a folder's entries that are named by a prefix and a number, in their order: `hci0`, but not `hci0:1`.
/// None where it can't be read.
package func numberedEntries(of folder: String, prefix: String = "") -> [Int] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var numbers: [Int] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
            String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) { numbers.append(number) }
    }
    return numbers.sorted()
}
