package import BLESimulator

/// One device of a world that programs attach managers to: a backend whose controller is on the world's radio.
package final class WorldHost: HostDriver {
    package let id: DeviceID
    package let device: Device
    let backend: HostBackend
    private let wakeUps: WakeUps

    init(id: DeviceID, device: Device, backend: HostBackend, wakeUps: WakeUps) {
        self.id = id
        self.device = device
        self.backend = backend
        self.wakeUps = wakeUps
    }

    package func wake() { wakeUps.add(id) }
}
