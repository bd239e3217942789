import BLEController
import BLEHost
import BLESimulator
import BLEWire
public import CoreBluetooth

/// What a virtual peripheral is: what it advertises, what it offers, and how it answers.
///
/// A value that is built up by its methods, then put into a world as often as one likes:
///
/// ```swift
/// let thermometer = VirtualPeripheral("Thermometer")
///     .advertising(services: [CBUUID(string: "1809")])
///     .service(
///         CBUUID(string: "1809"),
///         VirtualCharacteristic(CBUUID(string: "2A1C"), [.read, .notify], value: Data([0, 0, 0, 0, 0]))
///             .notifying(every: .seconds(1)))
/// let device = world.addPeripheral(thermometer)
/// ```
public struct VirtualPeripheral: Sendable {
    let name: String
    var advertisement: VirtualAdvertisement?
    var services: [(uuid: BluetoothUUID, isPrimary: Bool, characteristics: [VirtualCharacteristic])] = []
    var mtu = 247
    var dataLength = 251
    var uses2M = true
    var links = 1
    var advertisesWhileConnected = false
    var pairing = PairingBehaviour.sensor
    var onConnect: (@Sendable (PeripheralDevice) -> Void)?
    var onDisconnect: (@Sendable (PeripheralDevice) -> Void)?

    /// - Parameter name: what it is called in the world and as its GAP Device Name.
    public init(_ name: String) { self.name = name }

    private func with(_ change: (inout VirtualPeripheral) -> Void) -> VirtualPeripheral {
        var copy = self
        change(&copy)
        return copy
    }

    /// Advertises from the start, and again when a link has ended. Without it, it advertises nothing until
    /// ``PeripheralDevice/startAdvertising()``.
    ///
    /// What doesn't fit the 31 octets of the advertisement goes to the scan response; what doesn't fit there is left
    /// out: the name first, then the rest from behind.
    /// - Parameters:
    ///   - localName: nil = the peripheral's name, "" = none.
    ///   - interval: 20 ms to 10.24 s in steps of 0.625 ms. [Vol 6, Part B, 4.4.2.2]
    public func advertising(
        localName: String? = nil, services: [CBUUID] = [], manufacturerData: Data? = nil,
        serviceData: [CBUUID: Data] = [:], txPower: Int? = nil, interval: Duration = .milliseconds(100)
    ) -> VirtualPeripheral {
        with {
            $0.advertisement = VirtualAdvertisement(
                localName: localName ?? name, services: services, manufacturerData: manufacturerData,
                serviceData: serviceData, txPower: txPower, interval: interval)
        }
    }

    /// It can't be connected to.
    public func nonConnectable() -> VirtualPeripheral { with { $0.links = 0 } }

    /// How many centrals may be connected at a time, and whether it advertises while there is room. One by default.
    public func connectable(links: Int) -> VirtualPeripheral {
        with {
            $0.links = max(0, links)
            $0.advertisesWhileConnected = links > 1
        }
    }

    /// The ATT_MTU it names, 23 to 517 octets [Vol 3, Part F, 3.4.2]; the longest payload of a packet, 27 to 251
    /// octets [Vol 6, Part B, 4.5.10]; and whether it knows the 2M PHY.
    public func limits(mtu: Int = 247, dataLength: Int = 251, uses2M: Bool = true) -> VirtualPeripheral {
        with {
            $0.mtu = min(max(mtu, 23), 517)
            $0.dataLength = min(max(dataLength, 27), 251)
            $0.uses2M = uses2M
        }
    }

    /// Offers a service behind those before.
    public func service(
        _ uuid: CBUUID, primary isPrimary: Bool = true, _ characteristics: VirtualCharacteristic...
    ) -> VirtualPeripheral {
        with { $0.services.append((BluetoothUUID(uuid), isPrimary, characteristics)) }
    }

    /// Called when a central has connected, and when a link has ended.
    public func onConnection(
        _ connected: (@Sendable (PeripheralDevice) -> Void)? = nil,
        ended: (@Sendable (PeripheralDevice) -> Void)? = nil
    ) -> VirtualPeripheral {
        with {
            $0.onConnect = connected
            $0.onDisconnect = ended
        }
    }

    // MARK: What the simulation needs

    var profile: LightPeripheralProfile {
        var profile = LightPeripheralProfile()
        profile.services = services.map { service in
            .init(
                uuid: service.uuid, isPrimary: service.isPrimary,
                characteristics: service.characteristics.map(\.profile))
        }
        profile.advertising = advertisement.map { $0.settings(isConnectable: links > 0) }
        return profile
    }

    var configuration: HostConfiguration {
        var configuration = HostConfiguration()
        configuration.deviceName = name
        configuration.preferredMTU = mtu
        configuration.advertising.continuesAfterConnection = advertisesWhileConnected
        configuration.pairing = pairing.policy
        return configuration
    }

    func controller(address: DeviceAddress) -> ControllerProfile {
        var controller = ControllerProfile(address: address, name: name)
        controller.maximumDataLength = dataLength
        controller.supports2M = uses2M
        controller.maximumLinks = max(1, links)
        controller.maximumLinksAsPeripheral = max(1, links)
        return controller
    }
}

extension BluetoothUUID {
    init(_ uuid: CBUUID) { self = BluetoothUUID(bigEndian: uuid.data) ?? BluetoothUUID(full: 0) }
}
