/// Where a controller is, as written in `RAVNING_ADAPTER`.
package enum TransportAddress: Hashable, Sendable {
    /// The kernel's adapter hciN, through its user channel.
    case hci(UInt16)
    case unix(path: String)
    case tcp(host: String, port: UInt16)
    case serial(device: String, baud: UInt32)

    /// What most controllers' UARTs start with.
    package static let defaultBaud: UInt32 = 115_200

    /// Reads `hci:0`, `unix:/path`, `tcp:host:port`, `tcp:[::1]:port`, `serial:/dev/ttyUSB0@1000000`.
    package init(_ text: String) throws(TransportError) {
        guard let colon = text.firstIndex(of: ":") else {
            throw Self.wrong(text, "it has no colon")
        }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon] {
        case "hci":
            guard let number = UInt16(rest), number != .max else {
                throw Self.wrong(text, "\"\(rest)\" is no adapter number")
            }
            self = .hci(number)
        case "unix":
            if rest.isEmpty { throw Self.wrong(text, "the path is missing") }
            self = .unix(path: rest)
        case "tcp":
            self = try Self.tcp(rest, in: text)
        case "serial":
            self = try Self.serial(rest, in: text)
        case let kind:
            throw Self.wrong(text, "there is no kind of adapter \"\(kind)\"")
        }
    }

    private static func tcp(_ rest: String, in text: String) throws(TransportError) -> TransportAddress {
        guard let colon = rest.lastIndex(of: ":") else { throw wrong(text, "the port is missing") }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.isEmpty { throw wrong(text, "the host is missing") }
        let number = rest[rest.index(after: colon)...]
        guard let port = UInt16(number), port != 0 else { throw wrong(text, "\"\(number)\" is no port") }
        return .tcp(host: String(host), port: port)
    }

    private static func serial(_ rest: String, in text: String) throws(TransportError) -> TransportAddress {
        let parts = rest.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let device = parts.first.map(String.init) ?? ""
        if device.isEmpty { throw wrong(text, "the device is missing") }
        guard parts.count == 2 else { return .serial(device: device, baud: defaultBaud) }
        guard let baud = UInt32(parts[1]), baud != 0 else { throw wrong(text, "\"\(parts[1])\" is no baud rate") }
        return .serial(device: device, baud: baud)
    }

    private static func wrong(_ text: String, _ cause: String) -> TransportError {
        TransportError(
            .unsupported, layer: "RAVNING_ADAPTER", cause: "\"\(text)\" isn't understood: \(cause)", remedy: Self.forms)
    }

    /// What may be written.
    package static let forms =
        "write auto, virtual, virtual:NAME, hci:N, tcp:HOST:PORT, unix:PATH, serial:DEVICE[@BAUD] or bluez"
}

extension TransportAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .hci(let number): "hci:\(number)"
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        case .serial(let device, let baud): "serial:\(device)@\(baud)"
        }
    }
}

extension TransportAddress {
    /// Opens the transport. May wait for the network for some seconds: not to be called where nothing may wait.
    package func open() throws(TransportError) -> any HCITransport {
        switch self {
        case .hci(let number): try openUserChannel(number)
        case .unix(let path): try StreamTransport(descriptor: connectUnixSocket(path))
        case .tcp(let host, let port): try StreamTransport(descriptor: connectTCPSocket(host, port))
        case .serial(let device, let baud):
            try StreamTransport(descriptor: openSerialPort(device, baud), .serial)
        }
    }
}
