import BLEHost
import BLERuntime
import BLESimulator
import BLEWire
public import CoreBluetooth
import BLELocking

/// A ``VirtualPeripheral`` in a ``World``.
public final class PeripheralDevice: WorldDevice {
    public let name: String
    public let handle: DeviceHandle
    private let peripheral: VirtualPeripheral
    private let characteristics: [VirtualCharacteristic]

    init(handle: DeviceHandle, peripheral: VirtualPeripheral) {
        self.handle = handle
        self.peripheral = peripheral
        name = peripheral.name
        characteristics = peripheral.services.flatMap(\.characteristics)
    }

    /// How many centrals are connected.
    public var connections: Int { driver.read { $0.peripheral(of: id)?.connectedLinks.count ?? 0 } }
    /// Whether a central is connected.
    public var isConnected: Bool { connections > 0 }

    // MARK: Values

    /// The value that is kept.
    /// - Parameter service: needed where several services have a characteristic of this UUID.
    public func value(of characteristic: CBUUID, in service: CBUUID? = nil) -> Data? {
        guard let index = index(of: characteristic, in: service) else { return nil }
        return driver.read { Data($0.peripheral(of: id)?.values[index] ?? []) }
    }

    /// Changes the value that is kept, telling nobody.
    public func setValue(_ value: Data, of characteristic: CBUUID, in service: CBUUID? = nil) {
        guard let index = index(of: characteristic, in: service) else { return }
        driver.edit { simulation, _ in simulation.setValue(Array(value), of: index, on: id) }
    }

    /// Changes the value and sends it to everyone who subscribed: notified, or indicated where only that was asked for.
    /// More than ATT_MTU - 3 octets are cut off on the way.
    public func notify(_ value: Data, of characteristic: CBUUID, in service: CBUUID? = nil) {
        guard let index = index(of: characteristic, in: service) else { return }
        driver.edit { $0.notify(Array(value), of: index, on: id, into: &$1) }
    }

    /// How many centrals subscribed to the characteristic.
    public func subscribers(of characteristic: CBUUID, in service: CBUUID? = nil) -> Int {
        guard let index = index(of: characteristic, in: service) else { return 0 }
        return driver.read { $0.peripheral(of: id)?.subscribers(of: index).count ?? 0 }
    }

    private func index(of characteristic: CBUUID, in service: CBUUID?) -> Int? {
        var position = 0
        for candidate in peripheral.services {
            let isMeant = service.map { BluetoothUUID($0) == candidate.uuid } ?? true
            for (offset, one) in candidate.characteristics.enumerated()
            where isMeant && one.uuid == BluetoothUUID(characteristic) {
                return position + offset
            }
            position += candidate.characteristics.count
        }
        return nil
    }

    // MARK: Advertising, links, power

    /// Advertises from now on as before.
    public func startAdvertising() { driver.edit { $0.startAdvertising(nil, on: id, into: &$1) } }

    /// Advertises something else from now on.
    public func startAdvertising(
        localName: String? = nil, services: [CBUUID] = [], manufacturerData: Data? = nil,
        serviceData: [CBUUID: Data] = [:], txPower: Int? = nil, interval: Duration = .milliseconds(100)
    ) {
        let advertisement = VirtualAdvertisement(
            localName: localName ?? name, services: services, manufacturerData: manufacturerData,
            serviceData: serviceData, txPower: txPower, interval: interval)
        let settings = advertisement.settings(isConnectable: peripheral.links > 0)
        driver.edit { $0.startAdvertising(settings, on: id, into: &$1) }
    }

    /// Stops advertising until ``startAdvertising()``; links stay.
    public func stopAdvertising() { driver.edit { $0.stopAdvertising(on: id, into: &$1) } }

    /// Ends the links with every central.
    public func disconnect() { driver.edit { $0.disconnectAll(id, into: &$1) } }

    /// Switches the device on.
    public func powerOn() { apply(.power(id, true)) }
    /// Switches the device off: its links are lost, as when a battery is taken out.
    public func powerOff() { apply(.power(id, false)) }

    // MARK: What happens to it

    func handle(_ event: LightPeripheralEvent) {
        switch event {
        case .connected: peripheral.onConnect?(self)
        case .disconnected: peripheral.onDisconnect?(self)
        case .readRequested(let link, let request, let index, let offset):
            let result = answer { try characteristics[index].reads?(self) ?? Data() }
            driver.edit {
                $0.answerRead(id, link, request, offset: offset, result.map(Array.init), into: &$1)
            }
        case .writeRequested(let link, let request, let writes, let needsResponse):
            var result = ATTErrorCode.success
            for (index, value) in merged(writes) {
                if case .failure(let failure) = answer({ try characteristics[index].writes?(self, value) ?? () }) {
                    result = failure.code
                    break
                }
            }
            driver.edit {
                $0.answerWrite(id, link, request, writes, needsResponse: needsResponse, result, into: &$1)
            }
        case .subscriptionChanged(_, let index, let configuration):
            characteristics[index].subscriptions?(self, !configuration.isEmpty)
        case .written, .valueSent, .serviceRefused: break
        }
    }

    private func answer<Value>(_ body: () throws -> Value) -> Result<Value, ATTErrorCode.Failure> {
        do {
            return .success(try body())
        } catch let error as CBATTError {
            return .failure(.init(ATTErrorCode(rawValue: UInt8(truncatingIfNeeded: error.code.rawValue))))
        } catch {
            return .failure(.init(.unlikelyError))
        }
    }

    /// The values that writes would leave, one for each characteristic, in the order of the first write.
    private func merged(_ writes: [LightPeripheralEvent.Write]) -> [(Int, Data)] {
        var values: [(Int, Data)] = []
        for write in writes {
            let position = values.firstIndex { $0.0 == write.characteristic }
            var value =
                position.map { values[$0].1 }
                ?? driver.read { Data($0.peripheral(of: id)?.values[write.characteristic] ?? []) }
            value = value.prefix(write.offset) + Data(write.value)
            if let position {
                values[position].1 = value
            } else {
                values.append((write.characteristic, value))
            }
        }
        return values
    }
}

extension World {
    /// Adds a peripheral that plays itself, switched on.
    /// - Parameter place: nil = one metre from every other device.
    @discardableResult
    public func addPeripheral(_ peripheral: VirtualPeripheral, at place: Place? = nil) -> PeripheralDevice {
        let found = WeakPeripheral()
        let id = driver.addPeripheral(
            name: peripheral.name, peripheral.profile, configuration: peripheral.configuration,
            controller: { peripheral.controller(address: $0) }, handler: { found.device?.handle($0) })
        let handle = DeviceHandle(driver: driver, id: id, registry: registry)
        let device = PeripheralDevice(handle: handle, peripheral: peripheral)
        found.device = device
        registry.add(device)
        if let place { device.move(to: place) }
        return device
    }

    /// Lets a device's events find it. Weak, or a world would keep itself.
    private final class WeakPeripheral: Sendable {
        private struct Reference { weak var device: PeripheralDevice? }
        private let stored = Locked(Reference())
        var device: PeripheralDevice? {
            get { stored.withLock { $0.device } }
            set { stored.withLock { $0.device = newValue } }
        }
    }
}
