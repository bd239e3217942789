import CoreBluetooth
import Foundation

/// Three managers with their delegates on the main queue (by nil and by name) and on a queue of their own; each says
/// where its first callback came, and the first also whether a timer that it schedules there fires.
public final class Probe: NSObject, CBCentralManagerDelegate {
    private let label: String
    private let queue: DispatchQueue
    private var manager: CBCentralManager?

    private init(_ label: String, _ queue: DispatchQueue?, expected: DispatchQueue) {
        self.label = label
        self.queue = expected
        super.init()
        manager = CBCentralManager(delegate: self, queue: queue)
    }

    /// The probes; they end with the process.
    public static func start() -> [Probe] {
        let own = DispatchQueue(label: "own")
        return [
            Probe("nil", nil, expected: .main), Probe("main", .main, expected: .main), Probe("own", own, expected: own),
        ]
    }

    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        dispatchPrecondition(condition: .onQueue(queue))
        Self.say("\(label): state \(central.state.rawValue)")
        guard label == "nil" else { return }
        _ = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in Self.say("timer fired") }
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
