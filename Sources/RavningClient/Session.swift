import BLERuntime
import CommandLineKit
import CoreBluetooth
import Dispatch
import Foundation
import Glibc
import Ravning

/// One run of a command: the manager, and the one device that is used, step by step on the calling thread.
final class Session {
    let inbox = Inbox()
    let output: Output
    let manager: CBCentralManager
    /// Seconds that a step may take.
    let patience: Double
    private let events: CentralEvents
    private let person: Person
    private(set) var peripheral: CBPeripheral?
    /// A pairing goes on. What waited for it is answered when the link is encrypted; the keys are exchanged after that.
    private(set) var isPairing = false
    private var isInterrupted = false
    /// Takes what nobody was waiting for.
    var observer: ((Event) throws -> Void)?

    /// Switches the adapter on, or says that there is none.
    /// - Parameter mayPair: nobody is asked to pair where the command doesn't need it.
    init(_ options: ParsedOptions, mayPair: Bool = true) throws {
        try Self.chooseAdapter(options)
        patience = try options.seconds("timeout") ?? 10
        output = Output(options)
        events = CentralEvents(inbox)
        person = Person(inbox, agrees: options.has("yes"), mayPair: mayPair)
        Signals.follow(into: inbox)
        OutputWatch.follow(into: inbox)
        Pairing.setDelegate(person, queue: DispatchQueue(label: "ravning.pairing"))
        manager = CBCentralManager(delegate: events, queue: DispatchQueue(label: "ravning.central"))
        try powerOn()
    }

    /// Before the first manager is made.
    /// - Parameter device: the device that this process is, unless the environment says it.
    static func chooseAdapter(_ options: ParsedOptions, device: String = "ravning") throws {
        if let adapter = options.text("adapter") {
            do {
                _ = try AdapterChoice(adapter)
            } catch {
                throw UsageError("--adapter: \(error)")
            }
            setenv("RAVNING_ADAPTER", adapter, 1)
        }
        if let capture = options.text("capture") {
            guard capture.hasSuffix(".btsnoop") else {
                throw UsageError("--capture: \"\(capture)\" doesn't end in .btsnoop")
            }
            setenv("RAVNING_CAPTURE", capture, 1)
        }
        // Else a device of its own for each of the tool's executables.
        setenv("RAVNING_DEVICE", device, 0)
    }

    private func powerOn() throws {
        try wait(until: "switching the adapter on") { event in
            guard case .state(let state) = event else { return false }
            switch state {
            case .poweredOn: return true
            case .unsupported, .unauthorized, .poweredOff:
                throw CommandError(.noAdapter, "no adapter can be used; `ravning doctor` says more")
            default: return false
            }
        }
    }

    /// Takes events until `take` makes something of one.
    /// - Parameters:
    ///   - what: what is waited for, for the error.
    ///   - seconds: how long; a person who is asked has half a minute more. nil = the command's patience.
    func wait<Result>(
        _ what: String, within seconds: Double? = nil, _ take: (Event) throws -> Result?
    ) throws -> Result {
        guard let result = try waitIfAny(within: seconds ?? patience, take) else {
            throw CommandError(.timedOut, "\(what) took longer than \(Self.text(seconds ?? patience)) s")
        }
        return result
    }

    /// Takes events until one is the one that is waited for.
    func wait(until what: String, _ isReached: (Event) throws -> Bool) throws {
        let _: Void = try wait(what) { try isReached($0) ? () : nil }
    }

    /// The same; nil where the time is over. `seconds` nil = for ever.
    func waitIfAny<Result>(within seconds: Double?, _ take: (Event) throws -> Result?) throws -> Result? {
        var deadline = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
        while let event = inbox.next(until: deadline) {
            switch event {
            case .signal(let number):
                isInterrupted = true
                throw Interrupted(signal: number)
            case .outputClosed: throw OutputClosed()
            case .asking:
                isPairing = true
                deadline = max(deadline, .now() + 30 + (seconds ?? 0))
            case .paired: isPairing = false
            default: break
            }
            if let result = try take(event) { return result }
            try observer?(event)
            // What nobody was waiting for ends the command, too.
            if case .disconnected(let error) = event { throw Failure.lost(error) }
            if case .state(let state) = event, state == .resetting || state == .poweredOff {
                throw CommandError(.noAdapter, "the adapter went away")
            }
        }
        return nil
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }

    /// Connects a device by what the command line calls it.
    func connect(_ name: String) throws -> CBPeripheral {
        let peripheral = try find(DeviceName(name))
        peripheral.delegate = events
        self.peripheral = peripheral
        manager.connect(peripheral)
        try wait(until: "connecting \(name)") { event in
            switch event {
            case .connected: return true
            case .failed(let error): throw Failure.of("connecting", error)
            default: return false
            }
        }
        return peripheral
    }

    /// The device that the command line means, heard now if it isn't known.
    func find(_ name: DeviceName) throws -> CBPeripheral {
        if let identifier = name.identifier,
            let known = manager.retrievePeripherals(withIdentifiers: [identifier]).first
        {
            return known
        }
        manager.scanForPeripherals(withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        defer { manager.stopScan() }
        let found = try waitIfAny(within: patience) { event in
            if case .sighting(let sighting) = event, name.matches(sighting) { sighting.peripheral } else { nil }
        }
        guard let found else {
            throw CommandError(.notFound, "no device \(name.text) was heard within \(Self.text(patience)) s")
        }
        return found
    }

    /// Leaves the device; to be called whatever happened.
    func close() {
        guard let peripheral, peripheral.state != .disconnected else { return }
        if isPairing, !isInterrupted {
            // A bond of half the keys is none.
            let _: Void? = try? waitIfAny(within: patience) { _ in isPairing ? nil : () }
        }
        manager.cancelPeripheralConnection(peripheral)
        let deadline = DispatchTime.now() + 2
        while let event = inbox.next(until: deadline) {
            switch event {
            case .disconnected, .failed: return
            default: continue
            }
        }
    }

    /// Connects a device, hands it over and leaves it.
    static func use(
        _ options: ParsedOptions, mayPair: Bool = true, _ body: (Session, CBPeripheral) throws -> Void
    ) throws {
        let session = try Session(options, mayPair: mayPair)
        defer { session.close() }
        try body(session, session.connect(options.arguments[0]))
    }
}
