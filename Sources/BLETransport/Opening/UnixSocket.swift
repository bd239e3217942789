import Glibc

/// Runs `body` with the path as a socket address; nil where the path is too long for one.
func withUnixAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(path.utf8)
    // One octet stays for the terminating zero.
    guard octets.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: octets) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

/// The longest path that a unix socket can have.
package let unixPathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

private func pathTooLong(_ path: String) -> TransportError {
    TransportError(
        .unsupported, layer: "unix:\(path)",
        cause: "the path is longer than the \(unixPathLimit) octets of a unix socket",
        remedy: "choose a shorter one")
}

private func newSocket(_ layer: String) throws(TransportError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if descriptor < 0 {
        throw TransportError(
            .unavailable, layer: layer, cause: "no socket could be made: \(systemMessage(errno))",
            remedy: "raise the limit on open files with `ulimit -n`")
    }
    return descriptor
}

/// Connects to a unix socket.
package func connectUnixSocket(_ path: String) throws(TransportError) -> Int32 {
    let descriptor = try newSocket("unix:\(path)")
    let result = withUnixAddress(path) { connect(descriptor, $0, $1) == 0 ? 0 : errno }
    if result == 0 {
        makeNonBlocking(descriptor)
        return descriptor
    }
    close(descriptor)
    guard let code = result else { throw pathTooLong(path) }
    let layer = "unix:\(path)"
    switch code {
    case EACCES, EPERM:
        throw TransportError(
            .unauthorized, layer: layer, cause: "no right to connect to it",
            remedy: "start the program as the user that owns the socket")
    case ENOENT, ECONNREFUSED:
        throw TransportError(
            .unavailable, layer: layer, cause: "nobody listens there",
            remedy: "start the controller's program, or correct RAVNING_ADAPTER")
    default:
        throw TransportError(
            .unavailable, layer: layer, cause: "can't connect: \(systemMessage(code))",
            remedy: "correct RAVNING_ADAPTER")
    }
}

/// Listens at a path, in place of whatever socket is there.
///
/// The socket appears at its path only when it takes connections already: bound under another name, then renamed.
package func listenUnixSocket(_ path: String, backlog: Int32 = 128) throws(TransportError) -> Int32 {
    let layer = "unix:\(path)"
    let temporary = path + ".\(getpid())"
    let descriptor = try newSocket(layer)
    unlink(temporary)
    let result = withUnixAddress(temporary) { bind(descriptor, $0, $1) == 0 ? 0 : errno }
    var code = result ?? ENAMETOOLONG
    if code == 0 {
        chmod(temporary, 0o600)
        if listen(descriptor, backlog) != 0 || rename(temporary, path) != 0 {
            code = errno
            unlink(temporary)
        }
    }
    if code == 0 {
        makeNonBlocking(descriptor)
        return descriptor
    }
    close(descriptor)
    if code == ENAMETOOLONG { throw pathTooLong(path) }
    throw TransportError(
        .unsupported, layer: layer, cause: "can't listen: \(systemMessage(code))",
        remedy: "choose a path in a folder that is yours")
}
