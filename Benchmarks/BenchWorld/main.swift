import BLEController
import BLEHost
import BLESimulator
import BLEWire
import Glibc

// How much virtual time a second of processor time gives, with whole devices: radio, HCI and host. Prints lines of JSON.
//
//     RAVNING_DEV=bench swift build -c release --scratch-path .build-bench --product BenchWorld
//     .build-bench/release/BenchWorld [part of a name]

let wanted = CommandLine.arguments.dropFirst().first
func isWanted(_ name: String) -> Bool { wanted.map(name.contains) ?? true }

func report(_ metric: String, _ value: Double, _ unit: String) {
    let rounded = (value * 100).rounded() / 100
    print("{\"metric\":\"\(metric)\",\"value\":\(rounded),\"unit\":\"\(unit)\"}")
}

/// Processor time of this process in seconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Octets in memory now. What an earlier scene gave back is counted again only where it is used again, so a figure of
/// memory holds for a scene that runs alone.
func residentMemory() -> Double {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    fgets(&text, Int32(text.count), file)
    let fields = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(separator: " ")
    return fields.count > 1 ? (Double(fields[1]) ?? 0) * 4096 : 0
}

/// Runs a scene for so many virtual seconds and tells how much faster than real time that was.
func measure(_ metric: String, seconds: Int64, _ build: (inout Scene) -> Void) {
    guard isWanted(metric) else { return }
    let before = residentMemory()
    var scene = Scene()
    build(&scene)
    let devices = Double(scene.simulation.deviceCount)
    scene.run(.seconds(1))
    let start = processorTime()
    let events = scene.events
    scene.run(.seconds(seconds))
    let elapsed = processorTime() - start
    report(metric, Double(seconds) / elapsed, "x real time")
    report(metric + ", host events", Double(scene.events - events) / Double(seconds), "events a virtual second")
    report(metric + ", memory", (residentMemory() - before) / devices / 1024, "KiB a device")
}

// 1,000 advertisers at 100 ms, one scanner that scans all the time and whose host reads every report, 100 links at 30 ms.
measure("world 1000 advertisers, scanner, 100 links", seconds: 20) { scene in
    for _ in 0..<10 { scene.addGroup(links: 10, intervalUnits: 24, profile: Scene.silent) }
    scene.settle()
    for _ in 0..<1_000 { scene.addPeripheral(Scene.beacon) }
    scene.scan(scene.addCentral(links: 1))
}

measure("world 1000 advertisers, scanner", seconds: 20) { scene in
    for _ in 0..<1_000 { scene.addPeripheral(Scene.beacon) }
    scene.scan(scene.addCentral(links: 1))
}

measure("world 100 links at 30 ms", seconds: 60) { scene in
    for _ in 0..<10 { scene.addGroup(links: 10, intervalUnits: 24, profile: Scene.silent) }
    scene.settle()
}

// 25 centrals with 19 sensors each at 50 ms: a notification a second from each, a read each two seconds, a write each five.
measure("world 500 devices, GATT traffic", seconds: 20) { scene in
    for _ in 0..<25 { scene.addGroup(links: 19, intervalUnits: 40, profile: Scene.sensor) }
    scene.settle()
    scene.traffic = true
}
