import Dispatch
import Foundation
import QueueProbeKit
import Ravning

let probes = Probe.start()
if CommandLine.arguments.contains("log") {
    RavningLog.setHandler { event in
        FileHandle.standardOutput.write(Data("log \(event.level) \(event.layer): \(event.message)\n".utf8))
    }
    RavningLog.setLevels("info")
}
if CommandLine.arguments.contains("dispatchMain") { dispatchMain() }
RunLoop.main.run()
