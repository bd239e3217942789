/// Where a controller is, as written in `RAVNING_ADAPTER`.
package enum TransportAddress: Hashable, Sendable {
    /// The kernel's adapter hciN, through its user channel.
    case hci(UInt16)
    case unix(path: String)
    case tcp(host: String, port: UInt16)
    /// A unix socket that the controller connects to.
    case unixServer(path: String)
    /// A port of this machine's loopback address that the controller connects to; 0 takes a free one.
    case tcpServer(port: UInt16)
    case serial(device: String, baud: UInt32, hasFlowControl: Bool = true)
    /// A controller on USB, without the kernel's Bluetooth; where the package was built with the trait `USB`.
    case usb(USBSelection)

    /// What most controllers' UARTs start with.
    package static let defaultBaud: UInt32 = 115_200
}

extension TransportAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .hci(let number): "hci:\(number)"
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        case .unixServer(let path): "unix-server:\(path)"
        case .tcpServer(let port): "tcp-server:\(port)"
        case .serial(let device, let baud, true): "serial:\(device)@\(baud)"
        case .usb(let selection): selection.description
        case .serial(let device, let baud, false): "serial:\(device)@\(baud),noflow"
        }
    }
}

extension TransportAddress {
    /// Opens the transport. May wait for the network for some seconds: not to be called where nothing may wait.
    ///
    /// A server's address is opened once, for one controller; whoever waits for the next one as well keeps a
    /// `ControllerListener`.
    package func open() throws(TransportError) -> any HCITransport {
        switch self {
        case .hci(let number): return try openUserChannel(number)
        case .unix(let path): return try StreamTransport(descriptor: connectUnixSocket(path))
        case .tcp(let host, let port): return try StreamTransport(descriptor: connectTCPSocket(host, port))
        case .unixServer, .tcpServer:
            let listener = ControllerListener(self)
            defer { listener.close() }
            return try listener.open()
        case .serial(let device, let baud, let hasFlowControl):
            return try StreamTransport(
                descriptor: openSerialPort(device, baud, hasFlowControl: hasFlowControl), .serial)
        case .usb(let selection): return try openUSBController(selection)
        }
    }
}
