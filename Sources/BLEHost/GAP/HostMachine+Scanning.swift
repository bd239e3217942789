import BLEWire

// Scanning: the user's side, and one step at a time towards what is wanted. [Vol 4, Part E, 7.8.10]
extension HostMachine {
    mutating func startScanning(_ settings: ScanSettings, at now: Instant, into out: inout [HostOutput]) {
        guard isOn else { return out.append(.event(.scanStarted(.notPoweredOn))) }
        let range: ClosedRange<UInt16> = 0x0004...0x4000
        guard range.contains(settings.interval), range.contains(settings.window), settings.window <= settings.interval
        else {
            let why = "a scan window of \(settings.window) in an interval of \(settings.interval)"
            return out.append(.event(.scanStarted(.invalidParameters(why))))
        }
        if scan.owesAnswer { out.append(.event(.scanStarted(.cancelled))) }
        scan.wanted = settings
        scan.owesAnswer = true
        // A controller's filter for duplicates begins anew with a scan.
        scan.restarts = settings.filterDuplicates
        scan.hasCleared = false
        if connecting.phase != .idle, takesTurns { scan.isPaused = true }
        stepScan(at: now, into: &out)
        stepConnecting(at: now, into: &out)
    }

    mutating func stopScanning(at now: Instant, into out: inout [HostOutput]) {
        if scan.owesAnswer { out.append(.event(.scanStarted(.cancelled))) }
        scan.owesAnswer = false
        scan.wanted = nil
        stepScan(at: now, into: &out)
        // Initiating needn't share the time any more.
        stepConnecting(at: now, into: &out)
    }

    /// Brings what the controller does one command nearer to what is wanted.
    mutating func stepScan(at now: Instant, into out: inout [HostOutput]) {
        guard isOn, !scan.isBusy else { return }
        let target = scan.isPaused || privacy.holds ? nil : wantedScan
        if let running = scan.running {
            if let target, target == running, !scan.restarts { return answerScan(nil, into: &out) }
            scan.isBusy = true
            sendScanEnable(false)
        } else if let target {
            scan.isBusy = true
            scan.restarts = false
            scan.applying = target
            sendScanParameters(target)
        }
    }

    private mutating func answerScan(_ error: HostError?, into out: inout [HostOutput]) {
        guard scan.owesAnswer else { return }
        scan.owesAnswer = false
        out.append(.event(.scanStarted(error)))
    }

    /// A command of the scan was answered.
    mutating func scanAnswered(
        _ purpose: CommandPurpose, status: HCIStatus, at now: Instant, into out: inout [HostOutput]
    ) {
        switch purpose {
        case .disableScan:
            // Whatever the controller says: after this it doesn't scan.
            if status != .success { trace(.warning, "gap", "stopping the scan: \(status.text)", into: &out) }
            scan.isBusy = false
            scan.running = nil
        case .setScanParameters where status == .success:
            guard let settings = scan.applying else { break }
            scan.merger.removeAll()
            return sendScanEnable(true, filterDuplicates: settings.filterDuplicates)
        case .enableScan where status == .success:
            scan.isBusy = false
            scan.running = scan.applying
        default:
            scan.isBusy = false
            scanRefused(status, at: now, into: &out)
        }
        stepScan(at: now, into: &out)
        stepConnecting(at: now, into: &out)
    }

    private mutating func scanRefused(_ status: HCIStatus, at now: Instant, into out: inout [HostOutput]) {
        if status == .commandDisallowed, connecting.phase != .idle, !connecting.takesTurnsWithScan {
            trace(.notice, "gap", "the controller doesn't scan while it initiates: they take turns", into: &out)
            connecting.takesTurnsWithScan = true
            scan.isPaused = true
            connecting.turnEnds = min(connecting.turnEnds, now + configuration.connecting.initiatingTurn)
        } else if status == .commandDisallowed, !scan.hasCleared {
            // Somebody before us left it scanning.
            scan.hasCleared = true
            scan.running = scan.applying
            scan.restarts = true
        } else {
            trace(.warning, "gap", "the controller refuses to scan: \(status.text)", into: &out)
            if scan.wanted == nil { failPeriodicWishes(.hci(status), into: &out) }
            scan.wanted = nil
            answerScan(.hci(status), into: &out)
        }
    }
}

extension HCIStatus {
    /// For the log.
    var text: String { "status " + Hex.prefixed(rawValue) }
}
