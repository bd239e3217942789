import Glibc

/// Octets on their way into a non-blocking byte stream: what the kernel doesn't take at once waits here.
package struct OutputBuffer {
    /// How a write ended.
    package enum End: Equatable, Sendable {
        /// Everything is with the kernel.
        case done
        /// The rest waits until the descriptor can be written.
        case blocked
        /// The other side closed.
        case closed
        case failed(Int32)
    }

    private var octets: [UInt8] = []
    private var head = 0
    /// Sockets are written with `send`, so that a closed peer is an error and not the signal SIGPIPE.
    private let isSocket: Bool

    package init(isSocket: Bool) { self.isSocket = isSocket }

    /// Octets that wait.
    package var count: Int { octets.count - head }

    package mutating func append(_ packet: [UInt8]) { octets += packet }

    /// Hands everything that waits to the kernel, in one system call where it takes it all.
    package mutating func flush(to descriptor: Int32) -> End {
        while count > 0 {
            let written = octets.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[head...])
                return isSocket
                    ? Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    : Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if written >= 0 {
                head += written
            } else {
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    compact()
                    return .blocked
                case EPIPE, ECONNRESET, EIO: return .closed
                case let code: return .failed(code)
                }
            }
        }
        octets.removeAll(keepingCapacity: octets.capacity <= Self.capacityKept)
        head = 0
        return .done
    }

    private static let capacityKept = 65_536

    /// Lets go of what was written once it is the larger part.
    private mutating func compact() {
        if head > octets.count / 2 {
            octets.removeFirst(head)
            head = 0
        }
    }
}
