package import BLEBackend

/// A Bluetooth device that managers attach to: a backend and how its callbacks reach the program.
///
/// On a phone there is one; here it is the process's (from `RAVNING_ADAPTER`), or one of a world's.
package final class Device: Sendable {
    package let backend: any Backend
    package let delivery: any Delivery

    package init(backend: any Backend, delivery: any Delivery) {
        self.backend = backend
        self.delivery = delivery
    }

    /// The device that a world's `phone.run { … }` attaches managers to.
    @TaskLocal package static var attached: Device?
}
