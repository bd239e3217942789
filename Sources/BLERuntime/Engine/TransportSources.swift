import BLETransport
import Dispatch

/// Waits for a transport's descriptor with dispatch sources on a queue.
///
/// *Limits*: used on the queue. Waits for writing only while octets wait; the descriptor is closed when both sources are
/// gone, since a number that is given anew must not be watched by old sources.
final class TransportSources {
    let transport: any HCITransport
    private let queue: DispatchQueue
    private let read: any DispatchSourceRead
    private let write: any DispatchSourceWrite
    private var isWaitingToWrite = false
    private var isClosed = false

    init(
        _ transport: any HCITransport, on queue: DispatchQueue, readable: @escaping @Sendable () -> Void,
        writable: @escaping @Sendable () -> Void
    ) {
        self.transport = transport
        self.queue = queue
        read = DispatchSource.makeReadSource(fileDescriptor: transport.descriptor, queue: queue)
        write = DispatchSource.makeWriteSource(fileDescriptor: transport.descriptor, queue: queue)
        read.setEventHandler(handler: readable)
        write.setEventHandler(handler: writable)
        read.activate()
    }

    /// Waits for writing if octets wait, and not otherwise. To be called after each call of the transport.
    func update() {
        guard transport.wantsWrite != isWaitingToWrite, !isClosed else { return }
        isWaitingToWrite.toggle()
        if isWaitingToWrite { write.resume() } else { write.suspend() }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        let closing = QueueBound(confined: TwoStepClose(transport), on: queue)
        read.setCancelHandler { @Sendable in closing.value.step() }
        write.setCancelHandler { @Sendable in closing.value.step() }
        read.cancel()
        write.cancel()
        // A source that is suspended never runs its cancel handler.
        if !isWaitingToWrite { write.resume() }
    }
}

/// Closes a transport when both of its sources are gone.
private final class TwoStepClose {
    private let transport: any HCITransport
    private var steps = 0
    init(_ transport: any HCITransport) { self.transport = transport }
    func step() {
        steps += 1
        if steps == 2 { transport.close() }
    }
}
