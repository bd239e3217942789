import BLEBackend
import BLEWire

/// How a phone lays out the name and the services of an advertisement, and what doesn't fit. [contract 112]
///
/// Beside the flags there are 28 octets for AD structures: service UUIDs first, as many as fit, then the name. A name that
/// doesn't fit there goes to the scan response, where it may have 10 octets; if it's longer than that too, it is
/// shortened to what the better of the two places has. UUIDs that don't fit are left out. (A phone hashes them into a
/// bit mask for phones of its own make, whose hash isn't published. [contract 113])
struct AdvertisementLayout: Equatable {
    /// AD structures of the advertisement and of the scan response. [Vol 3, Part C, 11]
    private(set) var data: [UInt8]
    private(set) var scanResponse: [UInt8] = []
    /// Services that aren't on the air.
    private(set) var omitted: [BluetoothUUID] = []
    /// The name on the air, where it isn't the whole one.
    private(set) var shortenedName: String?

    init(_ request: AdvertisingRequest, _ profile: PhoneProfile) {
        // LE General Discoverable Mode, BR/EDR Not Supported.
        data = [2, 0x01, 0x06]
        var room = min(profile.advertisementRoom, 31 - data.count)
        place(request.services, &room)
        if let name = request.localName, !name.isEmpty { place(name, room, profile) }
    }

    private mutating func place(_ services: [BluetoothUUID], _ room: inout Int) {
        let widths: [BluetoothUUID.Width] = [.bits16, .bits32, .bits128]
        var fitting: [[BluetoothUUID]] = [[], [], []]
        for uuid in services {
            guard let list = widths.firstIndex(of: uuid.width), !fitting[list].contains(uuid) else { continue }
            let size = uuid.width.rawValue / 8 + (fitting[list].isEmpty ? 2 : 0)
            if size <= room {
                fitting[list].append(uuid)
                room -= size
            } else {
                omitted.append(uuid)
            }
        }
        // Incomplete and complete lists of each width. [Supplement, Part A, 1.1]
        for (list, types) in zip(fitting, [(2, 3), (4, 5), (6, 7)] as [(UInt8, UInt8)]) where !list.isEmpty {
            let isCut = omitted.contains { $0.width == list[0].width }
            data += Self.structure(isCut ? types.0 : types.1, list.flatMap(\.littleEndian))
        }
    }

    private mutating func place(_ name: String, _ room: Int, _ profile: PhoneProfile) {
        let octets = Array(name.utf8)
        let here = max(room - 2, 0)
        let there = min(profile.scanResponseNameRoom, 29)
        if octets.count <= here {
            data += Self.structure(0x09, octets)
        } else if octets.count <= there {
            scanResponse = Self.structure(0x09, octets)
        } else {
            let shortened = Self.prefix(of: name, octets: max(here, there))
            shortenedName = shortened
            let structure = Self.structure(0x08, Array(shortened.utf8))
            if here >= there { data += structure } else { scanResponse = structure }
        }
    }

    /// Length, type, value. [Vol 3, Part C, 11]
    private static func structure(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value.count + 1), type] + value
    }

    /// As many whole characters as fit.
    private static func prefix(of name: String, octets: Int) -> String {
        var shortened = ""
        var count = 0
        for character in name {
            count += character.utf8.count
            if count > octets { break }
            shortened.append(character)
        }
        return shortened
    }

    /// What was cut, for a person; nil = nothing.
    func report(of request: AdvertisingRequest) -> String? {
        var cuts: [String] = []
        if let shortenedName, let name = request.localName {
            cuts.append("the name \"\(name)\" is shortened to \"\(shortenedName)\"")
        }
        if !omitted.isEmpty {
            cuts.append("services left out: " + omitted.map(\.description).joined(separator: ", "))
        }
        return cuts.isEmpty ? nil : "the advertisement doesn't hold everything: " + cuts.joined(separator: "; ")
    }
}
