import BLEBackend
import BLEController
import BLETransport
import BLEWire
import Dispatch
import Glibc
import Synchronization

extension Device {
    /// The device of this process, as the environment says it; made when the first manager needs it. [architecture 7]
    package static let process = {
        isProcessMade.store(true, ordering: .releasing)
        return makeProcessDevice(.process, executable: CommandLine.arguments.first ?? "")
    }()

    /// The process's device if there is one already: asking must not open a radio. [contract 15]
    package static var existingProcess: Device? { isProcessMade.load(ordering: .acquiring) ? process : nil }

    private static let isProcessMade = Atomic(false)

    /// The device's engine and what it needs, kept as long as the process lives.
    private struct Parts {
        var opener: any TransportOpener
        var store: any DeviceStore
        var capture: (any PacketTap)?
        var identity: DeviceIdentity?
    }

    static func makeProcessDevice(_ variables: EnvironmentVariables, executable: String) -> Device {
        let settings = ProcessSettings(variables, executable: executable)
        Diagnostics.levels = settings.log
        let parts: Parts
        do throws(TransportError) {
            if let problem = settings.problems.first { throw problem }
            parts = try makeParts(settings, variables)
        } catch {
            parts = Parts(opener: ImpossibleOpener(error), store: MemoryDeviceStore())
        }
        var profile = PhoneProfile()
        profile.deviceName = parts.identity?.name.text ?? settings.device.text
        let backend = HostBackend(profile: profile, store: parts.store, random: SystemRandomNumberGenerator())
        let driver = EngineDriver(host: backend, opener: parts.opener, capture: parts.capture)
        backend.start(driver: driver)
        driver.start()
        let device = ProcessDevice(driver: driver, identity: parts.identity)
        return Device(backend: backend, delivery: QueueDelivery(), owner: device)
    }

    private static func makeParts(
        _ settings: ProcessSettings, _ variables: EnvironmentVariables
    ) throws(TransportError) -> Parts {
        var hciCapture: HCICapture?
        var airCapture: AirCaptureFile?
        switch settings.capture {
        case .hci(let path): hciCapture = try HCICapture(path)
        case .air(let path):
            guard case .virtual = settings.adapter else {
                throw TransportError(
                    .unsupported, layer: "RAVNING_CAPTURE", cause: "the air is seen on a virtual radio only",
                    remedy: "end the file's name in .btsnoop, or set RAVNING_ADAPTER=virtual")
            }
            airCapture = try AirCaptureFile(path)
        case nil: break
        }
        let random = SystemRandomNumberGenerator()
        switch settings.adapter {
        case .virtual(let radio):
            let directory = try RuntimeDirectory(variables)
            let identity = try DeviceIdentity.claim(settings.device, on: radio, state: settings.state.get())
            var hosting = HostedRadioSettings(name: radio, seed: UInt64.random(in: 0...UInt64.max))
            hosting.radio.capturesAir = airCapture != nil
            let tap = airCapture
            let opener = VirtualRadioOpener(radio, in: directory, as: identity, hosting: hosting) { tap }
            return Parts(
                opener: opener, store: FileDeviceStore(folder: identity.folder, random: random), capture: hciCapture,
                identity: identity)
        case .address(let address):
            return Parts(
                opener: address, store: try adapterStore(address.description, settings, random), capture: hciCapture)
        case .auto:
            return Parts(
                opener: AutomaticOpener(), store: try adapterStore("auto", settings, random), capture: hciCapture)
        case .blueZ:
            throw TransportError(
                .unsupported, layer: "bluez", cause: "the BlueZ backend isn't built yet",
                remedy: "set RAVNING_ADAPTER=hci:N for an adapter of its own, or virtual for none")
        }
    }

    /// What a program remembers of its peers on a real adapter: one folder for each adapter.
    private static func adapterStore(
        _ adapter: String, _ settings: ProcessSettings, _ random: SystemRandomNumberGenerator
    ) throws(TransportError) -> any DeviceStore {
        let folder = try settings.state.get().folder("adapter", RadioName(nearest: adapter).fileName)
        return FileDeviceStore(folder: folder, random: random)
    }
}

/// Keeps what a process's device consists of.
private final class ProcessDevice: Sendable {
    let driver: EngineDriver
    let identity: DeviceIdentity?

    init(driver: EngineDriver, identity: DeviceIdentity?) {
        self.driver = driver
        self.identity = identity
    }
}
