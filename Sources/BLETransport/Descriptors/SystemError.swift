import Glibc

/// The system's text for an error number.
package func systemMessage(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    let octets = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return String(decoding: octets, as: UTF8.self)
}

/// Makes a descriptor non-blocking and closed on exec.
package func makeNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
