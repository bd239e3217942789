package import BLEBackend
import BLETransport
package import BLEWire
import BLELocking

/// A store that lasts: one file in the device's state folder, mode 0600, written whole and put in its place at once.
///
/// A file that can't be read is reported and set aside as `peers.damaged`; the device then begins with a new key, so
/// its peers get new identifiers. A file that can't be written is reported once, and the store goes on in memory.
package final class FileDeviceStore: DeviceStore {
    private struct State {
        var table: PeerTable
        var isChanged: Bool
        var hasFailed = false
    }
    private let stateFile: StateFile
    private let key: [UInt8]
    private let state: Locked<State>
    /// Held while the file is written, so that the later contents are the ones that stay.
    private let writing = Locked(())
    /// Only what was connected to or named is worth a line; whoever just passes by isn't.
    private static let limit = 4096

    /// - Parameter random: makes the key of a new store.
    package init(folder: String, random: any RandomNumberGenerator) {
        stateFile = StateFile(folder + "/peers")
        var file: PeerFile
        var isNew = false
        do {
            file = try Self.read(stateFile)
        } catch {
            if case .damaged(let cause) = error {
                let aside = stateFile.setAside()
                Diagnostics.emit(
                    TraceEvent(
                        .error, "store",
                        "\(stateFile.path) \(cause): it is kept as \(aside), and peers get new identifiers"))
            }
            var random = random
            file = PeerFile(key: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }, records: [])
            isNew = true
        }
        key = file.key
        let words = stride(from: 0, to: 16, by: 8).map { start in
            file.key[start..<(start + 8)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        var table = PeerTable(hash: PeerIdentifierHash(key: (words[0], words[1])), limit: Self.limit)
        for record in file.records { table.insert(record) }
        state = Locked(State(table: table, isChanged: isNew))
        save()
    }

    package func peer(at address: DeviceAddress) -> PeerID { state.withLock { $0.table.peer(at: address).0 } }
    package func address(of peer: PeerID) -> DeviceAddress? { state.withLock { $0.table[peer]?.address } }
    package func name(of peer: PeerID) -> String? { state.withLock { $0.table[peer]?.name } }

    package func setAdvertisedName(_ name: String, of peer: PeerID) { change(peer) { $0.advertisedName = name } }
    package func setDeviceName(_ name: String, of peer: PeerID) { change(peer) { $0.deviceName = name } }
    package func setIdentity(_ address: DeviceAddress, of peer: PeerID) {
        state.withLock { state in
            if state.table.setIdentity(address, of: peer) { state.isChanged = true }
        }
    }
    package func keep(_ peer: PeerID) { change(peer) { $0.isKept = true } }
    package func hold(_ peer: PeerID) { state.withLock { $0.table.hold(peer) } }
    package func release(_ peer: PeerID) { state.withLock { $0.table.release(peer) } }

    private func change(_ peer: PeerID, _ body: (inout PeerRecord) -> Void) {
        state.withLock { state in
            if state.table.change(peer, body) { state.isChanged = true }
        }
    }

    package var needsSaving: Bool { state.withLock { $0.isChanged && !$0.hasFailed } }

    package func save() { writing.withLock { _ in write() } }

    private func write() {
        let text: String? = state.withLock { state in
            guard state.isChanged, !state.hasFailed else { return nil }
            state.isChanged = false
            return PeerFile(key: key, records: state.table.ordered).text
        }
        guard let text, let code = stateFile.write(Array(text.utf8)) else { return }
        state.withLock { $0.hasFailed = true }
        Diagnostics.emit(
            TraceEvent(
                .error, "store",
                "\(stateFile.path) can't be written: \(systemMessage(code)); identifiers and names last as long as this program"
            ))
    }

    private static func read(_ file: StateFile) throws(StateFile.ReadError) -> PeerFile {
        let text = try file.readText()
        do throws(PeerFileError) {
            return try PeerFile(text)
        } catch {
            throw .damaged("is damaged: line \(error.line) \(error.cause)")
        }
    }
}
