package import BLETransport
package import BLEWire

/// Opens the transport of an engine, at first and after each loss.
package protocol TransportOpener: Sendable {
    /// For people: the adapter as the user named it.
    var name: String { get }
    /// May wait for some seconds; called on a queue where that is allowed.
    func open() throws(TransportError) -> any HCITransport
    var reconnect: ReconnectPolicy { get }
    /// Lets go of what it keeps beside the transports; nothing is opened any more.
    func close()
}

extension TransportOpener {
    package func close() {}
}

/// How long to wait between attempts to open a transport: twice as long each time.
package struct ReconnectPolicy: Hashable, Sendable {
    package var first: Delay
    package var longest: Delay
    /// A transport that stayed open for so long counts as sound: the next loss begins with `first` again.
    package var soundAfter: Delay

    package init(first: Delay, longest: Delay, soundAfter: Delay = .seconds(5)) {
        self.first = first
        self.longest = longest
        self.soundAfter = soundAfter
    }

    /// For adapters and for controllers' programs.
    package static let adapter = ReconnectPolicy(first: .milliseconds(100), longest: .seconds(5))

    /// The wait after so many failures in a row.
    package func delay(afterFailures count: Int) -> Delay {
        let doublings = Int64(1) << min(max(count - 1, 0), 20)
        return min(first * doublings, longest)
    }
}

extension TransportAddress: TransportOpener {
    package var name: String { description }
    package var reconnect: ReconnectPolicy { .adapter }
}

extension ControllerListener: TransportOpener {
    package func open() throws(TransportError) -> any HCITransport { try open(patience: .seconds(1)) }
    /// Waiting is done in `open`.
    package var reconnect: ReconnectPolicy { ReconnectPolicy(first: .milliseconds(10), longest: .milliseconds(10)) }
}

extension TransportAddress {
    /// What opens the address, again and again.
    var opener: any TransportOpener {
        switch self {
        case .unixServer, .tcpServer: ControllerListener(self)
        case .hci, .unix, .tcp, .serial, .usb: self
        }
    }
}
