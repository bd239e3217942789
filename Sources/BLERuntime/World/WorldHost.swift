import BLELocking
package import BLESimulator

/// One device of a world that programs attach managers to: a backend whose controller is on the world's radio.
package final class WorldHost: HostDriver {
    package let id: DeviceID
    private let current: Locked<Device>
    private let delivery: WorldDelivery
    package let backend: HostBackend
    private let wakeUps: WakeUps

    init(id: DeviceID, device: Device, delivery: WorldDelivery, backend: HostBackend, wakeUps: WakeUps) {
        self.id = id
        current = Locked(device)
        self.delivery = delivery
        self.backend = backend
        self.wakeUps = wakeUps
    }

    /// What managers attach to: another one after the programs were killed.
    package var device: Device { current.withLock { $0 } }

    /// Ends what runs on the device as a kill does; managers made afterwards are those of a new run.
    package func killPrograms() {
        let old = current.withLock { current in
            let old = current
            current = Device(backend: backend, delivery: delivery, restoration: old.restoration)
            delivery.attach(current)
            return old
        }
        old.endProgram()
    }

    package func wake() { wakeUps.add(id) }
}
