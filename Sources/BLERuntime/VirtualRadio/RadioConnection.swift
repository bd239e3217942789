import BLEController
import BLETransport
import BLEWire

/// A host's connection to a hosted radio.
///
/// *Limits*: while the host leaves more than `reportLimit` octets unread, advertising reports for it are dropped.
final class RadioConnection {
    let transport: StreamTransport
    let id: ControllerID
    /// The device's name, as far as it was told.
    var name = ""
    private let watched: WatchedTransport
    private let reportLimit: Int
    private var outgoing: [[UInt8]] = []

    init(_ id: ControllerID, _ watched: WatchedTransport, _ transport: StreamTransport, reportLimit: Int) {
        self.id = id
        self.watched = watched
        self.transport = transport
        self.reportLimit = reportLimit
    }

    /// Takes a packet for the host; false if it was dropped.
    func append(_ packet: [UInt8]) -> Bool {
        if transport.waitingCount > reportLimit, Self.isAdvertisingReport(packet) { return false }
        outgoing.append(packet)
        return true
    }

    /// Writes what was appended; answers why the connection is lost, if it is.
    func send() -> String? {
        if outgoing.isEmpty { return nil }
        let status = transport.send(outgoing)
        outgoing.removeAll(keepingCapacity: true)
        return after(status)
    }

    func flush() -> String? { after(transport.flush()) }

    var token: WatchToken { watched.token }

    func close() { watched.close() }

    private func after(_ status: TransportStatus) -> String? {
        watched.update()
        if case .closed(let reason) = status { return reason }
        return nil
    }

    /// [Vol 4, Part E, 7.7.65.2, 7.7.65.11, 7.7.65.13]
    private static func isAdvertisingReport(_ packet: [UInt8]) -> Bool {
        guard packet.count > 3, packet[0] == H4Indicator.event.rawValue, packet[1] == HCIEventCode.leMeta.rawValue
        else { return false }
        return [0x02, 0x0B, 0x0D].contains(packet[3])
    }
}
