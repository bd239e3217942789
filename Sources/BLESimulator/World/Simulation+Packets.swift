import BLEController
import BLEHost
package import BLEWire

// How packets travel between hosts and controllers, at one instant and in order.
extension Simulation {
    /// A packet that a host outside sends: H4 indicator first.
    package mutating func receive(_ packet: [UInt8], from device: DeviceID, into out: inout [SimulationOutput]) {
        guard devices.indices.contains(device.rawValue) else { return }
        work.append(.toController(device.rawValue, packet))
        runWork(into: &out)
    }

    /// Lets every packet that is on its way arrive, and what it brings about.
    mutating func runWork(into out: inout [SimulationOutput]) {
        if work.isEmpty { return }
        while workHead < work.count {
            let item = work[workHead]
            workHead += 1
            switch item {
            case .toController(let index, let packet): arriveAtController(index, packet, into: &out)
            case .toHost(let index, let packet): arriveAtHost(index, packet, into: &out)
            }
        }
        work.removeAll(keepingCapacity: true)
        workHead = 0
    }

    private mutating func arriveAtController(_ index: Int, _ packet: [UInt8], into out: inout [SimulationOutput]) {
        guard devices[index].isTransportOpen else { return }
        guard devices[index].stall.until == nil else {
            devices[index].stall.toController.append(packet)
            return
        }
        note(index, .toController, packet, into: &out)
        radio.receive(packet, from: devices[index].controller, at: now, into: &radioOutputs)
        absorbRadio(into: &out)
    }

    private mutating func arriveAtHost(_ index: Int, _ packet: [UInt8], into out: inout [SimulationOutput]) {
        guard devices[index].isTransportOpen else { return }
        guard devices[index].stall.until == nil else {
            devices[index].stall.toHost.append(packet)
            return
        }
        note(index, .toHost, packet, into: &out)
        if devices[index].host == nil {
            out.append(.packet(DeviceID(rawValue: index), packet))
        } else {
            feed(index, .packet(packet), into: &out)
        }
    }

    /// Takes what the radio has put out.
    mutating func absorbRadio(into out: inout [SimulationOutput]) {
        if radioOutputs.isEmpty { return }
        for output in radioOutputs {
            switch output {
            case .packet(let controller, let packet):
                if let index = owners[controller.rawValue] { work.append(.toHost(index, packet)) }
            case .trace(let controller, let trace):
                if let index = owners[controller.rawValue] { tell(index, trace, into: &out) }
            case .state(let controller, let state):
                guard let index = owners[controller.rawValue] else { continue }
                devices[index].state = state
                hash.mix(UInt64(index) << 8 | UInt64(state.rawValue))
                record(index, .linkLayer(state))
            case .air(let packet):
                out.append(.air(packet))
            case .keys(let keys):
                out.append(.keys(keys))
            }
        }
        radioOutputs.removeAll(keepingCapacity: true)
    }

    private mutating func note(
        _ index: Int, _ direction: CaptureDirection, _ packet: [UInt8], into out: inout [SimulationOutput]
    ) {
        hash.mix(now)
        hash.mix(UInt64(index) << 1 | (direction == .toHost ? 1 : 0))
        hash.mix(packet)
        if direction == .toHost {
            var news: [(DeviceAddress, Int8)] = []
            sightings.note(packet, observer: DeviceID(rawValue: index), at: now) { news.append(($0, $1)) }
            for (address, rssi) in news { record(index, .saw(address, rssi: rssi)) }
        }
        if devices[index].isCaptured {
            out.append(.captured(DeviceID(rawValue: index), direction, packet))
        }
    }

    // MARK: The record

    mutating func record(_ index: Int, _ kind: WorldRecord.Kind) {
        guard records.count < recordLimit else {
            droppedRecords += 1
            return
        }
        records.append(WorldRecord(time: now, device: DeviceID(rawValue: index), kind: kind))
    }

    /// Takes a trace of a host outside into the record.
    package mutating func note(_ trace: TraceEvent, of device: DeviceID) {
        if trace.level >= .notice { record(device.rawValue, .trace(trace)) }
    }

    mutating func tell(_ index: Int, _ trace: TraceEvent, into out: inout [SimulationOutput]) {
        if trace.level >= .notice { record(index, .trace(trace)) }
        out.append(.trace(DeviceID(rawValue: index), trace))
    }
}
