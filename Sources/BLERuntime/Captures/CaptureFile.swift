import BLEBackend
import BLETransport
import BLEWire
import Glibc

/// A file that a capture is appended to, a whole record in each write: a program that is killed cuts its last one at
/// most.
///
/// *Threading*: used by one thread of control at a time.
final class CaptureFile {
    private let path: String
    private let descriptor: Int32
    /// The first failure is said, and ends the capture; the program goes on.
    private var hasFailed = false

    /// Makes the file anew.
    init(_ path: String, header: [UInt8]) throws(TransportError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw TransportError(
                .unsupported, layer: "capture", cause: "\(path) can't be written: \(systemMessage(errno))",
                remedy: "name a file in a folder that is there and yours")
        }
        append(header)
    }

    deinit { close(descriptor) }

    func append(_ octets: [UInt8]) {
        var offset = 0
        while !hasFailed, offset < octets.count {
            let count = octets[offset...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 {
                hasFailed = true
                let cause = systemMessage(errno)
                Diagnostics.emit(
                    TraceEvent(.error, "capture", "\(path) can't be written: \(cause); the capture ends here"))
            } else {
                offset += count
            }
        }
    }
}

/// The wall clock, for what goes into capture files: nanoseconds since 1 January 1970.
func unixNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
