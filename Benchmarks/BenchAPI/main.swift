import CoreBluetooth
import Foundation

// A Core Bluetooth program as the load generator `Benchmarks/Peers/peerdrv.c` wants one, with its delegate on a queue:
// what the whole way through the API costs. BENCH_ROLE is client (reads one after another) or scan (`didDiscover`).

private func clock(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

private func environment(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

private final class Bench: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private let role = environment("BENCH_ROLE")
    private let count = Int(environment("BENCH_N")) ?? 0
    private var runs = Int(environment("BENCH_RUNS")) ?? 1
    private var manager: CBCentralManager?
    private var peer: CBPeripheral?
    private var left = 0
    private var found = 0
    private var begin = (wall: 0.0, cpu: 0.0)

    func start() {
        manager = CBCentralManager(delegate: self, queue: DispatchQueue(label: "bench"))
    }

    private func mark() { begin = (clock(CLOCK_MONOTONIC), clock(CLOCK_PROCESS_CPUTIME_ID)) }

    private func result(_ metric: String, _ count: Int, _ octets: Int) {
        let (wall, cpu) = (clock(CLOCK_MONOTONIC) - begin.wall, clock(CLOCK_PROCESS_CPUTIME_ID) - begin.cpu)
        FileHandle.standardOutput.write(Data("R,\(metric),\(count),\(octets),\(wall),\(cpu)\n".utf8))
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        let duplicates = [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        central.scanForPeripherals(withServices: nil, options: role == "scan" ? duplicates : nil)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        if role == "scan" {
            if found == 0 { mark() }
            found += 1
            if found == count + 1 {
                result("scan", found, found * 31)
                exit(0)
            }
        } else if peer == nil {
            peer = peripheral
            central.stopScan()
            central.connect(peripheral)
        }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first else { exit(1) }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        guard let characteristic = service.characteristics?.first else { exit(1) }
        left = count
        mark()
        peripheral.readValue(for: characteristic)
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        left -= 1
        if left == 0 {
            result("c_read", count, count * (characteristic.value?.count ?? 0))
            runs -= 1
            if runs == 0 {
                measureCalls(on: peripheral, characteristic)
                exit(0)
            }
            left = count
            mark()
        }
        peripheral.readValue(for: characteristic)
    }

    /// What calls cost by themselves, none of them answered before the end: a command from the caller's side until it is
    /// in the backend's inbox, and a property.
    private func measureCalls(on peripheral: CBPeripheral, _ characteristic: CBCharacteristic) {
        mark()
        for _ in 0..<count { peripheral.readValue(for: characteristic) }
        result("call", count, 0)
        mark()
        var connected = 0
        for _ in 0..<count * 10 where peripheral.state == .connected { connected += 1 }
        result("property", connected, 0)
        // What each callback of a manager goes through at least: a block on the queue, measured beside it.
        let queue = DispatchQueue(label: "hop")
        mark()
        for _ in 0..<count { queue.async {} }
        queue.sync {}
        result("hop", count, 0)
    }
}

let state = NSTemporaryDirectory() + "ravning-bench-\(getpid())"
setenv("RAVNING_ADAPTER", "tcp:127.0.0.1:\(environment("BENCH_PORT"))", 1)
setenv("RAVNING_STATE_DIR", state, 1)
atexit { try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "ravning-bench-\(getpid())") }
private let bench = Bench()
bench.start()
RunLoop.main.run()
