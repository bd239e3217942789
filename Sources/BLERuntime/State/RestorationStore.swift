package import BLEBackend
import BLELocking
import BLETransport
import BLEWire
import Glibc

/// Which manager's state it is: the role, and the identifier that the program gave it.
package struct RestorationKey: Hashable, Sendable {
    package var role: SessionRole
    package var identifier: String

    package init(role: SessionRole, identifier: String) {
        self.role = role
        self.identifier = identifier
    }

    /// As a file's name: the identifier may hold anything, so its octets are written in hexadecimal. What is too long for
    /// a name is cut, and a hash of the whole stands for the rest.
    var fileName: String {
        let octets = Array(identifier.utf8)
        var name = (role == .central ? "central-" : "peripheral-") + Hex.string(octets.prefix(Self.longest))
        if octets.count > Self.longest {
            let (low, high) = PeerIdentifierHash(key: (0, 0)).hash(octets)
            name += "-" + Hex.number(high) + Hex.number(low)
        }
        return name
    }

    /// Octets that a name holds beside the rest, of the 255 that it may have.
    private static let longest = 96
}

/// Keeps what managers with a restore identifier have running, so that the next run of the program gets it back.
/// [contract 3, 124]
///
/// *Threading*: every method may be called from any thread.
package protocol RestorationStore: AnyObject, Sendable {
    /// What was saved for the manager last; nil where there is nothing.
    func load(_ key: RestorationKey) -> [UInt8]?
    /// Saves for the next run; nil takes it away.
    func save(_ octets: [UInt8]?, for key: RestorationKey)
    /// What was loaded can't be used: it is set aside, and that is said.
    func setAside(_ key: RestorationKey, because cause: String)
}

/// Keeps states as long as it lives: of a world's phones, whose programs come and go, and of devices without a folder.
package final class MemoryRestorationStore: RestorationStore {
    private let states = Locked<[RestorationKey: [UInt8]]>([:])

    package init() {}

    package func load(_ key: RestorationKey) -> [UInt8]? { states.withLock { $0[key] } }
    package func save(_ octets: [UInt8]?, for key: RestorationKey) { states.withLock { $0[key] = octets } }
    package func setAside(_ key: RestorationKey, because cause: String) { save(nil, for: key) }
}

/// Keeps states in the device's folder, one file for each manager.
package final class FileRestorationStore: RestorationStore {
    private let folder: String
    private let hasFailed = Locked(false)

    package init(folder: String) { self.folder = folder + "/restoration" }

    package func load(_ key: RestorationKey) -> [UInt8]? {
        do {
            return try file(key).read()
        } catch {
            if case .damaged(let cause) = error { setAside(key, because: cause) }
            return nil
        }
    }

    package func save(_ octets: [UInt8]?, for key: RestorationKey) {
        guard let octets else { return file(key).remove() }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { return report(errno) }
        if let code = file(key).write(octets) { report(code) }
    }

    package func setAside(_ key: RestorationKey, because cause: String) {
        let file = file(key)
        let aside = file.setAside()
        Diagnostics.emit(
            TraceEvent(.error, "store", "\(file.path) \(cause): it is kept as \(aside), and nothing is restored"))
    }

    private func file(_ key: RestorationKey) -> StateFile { StateFile(folder + "/" + key.fileName) }

    /// Said once.
    private func report(_ code: Int32) {
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        guard isFirst else { return }
        Diagnostics.emit(
            TraceEvent(
                .error, "store", "\(folder) can't be written: \(systemMessage(code)); nothing will be restored from it")
        )
    }
}
