import BLEController
import BLERuntime
import BLESimulator
import BLEWire
public import Foundation

/// A device that sends data by periodic advertising to everybody who listens, and takes no connections.
///
/// A phone's program follows it by `CBCentralManager.followPeriodicAdvertising(of:)` of the module `Ravning`; a scan shows
/// it by its name, with the interval under `PeriodicAdvertising.intervalKey`.
public final class PeriodicBeacon: WorldDevice {
    public let name: String
    public let handle: DeviceHandle
    private let set: UInt8
    /// Units of 1.25 ms.
    private let interval: UInt16

    init(_ name: String, handle: DeviceHandle, set: Int, interval: Duration) {
        self.name = name
        self.handle = handle
        self.set = UInt8(min(max(set, 0), 15))
        self.interval = PhoneProfile.units(interval, of: 1_250_000, in: 6...0xFFFF)
    }

    /// Begins the train, and the advertisements that tell of it: every 100 ms, with the device's name.
    /// - Parameter data: AD structures by the rules, sent as they are; 1650 octets at most, more is cut off.
    public func start(data: Data) {
        send(HCIReset())
        send(LESetEventMask(mask: []))
        send(
            LESetExtendedAdvertisingParameters(
                properties: [], intervalMinimum: 160, intervalMaximum: 160, setIdentifier: set))
        var advertisement = ADBuilder()
        advertisement.appendFlags([.generalDiscoverable, .brEDRNotSupported])
        advertisement.appendName(name)
        send(LESetExtendedAdvertisingData(data: advertisement.octets))
        send(LESetPeriodicAdvertisingParameters(intervalMinimum: interval, intervalMaximum: interval))
        setFragments(Array(data.prefix(1650)))
        send(LESetPeriodicAdvertisingEnable(enable: 1))
        send(LESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(handle: 0)]))
    }

    /// Sends something else from the next event on: 252 octets at most, more is cut off, since longer data can't be
    /// changed while the train runs. [Vol 4, Part E, 7.8.62]
    public func setData(_ data: Data) { send(LESetPeriodicAdvertisingData(data: Array(data.prefix(252)))) }

    /// Ends the train and the advertisements.
    public func stop() { send(HCIReset()) }

    private func setFragments(_ data: [UInt8]) {
        let starts = Array(stride(from: 0, to: max(data.count, 1), by: 252))
        for start in starts {
            let operation: LEAdvertisingDataOperation =
                starts.count == 1
                ? .complete
                : start == 0 ? .firstFragment : start == starts.last ? .lastFragment : .intermediateFragment
            let part = Array(data[start..<min(start + 252, data.count)])
            send(LESetPeriodicAdvertisingData(operation: operation, data: part))
        }
    }

    private func send<Command: HCICommandPDU>(_ command: Command) {
        driver.edit { $0.receive(command.packet(), from: id, into: &$1) }
    }
}

extension World {
    /// Adds a device with periodic advertising, which runs.
    /// - Parameters:
    ///   - data: what it sends: AD structures by the rules, 1650 octets at most.
    ///   - interval: from one event to the next, 7.5 ms to 81.91875 s, in steps of 1.25 ms.
    ///   - set: the number of the advertising set (Advertising SID), 0 to 15.
    ///   - place: nil = one metre from every other device.
    @discardableResult
    public func addPeriodicBeacon(
        _ name: String, data: Data, interval: Duration = .milliseconds(100), set: Int = 0, at place: Place? = nil
    ) -> PeriodicBeacon {
        let id = driver.edit { simulation, _ in
            simulation.addDevice(ControllerProfile(address: simulation.freshAddress(for: name), name: name))
        }
        let handle = DeviceHandle(driver: driver, id: id, registry: registry)
        let beacon = PeriodicBeacon(name, handle: handle, set: set, interval: interval)
        registry.add(beacon)
        if let place { beacon.move(to: place) }
        beacon.start(data: data)
        return beacon
    }
}
