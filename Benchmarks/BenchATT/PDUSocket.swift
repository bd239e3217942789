import Glibc

/// A blocking socket whose datagrams are PDUs.
struct PDUSocket {
    let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for a PDU; nil once the other side is gone.
    func receive() -> [UInt8]? {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return [UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            if count == 0 || (errno != EINTR && errno != EAGAIN) { return nil }
        }
    }

    func send(_ pdu: [UInt8]) {
        while true {
            let sent = pdu.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
            if sent >= 0 { return }
            if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                exit(0)
            }
        }
    }
}
