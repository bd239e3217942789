package import BLEBackend
import BLETransport
import BLEWire
import BLELocking
import Synchronization

/// The Bluetooth device of a process, as its environment asks for it: host, engine, transport, capture, memory.
///
/// *Limits*: lives as long as the process. What is wrong with the environment is said in one line each, and leaves the
/// device without a radio: managers report `unsupported` or `unauthorized`. [architecture 7]
package final class ProcessDevice: Sendable {
    package let device: Device
    private let engine: EngineDriver
    private let opener: any TransportOpener
    /// Holds the lock on the device's name.
    private let identity: DeviceIdentity?

    package convenience init(_ variables: EnvironmentVariables, executable: String) {
        let settings = ProcessSettings(variables, executable: executable)
        Diagnostics.setLevelsOfEnvironment(settings.log)
        for problem in settings.problems.dropFirst() { EngineDriver.report(problem) }
        do throws(TransportError) {
            if let problem = settings.problems.first { throw problem }
            try self.init(Parts(settings, variables))
        } catch {
            self.init(Parts(error, name: settings.device))
        }
    }

    private init(_ parts: Parts) {
        identity = parts.identity
        opener = parts.opener
        let backend = HostBackend(
            profile: parts.profile, store: parts.store, bonds: parts.bonds, random: SystemRandomNumberGenerator())
        engine = EngineDriver(host: backend, opener: parts.opener, capture: parts.capture)
        device = Device(backend: backend, delivery: QueueDelivery(), restoration: parts.restoration)
        if let agent = Device.processPairingAgent { backend.setPairingAgent(agent) }
        backend.start(driver: engine)
        engine.start()
    }

    /// Whether this process hosts the virtual radio that it's on.
    package var isRadioHost: Bool { (opener as? VirtualRadioOpener)?.isHost ?? false }

    /// Lets go of the radio, for tests; a process just ends.
    package func stop() { engine.stop() }
}

extension Diagnostics {
    /// Said once, when a capture can't be written any more; the program goes on.
    static let captureFailed: @Sendable (String) -> Void = { message in
        Diagnostics.emit(TraceEvent(.error, "capture", message))
    }
}

/// What a process's device is put together from.
private struct Parts {
    let opener: any TransportOpener
    let identity: DeviceIdentity?
    let profile: PhoneProfile
    let store: any DeviceStore
    let bonds: any BondStore
    let restoration: any RestorationStore
    let capture: (any PacketTap)?

    /// A device that has no radio.
    init(_ error: TransportError, name: RadioName) {
        opener = ImpossibleOpener(error)
        identity = nil
        profile = Self.profile(name)
        store = MemoryDeviceStore()
        bonds = MemoryBondStore()
        restoration = MemoryRestorationStore()
        capture = nil
    }

    init(_ settings: ProcessSettings, _ variables: EnvironmentVariables) throws(TransportError) {
        let identity: DeviceIdentity?
        var isReal = false
        switch settings.adapter {
        case .virtual(let radio):
            let directory = try RuntimeDirectory(variables)
            let device = try DeviceIdentity.claim(settings.device, on: radio, state: settings.state.get())
            identity = device
            var air: String?
            if case .air(let path) = settings.capture { air = path }
            opener = VirtualRadioOpener(
                radio, in: directory, as: device,
                hosting: HostedRadioSettings(name: radio, seed: .random(in: 0 ... .max)), capture: air)
        case .auto:
            isReal = true
            opener = AutomaticOpener()
            identity = try Self.memory(of: "auto", settings)
        case .address(let address):
            isReal = true
            opener = address.opener
            identity = try Self.memory(of: address.description, settings)
        case .blueZ:
            throw TransportError(
                .unsupported, layer: "RAVNING_ADAPTER=bluez", cause: "BlueZ isn't supported yet",
                remedy: "name an adapter (hci:0), or set RAVNING_ADAPTER=virtual, which needs no hardware")
        }
        self.identity = identity
        var profile = Self.profile(identity?.name ?? settings.device)
        if isReal {
            profile.pairing = PhoneProfile.unattendedPairing
            profile.usesOverflowArea = false
        }
        if let folder = identity?.folder { try DeviceFile(folder: folder).apply(to: &profile) }
        self.profile = profile
        store =
            identity.map { FileDeviceStore(folder: $0.folder, random: SystemRandomNumberGenerator()) }
            ?? MemoryDeviceStore(key: (.random(in: 0 ... .max), .random(in: 0 ... .max)))
        bonds =
            identity.map { FileBondStore(folder: $0.folder, random: SystemRandomNumberGenerator()) }
            ?? MemoryBondStore()
        restoration = identity.map { FileRestorationStore(folder: $0.folder) } ?? MemoryRestorationStore()
        if case .hci(let path) = settings.capture {
            capture = try HCICapture(path: path, onFailure: Diagnostics.captureFailed)
        } else {
            capture = nil
        }
    }

