import BLEWire

// Advertising: the user's side, and one step at a time towards what is wanted. [Vol 4, Part E, 7.8.5]
extension HostMachine {
    mutating func startAdvertising(_ settings: AdvertisingSettings, into out: inout [HostOutput]) {
        guard isOn else { return out.append(.event(.advertisingStarted(.notPoweredOn))) }
        if let why = fault(of: settings) { return out.append(.event(.advertisingStarted(.invalidParameters(why)))) }
        if advertising.owesAnswer { out.append(.event(.advertisingStarted(.cancelled))) }
        advertising.wanted = settings
        advertising.owesAnswer = true
        advertising.waitsForLinkEnd = false
        stepAdvertising(into: &out)
    }

    mutating func stopAdvertising(into out: inout [HostOutput]) {
        if advertising.owesAnswer { out.append(.event(.advertisingStarted(.cancelled))) }
        advertising.owesAnswer = false
        advertising.wanted = nil
        stepAdvertising(into: &out)
    }

    /// Brings what the controller does one command nearer to what is wanted.
    mutating func stepAdvertising(into out: inout [HostOutput]) {
        guard isOn, !advertising.isBusy else { return }
        let wanted = privacy.holds ? nil : advertising.wanted
        if let running = advertising.running {
            if wanted == running { return answerAdvertising(nil, into: &out) }
            advertising.isBusy = true
            sendAdvertisingEnable(false)
        } else if let target = wanted, !advertising.waitsForLinkEnd {
            if !advertising.owesAnswer, target.isConnectable, !advertisesBesideLinks {
                // The controller has said that it can't: no need to be refused.
                advertising.waitsForLinkEnd = true
                return
            }
            advertising.isBusy = true
            advertising.applying = target
            let configured = advertising.configured
            if configured == target { return sendAdvertisingEnable(true) }
            advertising.configured = nil
            sendAdvertisingParameters(target)
        }
    }

    /// Whether the controller says that it can be connected to beside the links that there are.
    private var advertisesBesideLinks: Bool {
        links.all.allSatisfy { link in
            link.info.isCentral ? controller.states.advertisesAsCentral : controller.states.advertisesAsPeripheral
        }
    }

    private mutating func answerAdvertising(_ error: HostError?, into out: inout [HostOutput]) {
        guard advertising.owesAnswer else { return }
        advertising.owesAnswer = false
        out.append(.event(.advertisingStarted(error)))
    }

    /// A command of advertising was answered.
    mutating func advertisingAnswered(
        _ purpose: CommandPurpose, status: HCIStatus, into out: inout [HostOutput]
    ) {
        let applying = advertising.applying ?? AdvertisingSettings()
        switch purpose {
        case .disableAdvertising:
            if status != .success { trace(.warning, "gap", "stopping advertising: \(status.text)", into: &out) }
            advertising.isBusy = false
            advertising.running = nil
        case .setAdvertisingParameters where status == .success:
            if sendAdvertisingAddress() { return }
            return sendAdvertisingData(applying)
        case .setAdvertisingAddress where status == .success: return sendAdvertisingData(applying)
        case .setAdvertisingData where status == .success:
            if sendScanResponse(applying) { return }
            advertising.configured = applying
            return sendAdvertisingEnable(true)
        case .setScanResponseData where status == .success:
            advertising.configured = applying
            return sendAdvertisingEnable(true)
        case .enableAdvertising where status == .success:
            advertising.isBusy = false
            advertising.running = applying
        default:
            advertising.isBusy = false
            advertisingRefused(status, into: &out)
        }
        stepAdvertising(into: &out)
    }

    private mutating func advertisingRefused(_ status: HCIStatus, into out: inout [HostOutput]) {
        let isFull = [.commandDisallowed, .connectionLimitExceeded, .rejectedLimitedResources].contains(status)
        if isFull, !links.isEmpty, !advertising.owesAnswer {
            trace(.info, "gap", "advertising goes on when a link has ended: \(status.text)", into: &out)
            advertising.waitsForLinkEnd = true
        } else {
            trace(.warning, "gap", "the controller refuses to advertise: \(status.text)", into: &out)
            let wasTold = !advertising.owesAnswer && advertising.wanted != nil
            advertising.wanted = nil
            answerAdvertising(.hci(status), into: &out)
            if wasTold { out.append(.event(.advertisingEnded)) }
        }
    }

    /// A connection as peripheral, or its time, has ended advertising. [Vol 4, Part E, 7.8.9]
    mutating func advertisingStopped(byConnection: Bool, into out: inout [HostOutput]) {
        advertising.running = nil
        // A command that is on its way is answered after this; the step that follows its answer puts things right.
        if advertising.wanted == nil { return }
        if byConnection, configuration.advertising.continuesAfterConnection { return stepAdvertising(into: &out) }
        advertising.wanted = nil
        out.append(.event(.advertisingEnded))
    }
}

extension AdvertisingSettings {
    /// [Vol 4, Part E, 7.8.5]
    var type: LEAdvertisingType {
        if isConnectable { return .connectableAndScannable }
        return isScannable ? .scannable : .nonConnectable
    }

    /// What is wrong with them; `longest` is how long the data of extended advertising may be, nil where it may not be
    /// used. [Vol 4, Part E, 7.8.5], [Vol 4, Part E, 7.8.7]
    func fault(longest: Int?) -> String? {
        let range: ClosedRange<UInt16> = 0x0020...0x4000
        guard range.contains(intervalMinimum), range.contains(intervalMaximum), intervalMinimum <= intervalMaximum
        else { return "an advertising interval of \(intervalMinimum) to \(intervalMaximum)" }
        if let longest, needsExtendedPDUs {
            // A connectable advertisement has one packet: 245 octets beside its header. [Vol 6, Part B, 2.3.1.8]
            let limit = isConnectable ? min(longest, 245) : longest
            let count = data.count + scanResponse.count
            return count <= limit ? nil : "advertising data of \(count) octets, of \(limit)"
        }
        if data.count > 31 { return "advertising data of \(data.count) octets" }
        if scanResponse.count > 31 { return "a scan response of \(scanResponse.count) octets" }
        return nil
    }
}
