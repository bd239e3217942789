import BLERuntime
import BLESimulator
import BLELocking
import BLEWire

/// A phone of a ``World``: what Core Bluetooth programs run on.
public final class Phone: WorldDevice {
    public let name: String
    public let handle: DeviceHandle
    /// How the phone behaves where nothing in Core Bluetooth can set it.
    public let profile: PhoneProfile
    let host: WorldHost
    let behaviour = Locked(PairingBehaviour.phone)

    init(name: String, handle: DeviceHandle, profile: PhoneProfile, host: WorldHost) {
        self.name = name
        self.handle = handle
        self.profile = profile
        self.host = host
    }

    /// Runs the body as a program on this phone: managers that it makes belong to the phone. So do those that its
    /// callbacks and timers make later.
    @discardableResult
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Device.$attached.withValue(host.device, operation: body)
    }

    /// The same with an asynchronous body.
    @discardableResult
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Device.$attached.withValue(host.device, operation: body, isolation: isolation)
    }

    /// Ends the programs on this phone as a kill does: links and advertising end, their managers hear nothing more, and
    /// a manager that is made afterwards with the restore identifier of an earlier one gets that one's state back.
    /// Timers and tasks of the programs are theirs and go on. [contract 3, 124]
    public func killPrograms() { host.killPrograms() }

    /// What Bluetooth is on this phone: what the user, the settings and the hardware say.
    public enum Radio: Sendable {
        /// Switched on: `.poweredOn`.
        case on
        /// Switched off: `.poweredOff`.
        case off
        /// The program may not use it: `.unauthorized`.
        case unauthorized
        /// There is none: `.unsupported`.
        case unsupported
    }

    /// Switches Bluetooth on or off, or takes it away. Managers learn it as time goes by.
    public func setRadio(_ radio: Radio) {
        let condition: AdapterCondition =
            switch radio {
            case .on: .on
            case .off: .off
            case .unauthorized: .unauthorized
            case .unsupported: .unsupported
            }
        driver.setCondition(condition, of: host)
    }

    /// Moves the phone's programs to the background: their services are advertised in the overflow area only and without
    /// a name, their scans must name services and report no duplicates. [contract 32, 113, 114]
    public func enterBackground() { driver.setInBackground(true, of: host) }
    /// Moves the phone's programs to the foreground again.
    public func enterForeground() { driver.setInBackground(false, of: host) }

    /// Switches Bluetooth on.
    public func powerOn() { setRadio(.on) }
    /// Switches Bluetooth off.
    public func powerOff() { setRadio(.off) }
}

extension World {
    /// Adds a phone, with Bluetooth switched on.
    /// - Parameters:
    ///   - name: its GAP Device Name, too, unless the profile has one.
    ///   - place: nil = one metre from every other device.
    public func addPhone(_ name: String, profile: PhoneProfile = PhoneProfile(), at place: Place? = nil) -> Phone {
        var settings = profile.settings
        if profile.deviceName == nil { settings.deviceName = name }
        let host = driver.addHost(name: name, profile: settings) { address in
            profile.controller(address: address, name: name)
        }
        let handle = DeviceHandle(driver: driver, id: host.id, registry: registry)
        let phone = Phone(name: name, handle: handle, profile: profile, host: host)
        if let place { phone.move(to: place) }
        return phone
    }
}
