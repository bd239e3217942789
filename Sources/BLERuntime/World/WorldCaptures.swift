import BLEController
import BLESimulator
import BLETransport
import BLEWire
import Synchronization

/// Files that a world writes what passes in it to, in virtual time: the world began with 2001, UTC.
struct WorldCaptures {
    private var hci: [DeviceID: HCICapture] = [:]
    private var air: AirCaptureFile?
    private let clock = CaptureClock()

    /// 1 January 2001, in nanoseconds since 1970.
    private static let beginning: Int64 = 978_307_200_000_000_000

    mutating func captureHCI(
        of device: DeviceID, to path: String, onFailure: @escaping @Sendable (String) -> Void
    ) throws(TransportError) {
        hci[device] = nil
        let clock = clock
        hci[device] = try HCICapture(path: path, now: { clock.unixNanoseconds }, onFailure: onFailure)
    }

    mutating func captureAir(to path: String, keys: String?) throws(TransportError) {
        air = nil
        air = try AirCaptureFile(path: path, keys: keys)
    }

    mutating func stopHCI(of device: DeviceID) { hci[device] = nil }
    mutating func stopAir() { air = nil }

    func record(_ packet: [UInt8], _ direction: CaptureDirection, of device: DeviceID, at time: Instant) {
        guard let capture = hci[device] else { return }
        clock.unixNanoseconds = Self.beginning + time.nanoseconds
        capture.record([packet], direction == .toHost ? .controllerToHost : .hostToController)
    }

    func record(_ keys: SessionKeys) { air?.record(keys) }

    func record(_ packet: AirPacket) {
        air?.record([(Self.beginning + packet.time.nanoseconds, packet)])
    }

    private final class CaptureClock: Sendable {
        private let stored = Atomic<Int64>(0)
        var unixNanoseconds: Int64 {
            get { stored.load(ordering: .relaxed) }
            set { stored.store(newValue, ordering: .relaxed) }
        }
    }
}
