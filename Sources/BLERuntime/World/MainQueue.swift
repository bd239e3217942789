package import Dispatch
import BLELocking

// The two questions that the world has about the main thread have no answer in Dispatch's Swift module, and Foundation
// doesn't belong below the facade. All three functions are in libraries that every Swift program on Linux links.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func dispatchMainQueueCallback(_ unused: UnsafeMutableRawPointer?)
@_silgen_name("gettid") private func currentThreadIdentifier() -> Int32
@_silgen_name("getpid") private func processIdentifier() -> Int32

/// The main queue as a world needs it.
package enum MainQueue {
    /// Runs what waits on the main queue, where that can be done from here.
    ///
    /// From another queue: waits until the main queue has run it. From the main thread: runs it, as a run loop would.
    /// From a block that the main queue itself is running (a test on the main actor): it can't; what waits there runs
    /// when that block has ended. [architecture 3.4]
    package static func drain() {
        guard QueueIdentity.main.isCurrent else { return DispatchQueue.main.sync {} }
        // Without a main thread of its own (`dispatchMain()`, async main) the main queue belongs to no thread, and the
        // call would stop the program.
        if currentThreadIdentifier() == processIdentifier() { dispatchMainQueueCallback(nil) }
    }
}

/// Tells which queue one runs on, and which two are the same.
///
/// Not by the identity of the object: `DispatchQueue.main` is another one each time.
package struct QueueIdentity: Hashable, Sendable {
    private var number: UInt64

    private static let key = DispatchSpecificKey<QueueIdentity>()
    private static let last = Locked<UInt64>(0)

    /// The identity of a queue; the first call gives it one.
    package init(of queue: DispatchQueue) {
        self = Self.last.withLock { last in
            if let known = queue.getSpecific(key: Self.key) { return known }
            last += 1
            let fresh = QueueIdentity(number: last)
            queue.setSpecific(key: Self.key, value: fresh)
            return fresh
        }
    }

    private init(number: UInt64) { self.number = number }

    package static let main = QueueIdentity(of: .main)

    /// Whether the code that asks runs on this queue, or on one that targets it.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == self }
}
