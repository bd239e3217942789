import QueueProbeKit

let probes = Probe.start()
// Until the test ends the process.
try await Task.sleep(nanoseconds: 60_000_000_000)
