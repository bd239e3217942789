import BLEBackend
package import BLEController
package import BLETransport
import BLEWire

/// Sees the packets on a hosted radio's air.
package protocol AirTap: AnyObject, Sendable {
    /// Packets with their wall times in nanoseconds since 1970. Called on the radio's queue.
    func record(_ packets: [(time: Int64, packet: AirPacket)])
    /// The keys of a link from now on, if the radio's settings ask for them.
    func record(_ keys: SessionKeys)
}

/// Writes the air to a pcap file of link type 256, as `RAVNING_CAPTURE=FILE.pcap` and `ravning radio --capture` ask.
/// The keys of encrypted links go to a file of their own, only where one is named.
package final class AirCaptureFile: AirTap {
    private let file: CaptureFile
    private let keys: CaptureFile?

    /// - Parameter keys: a file for the keys of encrypted links, for who wants to read the capture; nil for none.
    package init(path: String, keys: String? = nil) throws(TransportError) {
        file = try CaptureFile(
            path: path, header: Pcap.fileHeader(linkType: Pcap.linkLayerWithRadioHeader),
            onFailure: Diagnostics.captureFailed)
        self.keys = try keys.map { (path) throws(TransportError) in
            try CaptureFile(
                path: path, header: Array(SessionKeys.fileHeader.utf8), onFailure: Diagnostics.captureFailed)
        }
    }

    package func record(_ keys: SessionKeys) { self.keys?.append(Array(keys.line.utf8)) }

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

extension SessionKeys {
    static let fileHeader = "ravning-keys 1\n# keys ACCESS-ADDRESS LTK SKD IV: whoever has them reads the capture\n"

    /// A line of the file: hexadecimal digits, most significant first.
    var line: String {
        let words = [
            Hex.string(accessAddress.bigEndianOctets), Hex.string(longTermKey.bigEndianOctets),
            Hex.string(diversifier.bigEndianOctets), Hex.string(initializationVector.bigEndianOctets),
        ]
        return "keys " + words.joined(separator: " ") + "\n"
    }
}

extension FixedWidthInteger {
    /// Most significant octet first.
    fileprivate var bigEndianOctets: [UInt8] {
        (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
