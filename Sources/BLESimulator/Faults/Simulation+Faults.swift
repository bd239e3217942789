import BLEController
import BLEHost
import BLEWire

// What goes wrong with devices, and right again.
extension Simulation {
    package mutating func apply(_ fault: Fault, into out: inout [SimulationOutput]) {
        let device = fault.device.rawValue
        guard devices.indices.contains(device), devices.indices.contains(fault.otherDevice.rawValue) else { return }
        hash.mix(now)
        hash.mix(String(describing: fault))
        record(device, .fault(fault))
        switch fault {
        case .loss, .rssi, .outOfRange, .position:
            placement.note(fault)
            place(fault)
        case .power(_, let isOn): power(device, isOn, into: &out)
        case .resetController(_, let delay): resetController(device, downFor: delay, into: &out)
        case .closeTransport(_, let reason): closeTransport(device, reason: reason, into: &out)
        case .openTransport: openTransport(device, into: &out)
        case .stall(_, let delay): stall(device, until: now + delay)
        }
        runWork(into: &out)
    }

    private mutating func place(_ fault: Fault) {
        let controller = devices[fault.device.rawValue].controller
        let other = devices[fault.otherDevice.rawValue].controller
        switch fault {
        case .loss(_, _, let share): radio.setLoss(share, between: controller, and: other)
        case .outOfRange(_, _, let isOut): radio.setLoss(isOut ? 1 : nil, between: controller, and: other)
        case .rssi(_, _, let rssi): radio.setRSSI(rssi, between: controller, and: other)
        case .position(_, let position): radio.setPosition(position, of: controller)
        default: break
        }
    }

    private mutating func power(_ index: Int, _ isOn: Bool, into out: inout [SimulationOutput]) {
        if devices[index].host == nil {
            out.append(.power(DeviceID(rawValue: index), isOn))
        } else {
            feed(index, .command(isOn ? .powerOn : .powerOff), into: &out)
        }
    }

    // MARK: Controller and transport

    /// Its peers find out by their supervision time-outs, as with a stick that is pulled out.
    private mutating func resetController(_ index: Int, downFor delay: Delay, into out: inout [SimulationOutput]) {
        closeTransport(index, reason: "the controller was reset", into: &out)
        queue.push(.fault(.openTransport(DeviceID(rawValue: index))), at: now + delay)
    }

    private mutating func closeTransport(_ index: Int, reason: String, into out: inout [SimulationOutput]) {
        guard devices[index].isTransportOpen else { return }
        devices[index].isTransportOpen = false
        devices[index].stall = StalledPackets()
        owners[devices[index].controller.rawValue] = nil
        radio.removeController(devices[index].controller, at: now, into: &radioOutputs)
        absorbRadio(into: &out)
        if devices[index].state != .standby {
            devices[index].state = .standby
            record(index, .linkLayer(.standby))
        }
        if devices[index].host == nil {
            out.append(.transportClosed(DeviceID(rawValue: index), reason: reason))
        } else {
            feed(index, .transportClosed(reason: reason), into: &out)
        }
    }

    private mutating func openTransport(_ index: Int, into out: inout [SimulationOutput]) {
        guard !devices[index].isTransportOpen else { return }
        devices[index].isTransportOpen = true
        let controller = radio.addController(devices[index].profile, at: now)
        devices[index].controller = controller
        owners[controller.rawValue] = index
        for fault in placement.all where fault.device.rawValue == index || fault.otherDevice.rawValue == index {
            place(fault)
        }
        if devices[index].host == nil {
            out.append(.transportOpened(DeviceID(rawValue: index)))
        } else {
            feed(index, .transportOpened, into: &out)
        }
    }

    // MARK: Stall

    private mutating func stall(_ index: Int, until time: Instant) {
        if let until = devices[index].stall.until, until >= time { return }
        devices[index].stall.until = time
        queue.push(.endOfStall(index), at: time)
    }

    mutating func endStall(_ index: Int) {
        guard let until = devices[index].stall.until, until <= now else { return }
        let held = devices[index].stall
        devices[index].stall = StalledPackets()
        work += held.toHost.map { .toHost(index, $0) }
        work += held.toController.map { .toController(index, $0) }
    }
}

/// What holds for pairs and places now, so that a new controller of a device gets it too.
struct Placement: Sendable {
    private(set) var all: [Fault] = []

    mutating func note(_ fault: Fault) {
        all.removeAll { $0.replaces(fault) }
        all.append(fault)
    }
}

extension Fault {
    /// The device that it happens to; the first of two.
    package var device: DeviceID {
        switch self {
        case .loss(let device, _, _), .rssi(let device, _, _), .outOfRange(let device, _, _): device
        case .position(let device, _), .power(let device, _), .resetController(let device, _): device
        case .closeTransport(let device, _), .openTransport(let device), .stall(let device, _): device
        }
    }

    /// The second of two devices; else the same as `device`.
    package var otherDevice: DeviceID {
        switch self {
        case .loss(_, let other, _), .rssi(_, let other, _), .outOfRange(_, let other, _): other
        default: device
        }
    }

    /// Whether two say the same thing of the same devices, maybe with other values.
    fileprivate func replaces(_ other: Fault) -> Bool {
        switch (self, other) {
        // Being out of range is a loss of everything.
        case (.loss, .loss), (.loss, .outOfRange), (.outOfRange, .loss), (.outOfRange, .outOfRange), (.rssi, .rssi):
            return (device == other.device && otherDevice == other.otherDevice)
                || (device == other.otherDevice && otherDevice == other.device)
        case (.position, .position): return device == other.device
        default: return false
        }
    }
}
