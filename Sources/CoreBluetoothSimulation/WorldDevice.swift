import BLEController
import BLERuntime
import BLESimulator
import BLEWire
import BLELocking

/// A device of a ``World``: a ``Phone`` or a peripheral that plays itself.
public protocol WorldDevice: AnyObject, Sendable {
    /// The name that traces and the log show. Not what is advertised, unless the program says so.
    var name: String { get }
    /// What the device's world knows it by.
    var handle: DeviceHandle { get }
}

/// What a world knows a device by.
public struct DeviceHandle: Sendable {
    let driver: WorldDriver
    let id: DeviceID
    /// Keeps the peripherals of the world while any of its devices is kept.
    let registry: DeviceRegistry
}

/// The peripherals of a world: they live as long as it does, whether somebody keeps them or not.
final class DeviceRegistry: Sendable {
    private let peripherals = Locked<[any WorldDevice]>([])
    func add(_ peripheral: any WorldDevice) { peripherals.withLock { $0.append(peripheral) } }
}

extension WorldDevice {
    var driver: WorldDriver { handle.driver }
    var id: DeviceID { handle.id }

    /// The Bluetooth device address, as `02:11:22:33:44:55`.
    public var address: String { driver.read { $0.address(of: id) }.description }

    /// What the device's link layer does now.
    public var linkState: LinkState { LinkState(driver.read { $0.linkLayerState(of: id) }) }

    /// Puts the device somewhere. Without a place it is one metre from every other.
    /// - Parameters: metres.
    public func move(to place: Place) {
        apply(.position(id, Position(x: place.x, y: place.y, z: place.z)))
    }

    /// Fixes the strength that this device and another receive each other with, in dBm; nil = by their places.
    public func setRSSI(_ rssi: Int?, to other: some WorldDevice) {
        apply(.rssi(id, other.id, rssi.map { Int8(clamping: $0) }))
    }

    /// The share of packets between this device and another that is lost, 0 to 1.
    public func setLoss(_ share: Double, to other: some WorldDevice) {
        apply(.loss(id, other.id, min(max(share, 0), 1)))
    }

    /// Whether this device and another are too far from each other to hear anything.
    public func setOutOfRange(_ isOutOfRange: Bool = true, of other: some WorldDevice) {
        apply(.outOfRange(id, other.id, isOutOfRange))
    }

    /// Unplugs the device's controller and plugs it in again: links are lost, managers go through `.resetting`.
    public func resetController(downFor duration: Duration = .milliseconds(100)) {
        apply(.resetController(id, downFor: duration.delay))
    }

    /// Lets nothing pass between the device's host and its controller for a while; then all of it, in order.
    public func stall(for duration: Duration) { apply(.stall(id, duration.delay)) }

    func apply(_ fault: Fault) { driver.edit { $0.apply(fault, into: &$1) } }
}

/// A place in metres.
public struct Place: Hashable, Sendable {
    /// Metres along the first axis.
    public var x: Double
    /// Metres along the second axis.
    public var y: Double
    /// Metres of height.
    public var z: Double
    /// A place by its coordinates in metres.
    public init(x: Double = 0, y: Double = 0, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// What a link layer does; several at once, or nothing: standby. [Vol 6, Part B, 1.1]
public struct LinkState: OptionSet, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ state: LinkLayerState) { rawValue = state.rawValue }

    /// Nothing of all that.
    public static let standby: LinkState = []
    /// It advertises.
    public static let advertising = LinkState(LinkLayerState.advertising)
    /// It listens for advertisers.
    public static let scanning = LinkState(LinkLayerState.scanning)
    /// It waits for an advertiser that it wants to connect.
    public static let initiating = LinkState(LinkLayerState.initiating)
    /// It has a link in the central role.
    public static let connectedAsCentral = LinkState(LinkLayerState.connectedAsCentral)
    /// It has a link in the peripheral role.
    public static let connectedAsPeripheral = LinkState(LinkLayerState.connectedAsPeripheral)

    public var description: String { LinkLayerState(rawValue: rawValue).description }
}
