internal import BLEBackend
internal import Foundation

/// What comes from the peer of an L2CAP channel.
///
/// *Limits*: `read` never waits; there is no buffer to look into, and there are no properties.
final class ChannelInputStream: InputStream {
    private let events: StreamEvents

    init(_ events: StreamEvents) {
        self.events = events
        super.init(data: Data())
        events.attach(self)
    }

    /// The octets that have come, 0 where there are none or no more will come, −1 while it isn't open.
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard events.isOpen else { return -1 }
        let octets = events.pipe.read(length)
        octets.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { buffer.update(from: start, count: source.count) }
        }
        events.used()
        // Where it ended by a fault, that is told once everything before has been read.
        return octets.isEmpty && length > 0 && events.hasFailed ? -1 : octets.count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { events.isOpen && events.pipe.available > 0 }

    override func open() { events.open() }
    override func close() { events.close() }
    override var streamStatus: Stream.Status { events.status }
    override var streamError: (any Error)? { events.error }
    override var delegate: (any StreamDelegate)? {
        get { events.delegate }
        set { events.delegate = newValue }
    }
    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { events.schedule(in: runLoop, mode) }
    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { events.remove(from: runLoop, mode) }
}
