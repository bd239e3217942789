import CoreBluetooth
import Foundation

/// Looks for the wrist band, connects, explores it, reads, writes, follows it for some values, and leaves.
public final class BandCentral: NSObject {
    /// What can be chosen on the command line.
    public struct Options {
        /// The name to look for.
        public var name = "OBand-75"
        /// Read what the properties don't offer too, to see the error.
        public var readAll = false
        /// How many notified values to wait for.
        public var values = 3
        /// Seconds within which the band must be found.
        public var timeout: TimeInterval = 10
        public init() {}
    }

    enum Step: Int, Comparable {
        case looking, connecting, exploring, reading, measuring, writing, subscribing, following, unsubscribing, leaving
        static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
    }

    let options: Options
    let say: (String) -> Void
    private let after: (TimeInterval, @escaping () -> Void) -> Void
    private let finish: (Int32) -> Void

    private(set) var manager: CBCentralManager?
    /// The band, kept: a peripheral that nobody keeps is gone, and with it its connection.
    var band: CBPeripheral?
    var step = Step.looking
    /// Answers that the present step still waits for.
    var outstanding = 0
    var valuesReceived = 0
    private var otherNames: Set<String> = []
    private var isFinished = false

    /// - Parameters:
    ///   - after: does work after some seconds, on the manager's queue.
    ///   - say: takes a line for the person who watches.
    ///   - finish: takes the exit code: 0 when the whole flow went well.
    public init(
        options: Options = Options(), after: @escaping (TimeInterval, @escaping () -> Void) -> Void,
        say: @escaping (String) -> Void, finish: @escaping (Int32) -> Void
    ) {
        self.options = options
        self.after = after
        self.say = say
        self.finish = finish
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBCentralManager(delegate: self, queue: queue)
        after(options.timeout) { [weak self] in
            guard let self, self.step == .looking else { return }
            self.say("\(self.options.name) was not found within \(Int(self.options.timeout)) s")
            self.manager?.stopScan()
            self.end(1)
        }
    }

    func end(_ code: Int32) {
        guard !isFinished else { return }
        isFinished = true
        finish(code)
    }

    fileprivate func lookedAt(_ name: String) -> Bool { !otherNames.insert(name).inserted }
}

extension BandCentral: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .unknown: say("state: unknown")
        case .resetting: say("state: resetting")
        case .unsupported: say("state: unsupported")
        case .unauthorized: say("state: unauthorized")
        case .poweredOff: say("state: poweredOff")
        case .poweredOn: say("state: poweredOn")
        @unknown default: say("state: \(central.state.rawValue)")
        }
        if central.state == .poweredOn {
            // Earlier would be an error: the radio isn't there yet.
            central.scanForPeripherals(withServices: nil)
        } else if step > .looking, step < .leaving {
            say("the radio is gone in the middle of the flow")
            end(1)
        }
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let name = peripheral.name ?? "(no name)"
        say("found \(name) \(peripheral.identifier), RSSI \(RSSI), \(describe(advertisementData))")
        guard name == options.name else {
            if !lookedAt(name) { say("\(name) is not the one looked for") }
            return
        }
        guard step == .looking else { return }
        step = .connecting
        band = peripheral
        central.connect(peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        say("connected to \(peripheral.name ?? "(no name)")")
        step = .exploring
        outstanding = 1
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    public func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        say("failed to connect: \(describe(error))")
        end(1)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        say("disconnected: \(describe(error))")
        end(step == .leaving && error == nil ? 0 : 1)
    }

    private func describe(_ advertisement: [String: Any]) -> String {
        advertisement.keys.sorted().map { "\($0) = \(advertisement[$0] ?? "")" }.joined(separator: ", ")
    }
}
