import BLETransport
import Glibc

/// A small file of a device's state: read whole, written beside and put in its place at once, mode 0600. Whoever reads
/// finds the old contents or the new, never half of either.
package struct StateFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Why a file couldn't be read.
    package enum ReadError: Error, Equatable {
        case missing
        /// It is there, but not as it must be; the text goes after its path.
        case damaged(String)
    }

    /// More than any state has; what is larger isn't ours.
    private static let limit = 1 << 24

    /// The contents.
    ///
    /// - Parameters:
    ///   - isSecret: a file that others than its owner may read, or change, counts as damaged.
    ///   - followsLinks: a person writes the file, who may keep it elsewhere.
    package func read(isSecret: Bool = false, followsLinks: Bool = false) throws(ReadError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing : .damaged("can't be read: \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        if isSecret {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                throw .damaged("can't be looked at: \(systemMessage(errno))")
            }
            guard status.st_mode & 0o077 == 0 else { throw .damaged("is open to others than its owner") }
        }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .damaged("can't be read: \(systemMessage(errno))") }
            if count == 0 { return octets }
            octets += buffer[..<count]
            if octets.count > Self.limit { throw .damaged("is larger than 16 MiB") }
        }
    }

    /// The contents as text.
    package func readText(isSecret: Bool = false, followsLinks: Bool = false) throws(ReadError) -> String {
        let octets = try read(isSecret: isSecret, followsLinks: followsLinks)
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw .damaged("is no text")
        }
        return text
    }

    /// Puts the contents in the file's place. The errno where that fails; the old contents are there then.
    package func write(_ octets: [UInt8]) -> Int32? {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        var offset = 0
        while offset < octets.count {
            let count = octets[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                return code
            }
            offset += count
        }
        let isSynced = fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isSynced else { return code }
        return rename(temporary, path) == 0 ? nil : errno
    }

    /// Sets a file aside that can't be used, so that nothing is lost: under a name that nothing has yet. The path where
    /// it is now.
    @discardableResult
    package func setAside() -> String {
        var aside = path + ".damaged"
        var number = 2
        while access(aside, F_OK) == 0, number < 1000 {
            aside = path + ".damaged-\(number)"
            number += 1
        }
        rename(path, aside)
        return aside
    }

    /// Takes the file away.
    package func remove() { unlink(path) }
}
