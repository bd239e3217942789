import BLETransport
import Glibc

/// A lock that the kernel lets go of when its holder ends, however it ends: `flock` on a file of its own.
package final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// What became of an attempt.
    package enum Attempt {
        case taken(FileLock)
        /// Another holder has it.
        case held
        /// The file can't be opened.
        case failed(Int32)
    }

    /// Takes the lock if nobody has it, and writes into the file which process has it now.
    package static func attempt(_ path: String) -> Attempt {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { return .failed(errno) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            close(descriptor)
            return code == EWOULDBLOCK ? .held : .failed(code)
        }
        let holder = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        _ = write(descriptor, holder, holder.count)
        return .taken(FileLock(descriptor: descriptor))
    }

    /// Whether somebody has the lock.
    package static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
