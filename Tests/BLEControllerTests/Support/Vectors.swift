import BLEWire
import Foundation

/// Sections of `Tests/Vectors/vectors.json` as the tests of the link layer need them.
enum Vectors {
    struct File: Decodable {
        var crc24: [CRC]
        var whitening: [WhiteningSequence]
        var csa1: FirstSelection
        var csa2: [SecondSelection]
        var air_frames: [Frame]
    }
    struct CRC: Decodable, Sendable {
        var `init`: String
        var data: String
        var crc: String
    }
    struct WhiteningSequence: Decodable, Sendable {
        var channel: UInt8
        var sequence: String
    }
    struct FirstSelection: Decodable, Sendable {
        struct Run: Decodable, Sendable {
            struct Event: Decodable, Sendable {
                var unmapped: UInt8
                var channel: UInt8
            }
            var hop_increment: UInt8
            var channel_map: String
            var events: [Event]
        }
        var runs: [Run]
    }
    struct SecondSelection: Decodable, Sendable {
        var channel_identifier: UInt16
        var access_address: String
        var channel_map: String
        var counter: UInt64
        var prn_e: UInt16
        var unmapped: UInt8
        var channel: UInt8
    }
    struct Frame: Decodable, Sendable, CustomStringConvertible {
        var name: String
        var channel: UInt8
        var crc_init: String
        var preamble_and_access_address: String
        var pdu: String
        var on_air: String
        var description: String { name }
    }

    static let all: File = {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Vectors/vectors.json")
        do {
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        } catch {
            preconditionFailure("the vectors of the repository can't be read: \(error)")
        }
    }()
}

/// Octets of hexadecimal digits that a test is sure of.
func hex(_ text: String) -> [UInt8] { Hex.octets(text) ?? [] }
