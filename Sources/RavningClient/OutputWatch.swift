import Foundation
import Glibc

/// Sees that nobody reads standard output any more also while there is nothing to write: `ravning scan | head -1` ends
/// with the first device, not with the second one.
enum OutputWatch {
    static func follow(into inbox: Inbox) {
        Thread.detachNewThread {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while true {
                let count = poll(&output, 1, -1)
                if count < 0, errno == EINTR { continue }
                // A descriptor that was never open is no reader that went away.
                guard count > 0, output.revents & Int16(POLLERR | POLLHUP) != 0 else { return }
                return inbox.put(.outputClosed)
            }
        }
    }
}
