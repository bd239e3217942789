import Glibc
import BLELocking

/// A file that captures are written to, whole records at a time.
///
/// Nothing is held back: each call is one write, so a program that is killed loses at most the record that it was writing.
/// The file is locked; a second program that is told to write the same one is refused, since both would spoil it.
package final class CaptureFile: Sendable {
    package let path: String
    private let descriptor: Int32
    private let onFailure: @Sendable (String) -> Void
    private let hasFailed = Locked(false)

    /// Makes the file, or empties the one that is there.
    /// - Parameter onFailure: told once why nothing is written any more: after a failure the file would have a hole.
    package init(
        path: String, header: [UInt8], onFailure: @escaping @Sendable (String) -> Void
    ) throws(TransportError) {
        self.path = path
        self.onFailure = onFailure
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            throw TransportError(
                .unsupported, layer: "RAVNING_CAPTURE", cause: "\(path) can't be written: \(systemMessage(errno))",
                remedy: "name a file in a folder of yours")
        }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            throw TransportError(
                .unsupported, layer: "RAVNING_CAPTURE", cause: "another program is writing \(path)",
                remedy: "give each program a file of its own")
        }
        ftruncate(descriptor, 0)
        append(header)
    }

    deinit { close(descriptor) }

    package func append(_ octets: [UInt8]) {
        let failure: Int32? = hasFailed.withLock { hasFailed in
            var rest = octets[...]
            while !rest.isEmpty, !hasFailed {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    hasFailed = true
                    return errno
                }
            }
            return nil
        }
        if let failure { onFailure("\(path) can't be written: \(systemMessage(failure)); the capture ends here") }
    }
}

/// The wall clock: nanoseconds since 1 January 1970.
package func unixNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
