import CLinuxSupport
import Glibc

/// What an attempt to accept a connection came to.
package enum Accepted: Equatable, Sendable {
    /// A connection: its descriptor doesn't block.
    case connection(Int32)
    /// Nobody waits.
    case none
    /// No connection can be taken, for want of descriptors mostly.
    case failed(Int32)
}

/// Accepts one connection of those that wait at a listening socket.
package func acceptConnection(_ listener: Int32) -> Accepted {
    while true {
        let descriptor = cls_accept(listener)
        switch -descriptor {
        case ...0: return .connection(descriptor)
        // It waited, and is gone again.
        case EINTR, ECONNABORTED: continue
        case EAGAIN: return .none
        case let code: return .failed(code)
        }
    }
}

/// Whether the program at the other end of a unix socket belongs to the user of this one, or to root; else whose it is.
package func isOurUsers(_ descriptor: Int32) -> (Bool, user: UInt32) {
    var user: uid_t = 0
    guard cls_peer_user(descriptor, &user) == 0 else { return (false, user) }
    return (user == geteuid() || user == 0, user)
}
