import BLEWire

// What a scan has heard. [Vol 4, Part E, 7.7.65.2], [Vol 4, Part E, 7.7.65.13]
extension HostMachine {
    mutating func receiveReports(_ event: LEAdvertisingReport, at now: Instant, into out: inout [HostOutput]) {
        // Some may still come after the scan was stopped.
        guard scan.running != nil else { return }
        var hasHeard = false
        for report in event.reports {
            let type = report.type
            let heard = AdvertisingReport(
                address: report.address, isConnectable: type == .connectableAndScannable || type == .directed,
                isScannable: type == .connectableAndScannable || type == .scannable,
                isScanResponse: type == .scanResponse, data: report.data, rssi: report.rssi)
            if tell(heard, into: &out) { hasHeard = true }
        }
        if hasHeard { useHeard(at: now, into: &out) }
    }

    mutating func receiveReports(
        _ event: LEExtendedAdvertisingReport, at now: Instant, into out: inout [HostOutput]
    ) {
        guard scan.running != nil else { return }
        var hasHeard = false
        for report in event.reports {
            // Who doesn't say its address can't be known again, nor connected to.
            guard report.address.kind.rawValue <= 3 else { continue }
            // Legacy PDUs hold 31 octets: more was never on the air.
            if report.type.isLegacy, report.data.count > 31 {
                trace(.warning, "hci", "a legacy advertisement of \(report.data.count) octets", into: &out)
                continue
            }
            guard let whole = scan.merger.take(report) else { continue }
            scan.note(whole.address.withoutIdentity, onCoded: whole.primaryPHY == .leCoded)
            let type = whole.type
            var heard = AdvertisingReport(
                address: whole.address, isConnectable: type.isConnectable && !type.isScanResponse,
                isScannable: type.isScannable && !type.isScanResponse, isScanResponse: type.isScanResponse,
                data: whole.data, rssi: whole.rssi)
            if whole.setIdentifier <= 0x0F { heard.setIdentifier = whole.setIdentifier }
            if whole.periodicInterval > 0 { heard.periodicInterval = whole.periodicInterval }
            if tell(heard, into: &out) { hasHeard = true }
        }
        if hasHeard { useHeard(at: now, into: &out) }
    }

    /// An event that can't be read says that it has more reports than there are, or one of them is wrong: those that are
    /// whole, each as an event of its own; nil where it is another event.
    func wholeReports(of packet: [UInt8]) -> [HCIEvent]? {
        // Octets of a report without its data, and where it says how many that are.
        let (length, place): (Int, Int)
        switch LESubeventCode(rawValue: packet[3]) {
        case .advertisingReport: (length, place) = (10, 8)
        case .extendedAdvertisingReport: (length, place) = (24, 23)
        default: return nil
        }
        var events: [HCIEvent] = []
        var start = 5
        while start + length <= packet.count {
            let end = start + length + Int(packet[start + place])
            guard end <= packet.count else { break }
            let head = [packet[0], packet[1], UInt8(truncatingIfNeeded: end - start + 2), packet[3], 1]
            if case .event(let event)? = try? HCIPacket(decoding: head + packet[start..<end]) { events.append(event) }
            start = end
        }
        return events
    }

    /// Tells the user of a report, under the identity of its advertiser; true where a connection to it was waiting for
    /// its address, or who looks for its periodic advertising was waiting for it.
    private mutating func tell(_ report: AdvertisingReport, into out: inout [HostOutput]) -> Bool {
        guard let address = identity(of: report.address) else { return false }
        var isAwaited = address != report.address && heard(address, at: report.address)
        if heardTrain(of: address, in: report) { isAwaited = true }
        if scan.wanted != nil {
            var report = report
            report.address = address
            out.append(.event(.advertisingReport(report)))
        }
        return isAwaited
    }

    private mutating func useHeard(at now: Instant, into out: inout [HostOutput]) {
        stepConnecting(at: now, into: &out)
        stepPeriodic(at: now, into: &out)
        stepScan(at: now, into: &out)
    }
}
