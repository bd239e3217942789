package import BLETransport
import Glibc

/// Where what a device remembers lives: `RAVNING_STATE_DIR`, else `$XDG_STATE_HOME/ravning`, else
/// `~/.local/state/ravning`.
package struct StateFolder: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package init(_ variables: EnvironmentVariables) throws(TransportError) {
        if let path = variables["RAVNING_STATE_DIR"] {
            guard path.hasPrefix("/") else {
                throw TransportError(
                    .unsupported, layer: "RAVNING_STATE_DIR", cause: "\"\(path)\" is no absolute path",
                    remedy: "write the folder's whole path, from / on")
            }
            self.path = path
        } else if let base = variables["XDG_STATE_HOME"], base.hasPrefix("/") {
            path = base + "/ravning"
        } else if let home = variables["HOME"], home.hasPrefix("/") {
            path = home + "/.local/state/ravning"
        } else {
            throw TransportError(
                .unsupported, layer: "device state", cause: "neither RAVNING_STATE_DIR nor HOME is set",
                remedy: "set RAVNING_STATE_DIR to a folder of yours")
        }
    }

    /// A folder in it, which is made if need be, closed to others.
    package func folder(_ names: String...) throws(TransportError) -> String {
        let whole = ([path] + names).joined(separator: "/")
        var partial = ""
        for part in whole.split(separator: "/") {
            partial += "/" + part
            // One that is there may well lie in a folder where none may be made.
            if mkdir(partial, 0o700) != 0, ![EEXIST, EROFS, EACCES, EPERM].contains(errno) {
                throw Self.error(whole, errno)
            }
        }
        var status = stat()
        guard stat(whole, &status) == 0 else { throw Self.error(whole, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Self.error(whole, ENOTDIR) }
        return whole
    }

    static func error(_ folder: String, _ code: Int32) -> TransportError {
        TransportError(
            .unsupported, layer: "device state", cause: "\(folder) can't be used: \(systemMessage(code))",
            remedy: "set RAVNING_STATE_DIR to a folder of yours")
    }
}
