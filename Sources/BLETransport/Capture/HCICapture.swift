package import BLEWire

/// Sees the packets that pass between a host and its controller.
package protocol PacketTap: AnyObject, Sendable {
    /// Packets of one drain, in order, at their time. Called by whoever drives the transport.
    func record(_ packets: [[UInt8]], _ direction: BTSnoop.Record.Direction)
}

/// Writes HCI packets to a btsnoop file, as `RAVNING_CAPTURE=FILE.btsnoop` asks.
package final class HCICapture: PacketTap {
    private let file: CaptureFile
    private let now: @Sendable () -> Int64

    /// - Parameter now: the wall clock in nanoseconds since 1970.
    package init(
        path: String, now: @escaping @Sendable () -> Int64 = unixNanoseconds,
        onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(TransportError) {
        file = try CaptureFile(path: path, header: BTSnoop.fileHeader(), onFailure: onFailure)
        self.now = now
    }

    package func record(_ packets: [[UInt8]], _ direction: BTSnoop.Record.Direction) {
        let time = now() / 1000
        var octets: [UInt8] = []
        for packet in packets {
            BTSnoop.Record(unixMicroseconds: time, direction: direction, packet: packet).append(to: &octets)
        }
        file.append(octets)
    }
}
