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
        let wanted = controllers[controller].wantedChannel
        let before = controllers[controller].listening
        guard wanted.channel != before.channel || wanted.isCoded != before.isCoded else { return }
        if before.channel != 0 {
            listeners[Self.place(before.channel, isCoded: before.isCoded)].removeAll {
                $0 == Int32(controller)
            }
        }
        if wanted.channel != 0 {
            listeners[Self.place(wanted.channel, isCoded: wanted.isCoded)].append(Int32(controller))
        }
        controllers[controller].listening = Listening(channel: wanted.channel, isCoded: wanted.isCoded, since: now)
    }

    /// Where the listeners on a primary channel are.
    @inline(__always)
    static func place(_ channel: UInt8, isCoded: Bool) -> Int { Int(channel - 37) + (isCoded ? 3 : 0) }

    mutating func startScanning(_ controller: Int, filtersDuplicates: Bool, at now: Instant) {
        if !controllers[controller].hasSeeker { seekers.append(Int32(controller)) }
        controllers[controller].scanner.begin(
            filtersDuplicates: filtersDuplicates, capacity: controllers[controller].profile.duplicateFilterSize)
        stepScanWindow(controller, at: now)
    }

    mutating func stopScanning(_ controller: Int, at now: Instant) {
        guard controllers[controller].scanner.isEnabled else { return }
        controllers[controller].scanner.isEnabled = false
        controllers[controller].scanner.duplicates = nil
        controllers[controller].scanner.window.stop()
        controllers[controller].scanner.period.stamp &+= 1
        if !controllers[controller].hasSeeker { seekers.removeAll { $0 == Int32(controller) } }
        updateListening(controller, at: now)
    }

    mutating func startInitiating(_ controller: Int, at now: Instant) {
        if !controllers[controller].hasSeeker { seekers.append(Int32(controller)) }
        controllers[controller].initiator.begin()
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
    var wantedChannel: (channel: UInt8, isCoded: Bool) {
        if initiator.isEnabled, initiator.window.isOpen { return (initiator.window.channel, initiator.window.isCoded) }
        guard scanner.isEnabled, scanner.window.isOpen else { return (0, false) }
        return (scanner.window.channel, scanner.window.isCoded)
    }
}
