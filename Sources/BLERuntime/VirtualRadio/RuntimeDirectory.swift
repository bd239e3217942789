package import BLETransport
import Glibc

/// The folder where the sockets of this user's radios are: `$XDG_RUNTIME_DIR/ravning`, else `/tmp/ravning-UID`.
///
/// Whoever can reach a socket can use the radio, and whoever can put one there can play a radio to the user's programs.
/// So the folder must be the user's own and closed to others; one that isn't is refused, never repaired.
package struct RuntimeDirectory: Hashable, Sendable {
    package let path: String

    /// Finds the folder, or makes it.
    package init(_ variables: EnvironmentVariables) throws(TransportError) {
        if let base = variables["XDG_RUNTIME_DIR"], base.hasPrefix("/") {
            try self.init(path: base + "/ravning")
        } else {
            try self.init(path: "/tmp/ravning-\(geteuid())")
        }
    }

    package init(path: String) throws(TransportError) {
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw Self.error(path, "can't be made: \(systemMessage(errno))")
        }
        var status = stat()
        // The link itself, if it's one: a link in /tmp may be anybody's.
        guard lstat(path, &status) == 0 else { throw Self.error(path, "can't be looked at: \(systemMessage(errno))") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Self.error(path, "is no folder") }
        guard status.st_uid == geteuid() else { throw Self.error(path, "belongs to user \(status.st_uid)") }
        guard status.st_mode & 0o077 == 0 else { throw Self.error(path, "is open to other users") }
    }

    private static func error(_ path: String, _ cause: String) -> TransportError {
        TransportError(
            .unsupported, layer: "virtual radio", cause: "the folder for its sockets, \(path), \(cause)",
            remedy: "set XDG_RUNTIME_DIR to a folder of yours with mode 0700, or remove \(path)")
    }

    /// Where a radio listens.
    package func socket(of radio: RadioName) -> String { "\(path)/\(radio.fileName).radio" }
    /// Held by who hosts the radio.
    package func lock(of radio: RadioName) -> String { "\(path)/\(radio.fileName).lock" }

    /// Radios that are hosted at the moment, by name.
    package var radios: [RadioName] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [RadioName] = []
        while let entry = readdir(directory) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard file.hasSuffix(".radio"), let name = RadioName(fileName: String(file.dropLast(6))) else { continue }
            if FileLock.isHeld(lock(of: name)) { names.append(name) }
        }
        return names.sorted { $0.text < $1.text }
    }
}
