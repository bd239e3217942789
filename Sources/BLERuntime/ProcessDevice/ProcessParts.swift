import BLEBackend
import BLETransport
import BLEWire

/// What a process's device is put together from.
struct ProcessParts {
    let way: ProcessRadio.Way
    let identity: DeviceIdentity?
    let profile: PhoneProfile
    let store: any DeviceStore
    let bonds: any BondStore
    let restoration: any RestorationStore
    let capture: (any PacketTap)?

    /// A device that has no radio.
    init(_ error: TransportError, name: RadioName) {
        way = .packets(ImpossibleOpener(error))
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
            way = .packets(
                VirtualRadioOpener(
                    radio, in: directory, as: device,
                    hosting: HostedRadioSettings(name: radio, seed: .random(in: 0 ... .max)), capture: air))
        case .auto:
            isReal = true
            way = ProcessRadio.Way.automatic()
            identity = try Self.memory(of: way.isBlueZ ? "bluez" : "auto", settings)
        case .address(let address):
            isReal = true
            way = .packets(address.opener)
            identity = try Self.memory(of: address.description, settings)
        case .blueZ(let adapter):
            isReal = true
            way = try ProcessRadio.Way.blueZ(adapter)
            identity = try Self.memory(of: adapter.map { "bluez:\($0)" } ?? "bluez", settings)
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
            if way.isBlueZ {
                throw TransportError(
                    .unsupported, layer: "RAVNING_CAPTURE",
                    cause: "a program doesn't see the packets of BlueZ's adapter",
                    remedy: "let `btmon --write FILE` write them")
            }
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
