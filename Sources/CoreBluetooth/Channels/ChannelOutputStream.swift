internal import BLEBackend
internal import Foundation

/// What goes to the peer of an L2CAP channel.
///
/// *Limits*: `write` never waits; there are no properties.
final class ChannelOutputStream: OutputStream {
    private let events: StreamEvents

    init(_ events: StreamEvents) {
        self.events = events
        super.init(toMemory: ())
        events.attach(self)
    }

    required init(toMemory: ()) {
        preconditionFailure("an L2CAP channel's stream isn't one to memory")
    }

    /// How many of the octets found room: 0 where there is none, −1 while it isn't open or once the channel has ended.
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        guard events.isOpen, events.pipe.end == nil else { return -1 }
        let count = events.pipe.write(Array(UnsafeBufferPointer(start: buffer, count: max(length, 0))))
        events.used()
        return count
    }

    override var hasSpaceAvailable: Bool { events.isOpen && events.pipe.room > 0 }

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
