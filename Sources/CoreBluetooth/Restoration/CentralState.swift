internal import BLEBackend
internal import BLEWire
internal import Foundation

/// What a central manager has running: its scan, and the peripherals that it is connected to or wants to be.
struct CentralState: RestorableState {
    static let currentVersion = 1
    var version = currentVersion
    var peripherals: [Peripheral] = []
    var scan: Scan?

    var isEmpty: Bool { peripherals.isEmpty && scan == nil }

    struct Peripheral: Codable, Equatable {
        var identifier: UUID
        var startDelay: Int
        var autoReconnect: Bool

        init(_ peer: PeerID, _ options: ConnectOptions) {
            identifier = UUID(bits: peer.bits)
            startDelay = options.startDelay
            autoReconnect = options.autoReconnect
        }

        var peer: PeerID { PeerID(bits: UInt128(identifier)) }
        var options: ConnectOptions { ConnectOptions(startDelay: startDelay, autoReconnect: autoReconnect) }
    }

    struct Scan: Codable, Equatable {
        var services: [String]?
        var solicitedServices: [String]
        var allowDuplicates: Bool

        init(_ request: ScanRequest) {
            services = request.services?.map { CBUUID($0).uuidString }
            solicitedServices = request.solicitedServices.map { CBUUID($0).uuidString }
            allowDuplicates = request.allowDuplicates
        }

        /// nil where a text is no UUID.
        var request: ScanRequest? {
            let services = services.map(RestoredUUID.list)
            guard let solicited = RestoredUUID.list(solicitedServices), services != .some(nil) else { return nil }
            return ScanRequest(
                services: services?.map { $0.map(\.bluetoothUUID) }, solicitedServices: solicited.map(\.bluetoothUUID),
                allowDuplicates: allowDuplicates)
        }
    }

    mutating func remove(_ peer: PeerID) { peripherals.removeAll { $0.peer == peer } }
}

/// Reads UUIDs that were kept as text; the file may hold anything, and `CBUUID(string:)` ends the program where a text
/// is none.
enum RestoredUUID {
    static func parse(_ text: String) -> CBUUID? { BluetoothUUID(text).map(CBUUID.init) }

    static func list(_ texts: [String]) -> [CBUUID]? {
        let uuids = texts.compactMap(parse)
        return uuids.count == texts.count ? uuids : nil
    }
}
