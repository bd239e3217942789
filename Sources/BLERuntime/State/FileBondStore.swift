import BLEBackend
package import BLEHost
import BLETransport
package import BLEWire
import BLELocking
import Glibc

/// Bonds that last: a file for each in the folder `bonds` of the device's state folder, and the device's own key in
/// `identity` beside it, each of mode 0600, written whole and put in its place at once.
///
/// A file that can't be read as it must be (damaged, cut, of another version, open to others than its owner) is
/// reported and set aside under another name: its bond doesn't count, and nothing of it is lost. What can't be written
/// is reported, once, and lasts as long as this program.
package final class FileBondStore: BondStore {
    private let folder: String
    package let identityResolvingKey: Key128
    /// Held while files are written, so that the later contents are the ones that stay.
    private let hasFailed = Locked(false)

    /// - Parameter random: makes the key of a device that has none.
    package init(folder: String, random: any RandomNumberGenerator) {
        self.folder = folder + "/bonds"
        let file = StateFile(folder + "/identity")
        if let key = Self.read(file, BondFile.identity) {
            identityResolvingKey = key
            return
        }
        var random = random
        var key: Key128
        repeat { key = Key128(using: &random) } while key.isZero
        identityResolvingKey = key
        if let code = file.write(Array(BondFile.identityText(key).utf8)) { report(code, file.path) }
    }

    package var bonds: [Bond] {
        names.compactMap { name in
            let file = StateFile("\(folder)/\(name)")
            guard let bond = Self.read(file, { (text) throws(PeerFileError) in try BondFile(text).bond }) else {
                return nil
            }
            guard BondFile.fileName(of: bond.peer) == name else {
                Self.setAside(file, "is named as another peer's")
                return nil
            }
            return bond
        }
    }

    package func set(_ bond: Bond) { write(BondFile(bond).text, to: file(of: bond.peer)) }

    package func remove(_ peer: DeviceAddress) {
        hasFailed.withLock { _ in
            file(of: peer).remove()
            databaseFile(of: peer).remove()
        }
    }

    package func database(of peer: DeviceAddress) -> RememberedDatabase? {
        let file = databaseFile(of: peer)
        guard let read = Self.read(file, { (text) throws(PeerFileError) in try DatabaseFile(text) }) else { return nil }
        guard BondFile.fileName(of: read.peer) == BondFile.fileName(of: peer) else {
            Self.setAside(file, "is named as another peer's")
            return nil
        }
        return read.database
    }

    package func setDatabase(_ database: RememberedDatabase?, of peer: DeviceAddress) {
        let file = databaseFile(of: peer)
        guard let database else { return hasFailed.withLock { _ in file.remove() } }
        write(DatabaseFile(database, of: peer).text, to: file)
    }

    private func file(of peer: DeviceAddress) -> StateFile { StateFile("\(folder)/\(BondFile.fileName(of: peer))") }

    /// What is remembered of the peer's database: beside the bond, not in it, since a bond that is lost costs more.
    private func databaseFile(of peer: DeviceAddress) -> StateFile { StateFile(file(of: peer).path + ".database") }

    private func write(_ text: String, to file: StateFile) {
        hasFailed.withLock { hasFailed in
            var code: Int32?
            if mkdir(folder, 0o700) != 0, errno != EEXIST { code = errno }
            code = code ?? file.write(Array(text.utf8))
            if let code, !hasFailed {
                hasFailed = true
                report(code, file.path)
            }
        }
    }

    /// Names of files that may be bonds, in order; what was set aside, or is being written, isn't.
    private var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix("."), !name.contains(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func read<Value>(
        _ file: StateFile, _ parse: (String) throws(PeerFileError) -> Value
    ) -> Value? {
        let text: String
        do throws(StateFile.ReadError) {
            text = try file.readText(isSecret: true)
        } catch {
            if case .damaged(let cause) = error { setAside(file, cause) }
            return nil
        }
        do throws(PeerFileError) {
            return try parse(text)
        } catch {
            setAside(file, "is damaged: line \(error.line) \(error.cause)")
            return nil
        }
    }

    private static func setAside(_ file: StateFile, _ cause: String) {
        let aside = file.setAside()
        Diagnostics.emit(
            TraceEvent(.error, "store", "\(file.path) \(cause): it is kept as \(aside), and isn't used"))
    }

    private func report(_ code: Int32, _ path: String) {
        Diagnostics.emit(
            TraceEvent(
                .error, "store",
                "\(path) can't be written: \(systemMessage(code)); what it would keep lasts as long as this program"))
    }
}
