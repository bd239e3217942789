internal import BLEBackend
internal import BLERuntime
internal import Foundation

/// The state of one stream of an L2CAP channel, and what its delegate is told.
///
/// *Role*: `.openCompleted` once; `.hasBytesAvailable` or `.hasSpaceAvailable` when there is something, and again only
/// after the program has read or written; `.endEncountered` or `.errorOccurred` once, and not before everything has been
/// read. [contract 121]
///
/// *Threading*: events come on the thread of the run loop that the stream is scheduled in, one a pass. In a world they
/// come in their place in virtual time: on the thread that runs the world where that is the run loop's, on the main
/// queue where it is the main run loop's. Everything may be called from any thread.
final class StreamEvents: ChannelObserver {
    enum Direction { case input, output }

    let pipe: ChannelPipe
    private let direction: Direction
    private let delivery: any Delivery
    private let closing: ChannelClosing
    private let storage = Guarded(Storage())

    private struct Storage {
        weak var stream: Stream?
        weak var delegate: (any StreamDelegate)?
        var phase = Phase.notOpen
        var places: [StreamPlace] = []
        var hasToldOpening = false
        var hasToldEnd = false
        /// There may be an event for what can be read or written: nothing was told since the program's last call.
        var isArmed = true
        /// A look is on its way.
        var isLooking = false
    }
    private enum Phase { case notOpen, open, closed }

    init(_ direction: Direction, _ pipe: ChannelPipe, _ delivery: any Delivery, _ closing: ChannelClosing) {
        self.direction = direction
        self.pipe = pipe
        self.delivery = delivery
        self.closing = closing
        pipe.add(self)
    }

    deinit {
        for place in storage.value.places { place.leave() }
    }

    func attach(_ stream: Stream) { storage.withLock { $0.stream = stream } }

    // MARK: What the stream answers

    var isOpen: Bool { storage.withLock { $0.phase == .open } }

    var hasFailed: Bool {
        if case .failed = pipe.end { true } else { false }
    }

    var error: (any Error)? {
        guard isOpen, case .failed(let error) = pipe.end else { return nil }
        return FrameworkError.make(error)
    }

    var status: Stream.Status {
        switch storage.withLock({ $0.phase }) {
        case .notOpen: .notOpen
        case .closed: .closed
        case .open:
            switch pipe.end {
            case nil: .open
            // What has come can still be read.
            case _ where direction == .input && pipe.available > 0: .open
            case .closed: .atEnd
            case .failed: .error
            }
        }
    }

    var delegate: (any StreamDelegate)? {
        get { storage.withLock { $0.delegate } }
        set {
            storage.withLock { $0.delegate = newValue }
            channelChanged()
        }
    }

    // MARK: What the program does

    func open() {
        storage.withLock { if $0.phase == .notOpen { $0.phase = .open } }
        channelChanged()
    }

    func close() {
        let wasClosed = storage.withLock { storage in
            defer { storage.phase = .closed }
            // As on Apple's platforms, closing takes the stream out of its run loops.
            for place in storage.places { place.leave() }
            storage.places = []
            return storage.phase == .closed
        }
        if !wasClosed { closing.streamClosed() }
    }

    /// The program has read or written: what is there from now on is worth an event again.
    func used() {
        storage.withLock { $0.isArmed = true }
        channelChanged()
    }

    func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) {
        storage.withLock { storage in
            var place = StreamPlace(runLoop: runLoop, mode: mode)
            guard storage.phase != .closed, !storage.places.contains(place) else { return }
            place.enter()
            storage.places.append(place)
        }
        channelChanged()
    }

    func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
        storage.withLock { storage in
            let place = StreamPlace(runLoop: runLoop, mode: mode)
            for left in storage.places where left == place { left.leave() }
            storage.places.removeAll { $0 == place }
        }
    }

    // MARK: Events

    /// Has the run loop look, if there is something to tell and it isn't about to look already.
    func channelChanged() {
        let places = storage.withLock { storage -> [StreamPlace] in
            guard !storage.isLooking, storage.delegate != nil, !storage.places.isEmpty, next(storage) != nil else {
                return []
            }
            storage.isLooking = true
            return storage.places
        }
        guard let first = places.first else { return }
        let isMain = first.runLoop === RunLoop.main
        let isOnItsWay = delivery.deliverInPlace(on: isMain ? .main : nil) { self.lookInWorld() }
        if !isOnItsWay { StreamPlace.perform(in: places) { self.look(in: $0) } }
    }

    /// In a world: here, if this is the run loop's thread, else there as soon as it comes by.
    private func lookInWorld() {
        let places = storage.withLock { $0.places }
        if let here = places.first(where: { $0.runLoop === RunLoop.current }) { return look(in: here) }
        if places.isEmpty {
            storage.withLock { $0.isLooking = false }
        } else {
            StreamPlace.perform(in: places) { self.look(in: $0) }
        }
    }

    /// Tells the delegate the next event.
    private func look(in place: StreamPlace) {
        let told = storage.withLock { storage -> (Stream, any StreamDelegate, Stream.Event)? in
            guard storage.isLooking else { return nil }
            storage.isLooking = false
            guard storage.places.contains(place), let stream = storage.stream, let delegate = storage.delegate,
                let event = next(storage)
            else { return nil }
            switch event {
            case .openCompleted: storage.hasToldOpening = true
            case .endEncountered, .errorOccurred: storage.hasToldEnd = true
            default: storage.isArmed = false
            }
            return (stream, delegate, event)
        }
        if let (stream, delegate, event) = told {
            delivery.willCall("stream(_:handle:)")
            delegate.stream(stream, handle: event)
        }
        channelChanged()
    }

    /// What is to be told next.
    private func next(_ storage: borrowing Storage) -> Stream.Event? {
        guard storage.phase == .open else { return nil }
        if !storage.hasToldOpening { return .openCompleted }
        let end = pipe.end
        switch direction {
        case .input where pipe.available > 0: return storage.isArmed ? .hasBytesAvailable : nil
        case .output where end == nil && pipe.room > 0: return storage.isArmed ? .hasSpaceAvailable : nil
        default: break
        }
        guard let end, !storage.hasToldEnd else { return nil }
        return end == .closed ? .endEncountered : .errorOccurred
    }
}
