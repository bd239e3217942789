import Glibc

/// Reads a non-blocking descriptor until nothing is left.
///
/// Every descriptor of ours is read by this. Reading once per wake-up isn't enough: after the other side has written and
/// closed, the wake-up may be the last one that comes, and what is still in the socket would be lost.
package struct DescriptorReader {
    /// Why a drain ended.
    package enum End: Equatable, Sendable {
        /// Nothing more is there at the moment.
        case empty
        /// The limit was reached; more may be there.
        case limit
        /// The other side closed; everything before was delivered.
        case closed
        case failed(Int32)
    }

    /// Octets to ask the kernel for at once.
    package static let chunkSize = 65_536
    private var chunk: [UInt8]

    package init() { chunk = [UInt8](repeating: 0, count: Self.chunkSize) }

    /// Hands what is there to `body`, chunk by chunk, until the descriptor is empty, closed or failed, or until about
    /// `limit` octets were read, so that one flooding peer can't keep others waiting.
    package mutating func drain(_ descriptor: Int32, limit: Int = 1 << 20, _ body: (RawSpan) -> Void) -> End {
        var total = 0
        while total < limit {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                total += count
                body(chunk.span.extracting(0..<count).bytes)
            } else if count == 0 {
                return .closed
            } else {
                switch errno {
                case EINTR: continue
                case EAGAIN: return .empty
                // A terminal whose other side is gone, and a socket whose peer died with unread octets.
                case EIO, ECONNRESET: return .closed
                case let code: return .failed(code)
                }
            }
        }
        return .limit
    }
}
