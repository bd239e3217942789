import BLEWire

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
    /// Parts of extended reports.
    var merger = ReportMerger()
    /// Devices that were heard on the Coded PHY last, the newest at the end.
    private(set) var onCoded: [DeviceAddress] = []

    init() {}

    /// Notes on which PHY a device was heard: of as many as `limit`.
    mutating func note(_ address: DeviceAddress, onCoded isCoded: Bool) {
        if !isCoded, onCoded.isEmpty { return }
        onCoded.removeAll { $0 == address }
        guard isCoded else { return }
        if onCoded.count == Self.limit { onCoded.removeFirst() }
        onCoded.append(address)
    }

    private static let limit = 64
}
