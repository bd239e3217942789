import Glibc

/// Two connected sockets; what the test's side does to the other is there at once.
final class SocketPair {
    let ours: Int32
    private(set) var theirs: Int32

    init(keepsRecords: Bool = false) {
        var pair: [Int32] = [-1, -1]
        let kind = keepsRecords ? SOCK_SEQPACKET : SOCK_STREAM
        socketpair(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        (ours, theirs) = (pair[0], pair[1])
    }

    deinit { if theirs >= 0 { close(theirs) } }

    /// Writes octets on the other side.
    func write(_ octets: [UInt8]) {
        _ = Glibc.write(theirs, octets, octets.count)
    }

    /// What one read on the other side gives.
    func read(_ count: Int = 1 << 20) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        let got = recv(theirs, &octets, count, Int32(MSG_DONTWAIT))
        return Array(octets.prefix(max(0, got)))
    }

    /// Closes the other side, and waits until that shows: a program that another test starts at this moment holds a
    /// copy for an instant.
    func closeTheirs() {
        if theirs < 0 { return }
        close(theirs)
        theirs = -1
        var wait = pollfd(fd: ours, events: 0, revents: 0)
        _ = poll(&wait, 1, 60_000)
    }
}
