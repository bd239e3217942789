import BLESimulator
import BLELocking

/// Devices whose inboxes have something in them, in the order in which that came about.
final class WakeUps: Sendable {
    private let waiting = Locked<[DeviceID]>([])

    func add(_ device: DeviceID) {
        waiting.withLock { devices in
            if !devices.contains(device) { devices.append(device) }
        }
    }

    func take() -> [DeviceID] {
        waiting.withLock { devices in
            guard !devices.isEmpty else { return [] }
            defer { devices = [] }
            return devices
        }
    }

    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }
}
