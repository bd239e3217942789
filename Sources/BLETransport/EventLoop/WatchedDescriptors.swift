import CLinuxSupport
import Glibc

/// The descriptors that a loop waits for.
///
/// *Limits*: used on the loop's thread. A descriptor is to be removed before it's closed.
package final class WatchedDescriptors {
    private let poller: Int32
    private var lastToken: UInt64 = 0
    private var ready = [cls_ready](repeating: cls_ready(), count: 64)

    init() { poller = cls_poller_open() }

    deinit { close(poller) }

    /// Waits for the descriptor to become readable from now on; nil where it can't be watched.
    package func add(_ descriptor: Int32) -> WatchToken? {
        lastToken += 1
        return cls_poller_add(poller, descriptor, lastToken, 0) == 0 ? WatchToken(rawValue: lastToken) : nil
    }

    /// Whether to wait until it can be written, too.
    package func setWaitsToWrite(_ waits: Bool, _ descriptor: Int32, _ token: WatchToken) {
        cls_poller_change(poller, descriptor, token.rawValue, waits ? 1 : 0)
    }

    package func remove(_ descriptor: Int32) { cls_poller_remove(poller, descriptor) }

    /// Waits, at most so many nanoseconds (negative = without end), and hands over what is ready.
    func wait(nanoseconds: Int64, _ body: (WatchToken, _ readable: Bool, _ writable: Bool) -> Void) {
        let count = cls_poller_wait(poller, nanoseconds, &ready, Int32(ready.count))
        for index in 0..<Int(max(count, 0)) {
            let one = ready[index]
            body(WatchToken(rawValue: one.token), one.readable != 0, one.writable != 0)
        }
    }
}
