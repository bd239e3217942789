package import BLETransport
import BLEWire

/// Writes the HCI packets of this process to a btsnoop file.
package final class HCICapture: PacketTap, @unchecked Sendable {
    // Touched on the engine's queue only.
    private let file: CaptureFile

    package init(_ path: String) throws(TransportError) {
        file = try CaptureFile(path, header: BTSnoop.fileHeader())
    }

    package func record(_ packets: [[UInt8]], _ direction: PacketDirection) {
        let time = unixNanoseconds() / 1000
        var octets: [UInt8] = []
        for packet in packets {
            let way: BTSnoop.Record.Direction = direction == .fromHost ? .hostToController : .controllerToHost
            BTSnoop.Record(unixMicroseconds: time, direction: way, packet: packet).append(to: &octets)
        }
        file.append(octets)
    }
}
