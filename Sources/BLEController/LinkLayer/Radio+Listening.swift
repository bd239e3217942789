import BLEWire

/// Windows of scanners and initiators: who listens where.
extension Radio {
    mutating func stepScanWindow(_ controller: Int, at now: Instant) {
        let next = controllers[controller].scanner.window.step(at: now)
        controllers[controller].scanner.window.nextStep = next
        plan(.scanWindow, controller, controllers[controller].scanner.window.stamp, at: next)
        updateListening(controller, at: now)
    }

    mutating func stepInitiateWindow(_ controller: Int, at now: Instant) {
        let next = controllers[controller].initiator.window.step(at: now)
        controllers[controller].initiator.window.nextStep = next
        plan(.initiateWindow, controller, controllers[controller].initiator.window.stamp, at: next)
        updateListening(controller, at: now)
    }

    /// One radio listens on one channel: the initiator's where its window is open, else the scanner's. What is heard
    /// there is looked at by both.
    mutating func updateListening(_ controller: Int, at now: Instant) {
        listeningChanges = .never
        for seeker in seekers {
            listeningChanges = min(
                listeningChanges, controllers[Int(seeker)].scanner.window.nextStep,
                controllers[Int(seeker)].initiator.window.nextStep)
        }
        let channel = controllers[controller].wantedChannel
        let before = controllers[controller].listening.channel
        guard channel != before else { return }
        if before != 0 { listeners[Int(before - 37)].removeAll { $0 == Int32(controller) } }
        if channel != 0 { listeners[Int(channel - 37)].append(Int32(controller)) }
        controllers[controller].listening = Listening(channel: channel, since: now)
    }

    mutating func startScanning(_ controller: Int, filtersDuplicates: Bool, at now: Instant) {
        if !controllers[controller].hasSeeker { seekers.append(Int32(controller)) }
        let parameters = controllers[controller].scanner.parameters
        controllers[controller].scanner.window.stop()
        controllers[controller].scanner.window.configure(interval: parameters.interval, window: parameters.window)
        controllers[controller].scanner.isEnabled = true
        controllers[controller].scanner.backoff = ScanBackoff()
        controllers[controller].scanner.filtersDuplicates = filtersDuplicates
        controllers[controller].scanner.duplicates =
            filtersDuplicates ? DuplicateFilter(capacity: controllers[controller].profile.duplicateFilterSize) : nil
        stepScanWindow(controller, at: now)
    }

    mutating func stopScanning(_ controller: Int, at now: Instant) {
        guard controllers[controller].scanner.isEnabled else { return }
        controllers[controller].scanner.isEnabled = false
        controllers[controller].scanner.duplicates = nil
        controllers[controller].scanner.window.stop()
        if !controllers[controller].hasSeeker { seekers.removeAll { $0 == Int32(controller) } }
        updateListening(controller, at: now)
    }

    mutating func startInitiating(_ controller: Int, at now: Instant) {
        if !controllers[controller].hasSeeker { seekers.append(Int32(controller)) }
        let parameters = controllers[controller].initiator.parameters
        controllers[controller].initiator.window.stop()
        controllers[controller].initiator.window.configure(
            interval: parameters.scanInterval, window: parameters.scanWindow)
        controllers[controller].initiator.isEnabled = true
        stepInitiateWindow(controller, at: now)
    }

    mutating func stopInitiating(_ controller: Int, at now: Instant) {
        guard controllers[controller].initiator.isEnabled else { return }
        controllers[controller].initiator.isEnabled = false
        controllers[controller].initiator.window.stop()
        if !controllers[controller].hasSeeker { seekers.removeAll { $0 == Int32(controller) } }
        updateListening(controller, at: now)
    }

    mutating func stopSeeking(_ controller: Int, at now: Instant) {
        stopScanning(controller, at: now)
        stopInitiating(controller, at: now)
    }

    mutating func plan(_ kind: RadioTask.Kind, _ index: Int, _ stamp: UInt32, at time: Instant) {
        schedule.add(RadioTask(kind: kind, index: Int32(truncatingIfNeeded: index), stamp: stamp), at: time)
    }
}

extension Controller {
    var hasSeeker: Bool { scanner.isEnabled || initiator.isEnabled }

    /// Where the radio should listen now; 0 is nowhere.
    var wantedChannel: UInt8 {
        if initiator.isEnabled, initiator.window.isOpen { return initiator.window.channel }
        return scanner.isEnabled && scanner.window.isOpen ? scanner.window.channel : 0
    }
}
