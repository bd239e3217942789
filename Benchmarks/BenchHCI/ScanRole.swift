import BLEHost
import BLEWire

/// The scanner: takes reports, parses their AD structures, and tells which devices are new.
struct ScanRole {
    private var loop: HostLoop
    private var seen = Set<UInt64>()
    private var count = 0
    private var names = 0

    init(_ settings: Settings) { loop = HostLoop(settings) }

    mutating func run() {
        loop.command(.powerOn)
        var watch: Stopwatch?
        repeat {
            var events = loop.takeEvents()
            for event in events {
                switch event {
                case .stateChanged(.poweredOn):
                    var settings = ScanSettings()
                    settings.isActive = false
                    loop.command(.startScanning(settings))
                case .advertisingReport(let report):
                    if watch == nil { watch = Stopwatch() }
                    count += 1
                    if ADFields(report.data).name != nil { names += 1 }
                    seen.insert(report.address.bits)
                    // The last one of the harness.
                    if report.address.bits & 0xFFFF == 0xFFFF {
                        watch?.report("scan", count, count * 31)
                        print("# \(seen.count) devices, \(names) names")
                        return
                    }
                default: break
                }
            }
            loop.giveBack(&events)
        } while loop.turn()
    }
}
