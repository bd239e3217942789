import QueueProbeKit

let probes = Probe.start()
// Until the test ends the process.
await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
