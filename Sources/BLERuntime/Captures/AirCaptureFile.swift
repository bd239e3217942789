package import BLEController
package import BLETransport
import BLEWire

/// Writes the packets on a hosted radio's air to a pcap file of link type 256.
///
/// Times are the radio's own, counted from the wall clock's time when the file was made: distances are exact.
package final class AirCaptureFile: AirTap, @unchecked Sendable {
    // Touched on the radio's queue only.
    private let file: CaptureFile
    private let origin = unixNanoseconds()

    package init(_ path: String) throws(TransportError) {
        file = try CaptureFile(path, header: Pcap.fileHeader(linkType: Pcap.linkLayerWithRadioHeader))
    }

    package func record(_ packets: [AirPacket]) {
        var octets: [UInt8] = []
        for packet in packets {
            let direction: AirCapture.Direction =
                switch packet.direction {
                case .advertising: .advertising
                case .centralToPeripheral: .centralToPeripheral
                case .peripheralToCentral: .peripheralToCentral
                }
            let capture = AirCapture(
                channel: packet.channel, phy: packet.phy, rssi: packet.rssi, accessAddress: packet.accessAddress,
                direction: direction, pdu: packet.pdu, crc: packet.crc, isCRCValid: packet.isCRCValid)
            Pcap.Record(unixNanoseconds: origin + packet.time.nanoseconds, packet: capture.packet()).append(to: &octets)
        }
        file.append(octets)
    }
}
