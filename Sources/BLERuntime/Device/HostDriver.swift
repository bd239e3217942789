/// What drives a `HostBackend`: the engine of an adapter in real life, the world on virtual time.
package protocol HostDriver: AnyObject, Sendable {
    /// The backend has commands in its inbox: run `HostBackend.drain` soon. Callable from any thread.
    func wake()
}
