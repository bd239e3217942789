/// A transport that a loop waits for.
///
/// *Limits*: used on the loop's thread. Waits for writing only while octets wait.
package final class WatchedTransport {
    package let transport: any HCITransport
    package let token: WatchToken
    private let descriptors: WatchedDescriptors
    private var isWaitingToWrite = false

    /// nil where the descriptor can't be watched.
    package init?(_ transport: any HCITransport, _ descriptors: WatchedDescriptors) {
        guard let token = descriptors.add(transport.descriptor) else { return nil }
        self.transport = transport
        self.token = token
        self.descriptors = descriptors
    }

    /// To be called after each call of the transport.
    package func update() {
        guard transport.wantsWrite != isWaitingToWrite else { return }
        isWaitingToWrite.toggle()
        descriptors.setWaitsToWrite(isWaitingToWrite, transport.descriptor, token)
    }

    package func close() {
        unwatch()
        transport.close()
    }

    /// Leaves the transport open, and to itself.
    package func unwatch() { descriptors.remove(transport.descriptor) }
}
