package import BLEController
import BLEHost
package import BLEWire

/// Devices on one radio in virtual time.
///
/// *Role*: the clock and the event queue that hosts and the radio share, the packets that pass between them, faults,
/// and the record of what happened.
/// *Inputs and outputs*: devices and faults in; time moves by `step`, `run` and `advance`; what concerns somebody
/// outside is appended to a list of `SimulationOutput`s. Hosts may live inside (`addHost`) or outside (`addDevice`).
/// *Limits*: nothing here waits or calls out, so a whole scenario is a function of (seed, inputs). Events of one
/// instant keep their order: the radio first, then the queue in the order of insertion; packets in the order sent.
package struct Simulation {
    package let seed: UInt64
    package internal(set) var now = Instant.start
    package internal(set) var hash = TraceHash()
    package internal(set) var records: [WorldRecord] = []
    /// Records beyond are dropped and counted.
    package var recordLimit = 100_000
    package internal(set) var droppedRecords = 0
    package internal(set) var sightings = SightingTable()

    var radio: Radio
    var devices: [SimulatedDevice] = []
    /// Hosts inside, and what plays peripherals on them. Apart from the devices: they are large, and looking at a
    /// device must not copy them.
    var hosts: [HostMachine] = []
    var peripherals: [LightPeripheral] = []
    var placement = Placement()
    /// The device of each controller, by the controller's number.
    var owners: [Int: Int] = [:]
    var queue = EventQueue<Scheduled>()
    private var nextAction: UInt64 = 0

    /// Packets on their way at this instant.
    var work: [Work] = []
    var workHead = 0
    /// Kept between calls for their capacity.
    var radioOutputs: [RadioOutput] = []
    var hostOutputs: [HostOutput] = []

    /// What waits in the event queue.
    enum Scheduled: Sendable {
        case deadline(Int)
        case action(ActionID)
        case fault(Fault)
        case endOfStall(Int)
    }

    enum Work: Sendable {
        case toController(Int, [UInt8])
        case toHost(Int, [UInt8])
    }

    package init(seed: UInt64, settings: RadioSettings = RadioSettings()) {
        self.seed = seed
        radio = Radio(seed: seed, settings: settings)
        hash.mix(seed)
    }

    // MARK: Time

    /// When the next thing happens.
    package var nextDeadline: Instant? {
        guard let radioTime = radio.nextDeadline else { return queue.nextTime }
        return queue.nextTime.map { min($0, radioTime) } ?? radioTime
    }

    /// Lets the next thing happen that is due until the limit; false where there is none.
    package mutating func step(to limit: Instant, into out: inout [SimulationOutput]) -> Bool {
        let radioTime = radio.nextDeadline ?? .never
        let queueTime = queue.nextTime ?? .never
        let time = min(radioTime, queueTime)
        guard time <= limit, time != .never else { return false }
        if time > now { now = time }
        if radioTime <= queueTime {
            radio.advance(to: now, into: &radioOutputs)
            absorbRadio(into: &out)
        } else if let (_, scheduled) = queue.pop(dueAt: now) {
            perform(scheduled, into: &out)
        }
        runWork(into: &out)
        return true
    }

    /// Lets things happen until something concerns somebody outside; false where the limit came first.
    package mutating func run(to limit: Instant, into out: inout [SimulationOutput]) -> Bool {
        let before = out.count
        while step(to: limit, into: &out) {
            if out.count > before { return true }
        }
        moveClock(to: limit)
        return false
    }

    /// Lets everything happen until the instant.
    package mutating func advance(to limit: Instant, into out: inout [SimulationOutput]) {
        while step(to: limit, into: &out) {}
        moveClock(to: limit)
    }

    /// Nothing happens until then.
    package mutating func moveClock(to time: Instant) {
        if time > now, time != .never { now = time }
    }

    // MARK: What is scheduled

    /// Puts out `.action` at the instant; not before now.
    package mutating func schedule(at time: Instant) -> ActionID {
        nextAction += 1
        let action = ActionID(rawValue: nextAction)
        queue.push(.action(action), at: max(time, now))
        return action
    }

    package mutating func schedule(_ fault: Fault, at time: Instant) {
        queue.push(.fault(fault), at: max(time, now))
    }

    /// When a host outside wants `.hostDeadline`.
    package mutating func setDeadline(_ deadline: Instant?, of device: DeviceID) {
        guard devices.indices.contains(device.rawValue) else { return }
        arm(device.rawValue, deadline)
    }

    mutating func arm(_ index: Int, _ deadline: Instant?) {
        let time = deadline.map { max($0, now) } ?? .never
        devices[index].deadline = time
        guard time < devices[index].armed else { return }
        devices[index].armed = time
        queue.push(.deadline(index), at: time)
    }

    private mutating func perform(_ scheduled: Scheduled, into out: inout [SimulationOutput]) {
        switch scheduled {
        case .deadline(let index): deadlineReached(index, into: &out)
        case .action(let action): out.append(.action(action))
        case .fault(let fault): apply(fault, into: &out)
        case .endOfStall(let index): endStall(index)
        }
    }

    private mutating func deadlineReached(_ index: Int, into out: inout [SimulationOutput]) {
        if devices[index].armed <= now { devices[index].armed = .never }
        let deadline = devices[index].deadline
        guard deadline <= now else {
            arm(index, deadline == .never ? nil : deadline)
            return
        }
        devices[index].deadline = .never
        if devices[index].host == nil {
            out.append(.hostDeadline(DeviceID(rawValue: index)))
        } else {
            hostTimer(index, into: &out)
        }
    }
}
