import BLEBackend
import BLEController
import BLERuntime
import BLESimulator
import BLEWire
public import Dispatch
public import Foundation

/// A place of its own for Bluetooth programs: virtual devices on a virtual radio, in virtual time.
///
/// Every packet between the devices is made and taken apart as on a real radio; only the clock isn't real. A test makes
/// a world, puts phones and peripherals into it, starts unmodified Core Bluetooth programs on the phones, and lets time
/// go by:
///
/// ```swift
/// let world = World(seed: 1)
/// let phone = world.addPhone("phone")
/// let program = phone.run { CentralProgram() }      // makes a CBCentralManager
/// #expect(world.run { program.isConnected })
/// world.advance(by: .seconds(30))
/// ```
///
/// Time moves only in ``advance(by:)`` and ``run(until:timeout:)``. Callbacks run on the queues that the programs
/// asked for, while time stands still and the caller waits. The same seed and the same calls give the same run, in any
/// process.
///
/// What a program puts on the main queue or on the queue of one of its managers has run before time moves on. Other
/// queues and tasks aren't waited for. A test that itself runs on the main actor holds the main queue: callbacks for it
/// come all the same, but what they put on it with `async` runs when the test ends.
public final class World: Sendable {
    let driver: WorldDriver
    let registry = DeviceRegistry()

    /// - Parameters:
    ///   - seed: what all that is random comes from: advertising delays, losses, channels.
    ///   - watchdog: how long one callback may take by the wall clock before it is named on standard error, since
    ///     nothing else can happen meanwhile.
    public init(seed: UInt64 = 1, watchdog: Duration = .seconds(5)) {
        driver = WorldDriver(seed: seed, watchdogLimit: UInt64(max(1, watchdog.delay.nanoseconds))) { report in
            FileHandle.standardError.write(Data("ravning world: \(report.text)\n".utf8))
        }
    }

    /// Calls the handler, on a thread of its own, in place of writing to standard error when a callback blocks the world.
    public func onBlockedCallback(_ handler: @escaping @Sendable (BlockedCallback) -> Void) {
        driver.watchdog.onReport { handler(BlockedCallback($0)) }
    }

    // MARK: Time

    /// Virtual time since the world began.
    public var now: Duration { Duration(driver.now) }

    /// The virtual time as a date: the world began at the start of 2001, UTC. For programs that take their clock as
    /// an argument.
    public var date: Date { Date(timeIntervalSinceReferenceDate: driver.now.seconds) }

    /// Lets time go by, and everything happen that is due.
    ///
    /// Not to be called from within a callback.
    public func advance(by duration: Duration) {
        driver.advance(to: driver.now + duration.delay)
    }

    /// Lets time go by until the condition holds, looking after each event.
    ///
    /// Not to be called from within a callback.
    /// - Parameter timeout: how much virtual time may go by.
    /// - Returns: whether the condition holds.
    @discardableResult
    public func run(until condition: () -> Bool, timeout: Duration = .seconds(60)) -> Bool {
        driver.run(to: driver.now + timeout.delay, until: condition)
    }

    /// Runs the work once, when so many seconds of virtual time have gone by.
    ///
    /// For programs that take their timers as arguments: `Timer` and `asyncAfter` don't know virtual time.
    /// - Parameter queue: where it runs; nil = on the thread that lets time go by.
    @discardableResult
    public func after(
        _ seconds: TimeInterval, on queue: DispatchQueue? = nil, _ work: @escaping @Sendable () -> Void
    ) -> WorldTimer {
        WorldTimer(driver: driver, period: nil, queue: queue, work: work, first: seconds)
    }

    /// Runs the work again and again, first when one period has gone by, until the timer is cancelled.
    @discardableResult
    public func every(
        _ seconds: TimeInterval, on queue: DispatchQueue? = nil, _ work: @escaping @Sendable () -> Void
    ) -> WorldTimer {
        WorldTimer(driver: driver, period: max(seconds, 0.000_001), queue: queue, work: work, first: seconds)
    }
}

/// A callback that keeps its world from going on.
public struct BlockedCallback: Sendable, CustomStringConvertible {
    /// The name of the device whose callback it is.
    public let device: String
    /// The delegate method, where one was called.
    public let callback: String?
    /// The label of the queue that it runs on; nil = the thread that lets time go by.
    public let queue: String?
    /// How many seconds it had run when it was found, by the wall clock.
    public let seconds: Double
    public let description: String

    init(_ report: Watchdog.Report) {
        device = report.owner
        callback = report.callback
        queue = report.queue
        seconds = report.seconds
        description = report.text
    }
}

extension Duration {
    /// Parts of a nanosecond are dropped.
    var delay: Delay {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return Delay(nanoseconds: overflow ? .max : nanoseconds &+ attoseconds / 1_000_000_000)
    }
}