    /// A phone of that name.
    private static func profile(_ name: RadioName) -> PhoneProfile {
        var profile = PhoneProfile()
        profile.deviceName = name.text
        return profile
    }

    /// What a device with a real adapter has beside it; without a folder it only forgets what it knew.
    private static func memory(
        of adapter: String, _ settings: ProcessSettings
    ) throws(TransportError) -> DeviceIdentity? {
        if case .air(let path) = settings.capture {
            throw TransportError(
                .unsupported, layer: "RAVNING_CAPTURE",
                cause: "\(path) asks for the air, which only a virtual radio has",
                remedy: "end the file's name in .btsnoop for the HCI packets")
        }
        do throws(TransportError) {
            let radio = RadioName(nearest: adapter)
            return try DeviceIdentity.claim(settings.device, on: radio, kind: "adapters", state: settings.state.get())
        } catch {
            Diagnostics.log(.info, "api", "nothing will be remembered: \(error)")
            return nil
        }
    }
}

extension Device {
    /// The device of this process, as the environment says it; made when the first manager needs it. [architecture 7]
    package static var process: Device { shared.device }

    /// The process's device if there is one already: asking must not open a radio. [contract 15]
    package static var existingProcess: Device? { isProcessMade.load(ordering: .acquiring) ? process : nil }

    /// Chooses by code what the environment says else. Answers what is wrong, for a person; nothing is changed then.
    package static func chooseProcess(adapter: String, device: String?, capture: String?) -> String? {
        do throws(TransportError) {
            _ = try AdapterChoice(adapter)
            if let capture { _ = try CaptureChoice(capture) }
        } catch {
            return error.description
        }
        var variables = ["RAVNING_ADAPTER": adapter]
        variables["RAVNING_DEVICE"] = device
        variables["RAVNING_CAPTURE"] = capture
        return choice.withLock { choice in
            if isProcessMade.load(ordering: .acquiring) {
                return "the process has managers already, so it has its adapter; choose it before the first one"
            }
            choice = choice.replacing(variables)
            return nil
        }
    }

    /// Who stands for the person in front of the process's device.
    package static var processPairingAgent: (any PairingAgent)? { agent.withLock { $0 } }

    /// Sets who does; the device needn't be there yet.
    package static func setProcessPairingAgent(_ new: (any PairingAgent)?) {
        agent.withLock { $0 = new }
        existingProcess?.backend.setPairingAgent(new)
    }

    private static let agent = Locked<(any PairingAgent)?>(nil)
    private static let isProcessMade = Atomic(false)
    private static let choice = Locked(EnvironmentVariables.process)
    private static let shared = {
        let variables = choice.withLock { choice in
            isProcessMade.store(true, ordering: .releasing)
            return choice
        }
        return ProcessDevice(variables, executable: CommandLine.arguments.first ?? "")
    }()
}
