import BLELocking
import CoreBluetooth
import Dispatch
import Foundation
import Ravning

/// What a command waits for.
enum Event: Sendable {
    case state(CBManagerState)
    case sighting(Sighting)
    case connected
    /// Periodic advertising: found, its data, and that it isn't followed any more.
    case following
    case periodic(PeriodicAdvertisingReport)
    case notFollowing(PeriodicAdvertisingError)
    case failed((any Error)?)
    case disconnected((any Error)?)
    case services((any Error)?)
    case includedServices(CBService, (any Error)?)
    case characteristics(CBService, (any Error)?)
    case descriptors(CBCharacteristic, (any Error)?)
    /// The value as it was when it came.
    case value(CBCharacteristic, Data, (any Error)?)
    case descriptorValue(CBDescriptor, [UInt8], (any Error)?)
    case written(CBCharacteristic, (any Error)?)
    case notifying(CBCharacteristic, (any Error)?)
    case rssi(Int, (any Error)?)
    /// There is room for writes without response again.
    case ready
    /// A pairing has come to a question. A person who is asked takes as long as it takes.
    case asking
    /// A pairing has ended; the text says why it failed.
    case paired(UUID, failure: String?)
    /// Of the peripheral role.
    case peripheral(PeripheralEvent)
    case signal(Int32)
    /// Nobody reads standard output any more.
    case outputClosed
}

/// Events from the queues that they come on to the one thread that a command runs on, in their order.
final class Inbox: Sendable {
    private struct Waiting {
        var events: [Event] = []
        /// Of the first one that wasn't taken.
        var first = 0
    }
    private let waiting = Locked(Waiting())
    private let count = DispatchSemaphore(value: 0)

    func put(_ event: Event) {
        waiting.withLock { $0.events.append(event) }
        count.signal()
    }

    /// The next event; nil where none came in time.
    func next(until deadline: DispatchTime) -> Event? {
        guard count.wait(timeout: deadline) == .success else { return nil }
        return waiting.withLock { waiting in
            let event = waiting.events[waiting.first]
            waiting.first += 1
            if waiting.first >= 1024 || waiting.first == waiting.events.count {
                waiting.events.removeFirst(waiting.first)
                waiting.first = 0
            }
            return event
        }
    }
}
