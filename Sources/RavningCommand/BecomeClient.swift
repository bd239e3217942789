import CommandLineKit
import Glibc

/// Runs the executable with the commands that use a device in place of this one; returns only where that fails.
func becomeClient(_ words: [String]) throws -> Int32 {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = own.lastIndex(of: "/").map { own[..<$0] } ?? "."
    let client = "\(folder)/\(ClientCommand.executable)"
    var arguments = ([client] + words).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    // What this process ignores, the next one would ignore, too.
    signal(SIGPIPE, SIG_DFL)
    execv(client, &arguments)
    let cause = String(cString: strerror(errno))
    throw CommandError(.other, "\(client) can't be run: \(cause); it is to lie beside \(own)")
}
