import BLEWire

/// Events for hosts, those that they want.
extension Radio {
    mutating func send(_ event: HCIEvent, _ mask: LEEventMask, to controller: Int, into out: inout [RadioOutput]) {
        guard controllers[controller].host.allows(mask) else { return }
        out.append(.packet(ControllerID(rawValue: controller), event.packet()))
    }

    mutating func send(_ event: HCIEvent, _ mask: HCIEventMask, to controller: Int, into out: inout [RadioOutput]) {
        guard controllers[controller].host.eventMask.contains(mask) else { return }
        out.append(.packet(ControllerID(rawValue: controller), event.packet()))
    }
}
