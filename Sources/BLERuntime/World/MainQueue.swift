package import Dispatch

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
        guard QueueIdentity.isCurrent(.main) else { return DispatchQueue.main.sync {} }
        // Without a main thread of its own (`dispatchMain()`, async main) the main queue belongs to no thread, and the
        // call would stop the program.
        if currentThreadIdentifier() == processIdentifier() { dispatchMainQueueCallback(nil) }
    }
}

/// Tells which queue one runs on.
package enum QueueIdentity {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Makes the queue recognisable; needed once for each.
    package static func mark(_ queue: DispatchQueue) {
        queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    }

    /// Whether the code that asks runs on this queue, or on one that targets it.
    package static func isCurrent(_ queue: DispatchQueue) -> Bool {
        DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue)
    }
}
