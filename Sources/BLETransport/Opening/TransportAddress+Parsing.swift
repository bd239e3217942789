extension TransportAddress {
    /// Reads `hci:0`, `unix:/path`, `unix-server:/path`, `tcp:host:port`, `tcp:[::1]:port`, `tcp-server:port`,
    /// `serial:/dev/ttyUSB0@1000000`, `serial:/dev/ttyUSB0@1000000,noflow`, `usb:0` and `usb:0a12:0001`.
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
        case "unix-server":
            if rest.isEmpty { throw Self.wrong(text, "the path is missing") }
            self = .unixServer(path: rest)
        case "tcp":
            self = try Self.tcp(rest, in: text)
        case "tcp-server":
            guard let port = UInt16(rest) else { throw Self.wrong(text, "\"\(rest)\" is no port") }
            self = .tcpServer(port: port)
        case "serial":
            self = try Self.serial(rest, in: text)
        case "usb":
            guard let selection = USBSelection(rest) else {
                throw Self.wrong(text, "\"\(rest)\" is neither a number nor VENDOR:PRODUCT with four digits each")
            }
            self = .usb(selection)
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
        let settings = parts[1].split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let baud = UInt32(settings[0]), baud != 0 else { throw wrong(text, "\"\(settings[0])\" is no baud rate") }
        let flow = settings.count == 2 ? settings[1] : "flow"
        guard flow == "flow" || flow == "noflow" else {
            throw wrong(text, "\"\(flow)\" is neither flow nor noflow")
        }
        return .serial(device: device, baud: baud, hasFlowControl: flow == "flow")
    }

    private static func wrong(_ text: String, _ cause: String) -> TransportError {
        TransportError(
            .unsupported, layer: "RAVNING_ADAPTER", cause: "\"\(text)\" isn't understood: \(cause)", remedy: Self.forms)
    }

    /// What may be written.
    package static let forms = """
        write auto, virtual, virtual:NAME, hci:N, tcp:HOST:PORT, tcp-server:PORT, unix:PATH, unix-server:PATH, \
        serial:DEVICE[@BAUD[,noflow]], usb:N, usb:VENDOR:PRODUCT or bluez
        """
}
