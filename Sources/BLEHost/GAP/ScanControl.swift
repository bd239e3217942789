/// The scan: what is wanted, and what the controller does.
struct ScanControl {
    var wanted: ScanSettings?
    /// What the controller scans with.
    var running: ScanSettings?
    /// What is being put into the controller.
    var applying: ScanSettings?
    /// Whether commands are on their way.
    var isBusy = false
    /// A `startScanning` that wasn't answered yet.
    var owesAnswer = false
    /// The scan must be started anew though its settings didn't change.
    var restarts = false
    /// Initiating has its turn.
    var isPaused = false
    /// Command Disallowed was met by stopping what the controller may have been doing.
    var hasCleared = false

    init() {}
}
