import BLEBackend
import BLEBlueZ
import BLETransport
import BLEWire

/// What carries out what a process's managers ask: our own host on a controller's packets, or BlueZ.
struct ProcessRadio: Sendable {
    /// How the process gets to its radio.
    enum Way: Sendable {
        case packets(any TransportOpener)
        #if BlueZ
            /// BlueZ's adapter of that name, or its first one that is on.
            case bus(adapter: String?)
        #endif
    }

    let backend: any Backend
    /// Whether this process hosts the virtual radio that it's on.
    let isHost: @Sendable () -> Bool
    let start: @Sendable () -> Void
    let stop: @Sendable () -> Void

    init(_ parts: ProcessParts) {
        switch parts.way {
        case .packets(let opener):
            let host = HostBackend(
                profile: parts.profile, store: parts.store, bonds: parts.bonds,
                random: SystemRandomNumberGenerator())
            let engine = EngineDriver(host: host, opener: opener, capture: parts.capture)
            backend = host
            isHost = { (opener as? VirtualRadioOpener)?.isHost ?? false }
            start = {
                host.start(driver: engine)
                engine.start()
            }
            stop = { engine.stop() }
        #if BlueZ
            case .bus(let adapter):
                let bluez = BlueZBackend(store: parts.store, adapter: adapter)
                let driver = BlueZDriver(backend: bluez)
                backend = bluez
                isHost = { false }
                start = { driver.start() }
                stop = { driver.stop() }
        #endif
        }
    }
}

extension ProcessRadio.Way {
    var isBlueZ: Bool {
        if case .packets = self { false } else { true }
    }

    /// BlueZ's adapter. Throws in a build that is without BlueZ.
    static func blueZ(_ adapter: String?) throws(TransportError) -> Self {
        #if BlueZ
            .bus(adapter: adapter)
        #else
            throw TransportError(
                .unsupported, layer: "RAVNING_ADAPTER=bluez",
                cause: "this build is without BlueZ (the package's trait)",
                remedy: "build with the trait BlueZ, name an adapter (hci:0), or set RAVNING_ADAPTER=virtual")
        #endif
    }

    /// BlueZ where it runs and has an adapter, else the first adapter that nobody has. [architecture 7]
    static func automatic() -> Self {
        let survey = BlueZSurvey.take()
        #if BlueZ
            if case .adapters(let adapters) = survey, !adapters.isEmpty {
                Diagnostics.log(.info, "bluez", "BlueZ has an adapter, so that one is used")
                return .bus(adapter: nil)
            }
        #endif
        return .packets(AutomaticOpener(withoutBlueZ: survey.absence))
    }
}

extension BlueZSurvey {
    /// Why BlueZ's adapter isn't used.
    package var absence: String {
        switch self {
        case .adapters: "BlueZ has no adapter"
        case .unavailable(let cause): "BlueZ: \(cause)"
        }
    }
}
