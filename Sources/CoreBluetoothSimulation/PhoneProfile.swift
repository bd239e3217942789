import BLEController
import BLEHost
import BLERuntime
import BLEWire

/// How a virtual phone behaves where nothing in Core Bluetooth can set it. The defaults are like a current iPhone's.
public struct PhoneProfile: Equatable, Sendable {
    /// The GAP Device Name that others read; nil = the phone's name in its world.
    public var deviceName: String?
    /// The ATT_MTU that the phone offers and asks for, in octets, 23 to 517. [Vol 3, Part F, 3.4.2]
    public var mtu = 517
    /// Whether the phone asks for the exchange of the MTU after connecting.
    public var exchangesMTU = true
    /// The longest payload of a packet on a link, in octets, 27 to 251. [Vol 6, Part B, 4.5.10]
    public var dataLength = 251
    /// Whether the 2M PHY is there, and asked for after connecting. [Vol 6, Part B, 4.6.9]
    public var uses2M = true
    /// Whether the phone's controller has extended and periodic advertising. [Vol 6, Part B, 4.6.10]
    public var usesExtendedAdvertising = true
    /// The connection interval that is asked for, 7.5 ms to 4 s in steps of 1.25 ms. [Vol 6, Part B, 4.5.1]
    public var connectionInterval: Duration = .milliseconds(30)
    /// Connection events that the peripheral may leave out, 0 to 499. [Vol 6, Part B, 4.5.1]
    public var peripheralLatency = 0
    /// Silence after which a link is lost, 100 ms to 32 s in steps of 10 ms. [Vol 6, Part B, 4.5.2]
    public var supervisionTimeout: Duration = .milliseconds(720)
    /// The interval of advertising events, 20 ms to 10.24 s in steps of 0.625 ms. [Vol 6, Part B, 4.4.2.2]
    public var advertisingInterval: Duration = .milliseconds(100)
    /// Whether a phone that a central has connected to goes on advertising, as far as it has links.
    public var advertisesWhileConnected = true
    /// Whether strangers see private addresses only, a new one every `privateAddressLifetime`, as with an iPhone. Off, so
    /// that a phone is found at the same address all the time. [Vol 3, Part C, 10.7]
    public var usesPrivateAddresses = false
    /// How long a private address is used, 1 s to 1 h.
    public var privateAddressLifetime: Duration = .seconds(900)
    /// Octets of an advertisement that programs may fill, headers included, beside the flags.
    public var advertisementRoom = 28
    /// Links that the phone's controller can have in all.
    public var links = 20
    /// Links that it can have in the central role.
    public var linksAsCentral = 20
    /// Links that it can have in the peripheral role.
    public var linksAsPeripheral = 20
    /// Packets from the host that the controller holds for all links. [Vol 4, Part E, 7.8.2]
    public var controllerBuffers = 8
    /// Octets of such a packet.
    public var controllerBufferLength = 251
    /// Updates of subscribers that may wait before `updateValue` is false.
    public var updateQueueDepth = 20
    /// Writes without response that may wait before `canSendWriteWithoutResponse` is false, for each link.
    public var writeQueueDepth = 20
    /// Octets of the longest piece that a peer may send over an L2CAP channel at once, 23 to 65,535.
    /// [Vol 3, Part A, 4.22]
    public var channelMTU = 2048
    /// Octets that a program may write to an L2CAP channel before the first of them went to the host.
    public var channelRoom = 16_384

    /// A phone with the defaults.
    public init() {}

    /// The limits that tutorials give: seven links as central, one as peripheral.
    public static var sevenLinks: PhoneProfile {
        var profile = PhoneProfile()
        profile.links = 8
        profile.linksAsCentral = 7
        profile.linksAsPeripheral = 1
        return profile
    }

    /// An old phone: Bluetooth 4.0, packets of 27 octets at 1M, ATT_MTU 23.
    public static var bluetooth4: PhoneProfile {
        var profile = PhoneProfile()
        profile.mtu = 23
        profile.exchangesMTU = false
        profile.dataLength = 27
        profile.uses2M = false
        profile.usesExtendedAdvertising = false
        profile.controllerBufferLength = 27
        return profile
    }

    /// The host's side.
    var settings: BLERuntime.PhoneProfile {
        var settings = BLERuntime.PhoneProfile()
        if let deviceName { settings.deviceName = deviceName }
        settings.mtu = min(max(mtu, 23), 517)
        settings.exchangesMTU = exchangesMTU
        settings.requestsDataLength = dataLength > 27
        settings.preferredPHYs = uses2M ? .le2M : nil
        settings.connection.intervalMinimum = Self.units(connectionInterval, of: 1_250_000, in: 6...3200)
        settings.connection.intervalMaximum = settings.connection.intervalMinimum
        settings.connection.latency = UInt16(clamping: min(max(peripheralLatency, 0), 499))
        settings.connection.supervisionTimeout = Self.units(supervisionTimeout, of: 10_000_000, in: 10...3200)
        settings.advertisingInterval = Self.units(advertisingInterval, of: 625_000, in: 32...16384)
        settings.advertisesWhileConnected = advertisesWhileConnected
        settings.usesPrivateAddresses = usesPrivateAddresses
        settings.privateAddressLifetime = privateAddressLifetime.delay
        settings.advertisementRoom = advertisementRoom
        settings.updateQueueDepth = max(1, updateQueueDepth)
        settings.writeQueueDepth = max(1, writeQueueDepth)
        settings.channels.mtu = min(max(channelMTU, 23), 0xFFFF)
        settings.channelRoom = max(1, channelRoom)
        return settings
    }

    /// The controller's side.
    func controller(address: DeviceAddress, name: String) -> ControllerProfile {
        var controller = ControllerProfile(address: address, name: name)
        controller.maximumDataLength = min(max(dataLength, 27), 251)
        controller.supports2M = uses2M
        controller.supportsExtendedAdvertising = usesExtendedAdvertising
        controller.supportsPeriodicAdvertising = usesExtendedAdvertising
        controller.maximumLinks = links
        controller.maximumLinksAsCentral = linksAsCentral
        controller.maximumLinksAsPeripheral = linksAsPeripheral
        controller.aclPacketCount = max(1, controllerBuffers)
        controller.aclPacketLength = min(max(controllerBufferLength, 27), 65_535)
        return controller
    }

    /// A length of time in the specification's units, to the nearest one inside of the range.
    static func units(_ duration: Duration, of nanoseconds: Int64, in range: ClosedRange<UInt16>) -> UInt16 {
        let units = (duration.delay.nanoseconds + nanoseconds / 2) / nanoseconds
        return UInt16(clamping: min(max(units, Int64(range.lowerBound)), Int64(range.upperBound)))
    }
}
