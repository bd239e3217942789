internal import Foundation

/// A run loop and a mode that a stream is scheduled in.
///
/// `RunLoop` isn't `Sendable`, but what is done here with one from another thread is the one thing that may be: to have
/// it run something.
///
/// A run loop without anything to wait for returns at once; a stream that is scheduled in it is something. So each place
/// has a timer that is never due.
struct StreamPlace: Equatable, @unchecked Sendable {
    let runLoop: RunLoop
    let mode: RunLoop.Mode

    private var presence: Timer?

    init(runLoop: RunLoop, mode: RunLoop.Mode) {
        self.runLoop = runLoop
        self.mode = mode
    }

    /// Keeps the run loop waiting in its mode from now on.
    mutating func enter() {
        let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
        presence = timer
        runLoop.add(timer, forMode: mode)
    }

    /// The run loop needn't wait for this any more.
    func leave() { presence?.invalidate() }

    static func == (left: StreamPlace, right: StreamPlace) -> Bool {
        left.runLoop === right.runLoop && left.mode == right.mode
    }

    /// Runs the work on the thread of the first of the run loops that comes by in its mode.
    ///
    /// By timers that are due at once: a block that is handed to a run loop doesn't wake it on Linux, a timer does.
    static func perform(in places: [StreamPlace], _ work: @escaping @Sendable (StreamPlace) -> Void) {
        for place in places {
            let timer = Timer(timeInterval: 0, repeats: false) { _ in work(place) }
            place.runLoop.add(timer, forMode: place.mode)
        }
    }
}
