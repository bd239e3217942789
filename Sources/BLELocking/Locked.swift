#if RAVNING_THREAD_SANITIZER
    import Glibc

    /// A value that is reached under its lock only: `Synchronization.Mutex`, with a lock that ThreadSanitizer sees.
    ///
    /// Swift's `Mutex` waits by futex inside its library, which isn't instrumented: where two threads contend for one, the
    /// sanitizer misses the hand-over and reports accesses that are both under the lock. It knows `pthread_mutex_t`, so
    /// the sanitized build uses that, and each of its reports counts.
    ///
    /// *Limits*: not recursive.
    package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        package init(_ value: consuming sending Value) {
            pthread_mutex_init(lock, nil)
            self.value.initialize(to: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#else
    package import Synchronization

    /// A value that is reached under its lock only. The sanitized build has another lock: see above.
    ///
    /// *Limits*: not recursive.
    package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

        @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    }
#endif
