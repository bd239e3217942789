import BLEBackend
package import BLEController
package import BLETransport
import BLEWire

/// Sees the packets on a hosted radio's air.
package protocol AirTap: AnyObject, Sendable {
    /// Packets with their wall times in nanoseconds since 1970. Called on the radio's queue.
    func record(_ packets: [(time: Int64, packet: AirPacket)])
}

/// Writes the air to a pcap file of link type 256, as `RAVNING_CAPTURE=FILE.pcap` and `ravning radio --capture` ask.
package final class AirCaptureFile: AirTap {
    private let file: CaptureFile

    package init(path: String) throws(TransportError) {
        file = try CaptureFile(
            path: path, header: Pcap.fileHeader(linkType: Pcap.linkLayerWithRadioHeader),
            onFailure: Diagnostics.captureFailed)
    }

    package func record(_ packets: [(time: Int64, packet: AirPacket)]) {
        var octets: [UInt8] = []
        for (time, packet) in packets {
            Pcap.Record(unixNanoseconds: time, packet: AirCapture(packet).packet()).append(to: &octets)
        }
        file.append(octets)
    }
}

extension AirCapture {
    fileprivate init(_ packet: AirPacket) {
        let direction: Direction =
            switch packet.direction {
            case .advertising: .advertising
            case .centralToPeripheral: .centralToPeripheral
            case .peripheralToCentral: .peripheralToCentral
            }
        self.init(
            channel: packet.channel, phy: packet.phy, rssi: packet.rssi, accessAddress: packet.accessAddress,
            direction: direction, pdu: packet.pdu, crc: packet.crc, isCRCValid: packet.isCRCValid)
    }
}
