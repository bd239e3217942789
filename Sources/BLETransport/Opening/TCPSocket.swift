import Glibc

/// How long a connection may take.
private let connectTimeoutMilliseconds: Int32 = 5000

/// Connects to a host's port, trying each of its addresses.
package func connectTCPSocket(_ host: String, _ port: UInt16) throws(TransportError) -> Int32 {
    let layer = TransportAddress.tcp(host: host, port: port).description
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let found = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard found == 0 else {
        throw TransportError(
            .unavailable, layer: layer, cause: "the host isn't known: \(String(cString: gai_strerror(found)))",
            remedy: "correct the host's name in RAVNING_ADAPTER")
    }
    var code = ECONNREFUSED
    var next = list
    while let address = next?.pointee {
        let result = connectOne(address)
        if result >= 0 {
            disableDelay(result)
            return result
        }
        code = -result
        next = address.ai_next
    }
    throw TransportError(
        .unavailable, layer: layer, cause: "can't connect: \(systemMessage(code))",
        remedy: "start the controller's program there, or correct RAVNING_ADAPTER")
}

/// Answers a connected descriptor or a negative error number.
private func connectOne(_ address: addrinfo) -> Int32 {
    let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), address.ai_protocol)
    if descriptor < 0 { return -errno }
    makeNonBlocking(descriptor)
    if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
    var code = errno
    if code == EINPROGRESS {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let ready = poll(&wait, 1, connectTimeoutMilliseconds)
        if ready == 1 {
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
            if code == 0 { return descriptor }
        } else {
            code = ETIMEDOUT
        }
    }
    close(descriptor)
    return -code
}

/// HCI packets are small and somebody waits for each.
package func disableDelay(_ descriptor: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
}

/// Listens on a port of this machine's loopback address: whoever can reach the port can use the radio, so nobody else
/// should. Port 0 takes a free one; the answer says which.
package func listenTCPSocket(_ port: UInt16) throws(TransportError) -> (descriptor: Int32, port: UInt16) {
    let layer = "tcp:127.0.0.1:\(port)"
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
                && getsockname(descriptor, $0, &length) == 0
        }
    }
    guard isListening else {
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        throw TransportError(
            .unsupported, layer: layer, cause: "can't listen: \(systemMessage(code))", remedy: "choose another port")
    }
    makeNonBlocking(descriptor)
    return (descriptor, UInt16(bigEndian: address.sin_port))
}
