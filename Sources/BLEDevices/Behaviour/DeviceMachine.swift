package import BLEWire

/// A described device at work.
///
/// *Role*: answers requests and sends values as the description says.
/// *Inputs and outputs*: what a peripheral manager tells, in; answers and values for it, out. Each with the instant, and with
/// the time of day for values that show it. Chance comes from the description's seed.
/// *Limits*: it knows centrals and requests by numbers of the caller's; a write is at most 512 octets long.
package struct DeviceMachine: Sendable {
    /// What the caller calls a request, and a central.
    package typealias RequestID = Int
    package typealias CentralID = Int

    package enum Input: Sendable {
        case read(RequestID, AttributeIndex, offset: Int, CentralID)
        /// What is to be answered by one answer: all of it happens, or nothing.
        case write(RequestID, [Write], CentralID)
        case subscribed(AttributeIndex, CentralID)
        case unsubscribed(AttributeIndex, CentralID)
    }

    /// One piece of what is written.
    package struct Write: Equatable, Sendable {
        package var characteristic: AttributeIndex
        package var offset: Int
        package var octets: [UInt8]
        package init(_ characteristic: AttributeIndex, offset: Int = 0, _ octets: [UInt8]) {
            self.characteristic = characteristic
            self.offset = offset
            self.octets = octets
        }
    }

    package enum Output: Equatable, Sendable {
        /// The ATT error, 0 = none; a value for reads only.
        case answer(RequestID, error: UInt8, value: [UInt8]?)
        /// A value for all that are subscribed. One of a course is old when the next one comes.
        case update(AttributeIndex, [UInt8], isOfCourse: Bool)
        case disconnect(CentralID)
        /// For the person who watches.
        case wrote(AttributeIndex, [UInt8], CentralID, error: UInt8)
        case says(String)
        case failed(AttributeIndex, DeviceFault)
    }

    let device: DeviceDescription
    let characteristics: [DeviceCharacteristic]
    var states: [CharacteristicState]
    var random: SplitMix
    var schedule = DeviceSchedule()

    package init(_ device: DeviceDescription) {
        self.device = device
        characteristics = device.characteristics
        states = characteristics.map(CharacteristicState.init)
        random = SplitMix(seed: device.seed)
    }

    /// When `tick` is to be called; never = nothing is due.
    package var nextDeadline: Instant { schedule.next }

    /// The device is switched on: its times begin.
    package mutating func start(at now: Instant, _ time: WallTime) {
        schedule = DeviceSchedule()
        for index in characteristics.indices {
            states[index] = CharacteristicState(characteristics[index])
        }
        for index in characteristics.indices {
            states[index].value = make(index, time)
            if characteristics[index].runs == .always { run(index, at: now) }
        }
    }

    /// The device is switched off: nothing more is due.
    package mutating func stop() { schedule = DeviceSchedule() }

    package mutating func handle(_ input: Input, at now: Instant, _ time: WallTime, into outputs: inout [Output]) {
        switch input {
        case .read(let request, let index, let offset, let central):
            read(request, index, offset, central, at: now, time, &outputs)
        case .write(let request, let writes, let central):
            write(request, writes, central, at: now, time, &outputs)
        case .subscribed(let index, let central):
            guard states.indices.contains(index) else { return }
            states[index].subscribers += 1
            if states[index].subscribers == 1, characteristics[index].runs == .subscribed { run(index, at: now) }
            if let fault = strikes(.subscribe, index) {
                outputs += [.failed(index, fault), .disconnect(central)]
            }
        case .unsubscribed(let index, _):
            guard states.indices.contains(index), states[index].subscribers > 0 else { return }
            states[index].subscribers -= 1
            if states[index].subscribers == 0, characteristics[index].runs == .subscribed {
                states[index].run += 1
            }
        }
    }

    /// Carries out what is due.
    package mutating func tick(at now: Instant, _ time: WallTime, into outputs: inout [Output]) {
        while let event = schedule.take(upTo: now) {
            switch event.action {
            case .output(let output): outputs.append(output)
            case .rule(let application): apply(application, at: now, time, &outputs)
            case .change(let index, let octets): set(index, octets)
            case .step(let index, let run): step(index, run, at: event.deadline, time, &outputs)
            }
        }
    }

    /// The value of a characteristic as it is now.
    package func value(of index: AttributeIndex) -> [UInt8] {
        states.indices.contains(index) ? states[index].value : []
    }
}

/// How a characteristic is doing.
struct CharacteristicState: Sendable {
    var maker: ValueMaker
    var value: [UInt8] = []
    /// The value is what was written or set, not what its template makes.
    var isSet = false
    var subscribers = 0
    /// Which run of its time it is; what was scheduled in an earlier one isn't done.
    var run = 0
    /// The next step of its sequence.
    var nextStep = 0
    /// How often each fault had occasion to happen.
    var occasions: [Int]

    init(_ characteristic: DeviceCharacteristic) {
        maker = ValueMaker(characteristic.value)
        occasions = characteristic.faults.map { _ in 0 }
    }
}

/// What is to happen later, in its order; of the same time, in the order in which it was put in.
struct DeviceSchedule: Sendable {
    enum Action: Sendable {
        case output(DeviceMachine.Output)
        case rule(DeviceMachine.RuleApplication)
        case change(AttributeIndex, [UInt8])
        case step(AttributeIndex, run: Int)
    }
    struct Event: Sendable {
        let deadline: Instant
        let action: Action
    }
    private var events: [Event] = []

    var next: Instant { events.first?.deadline ?? .never }

    mutating func put(_ action: Action, at deadline: Instant) {
        let place = events.firstIndex { $0.deadline > deadline } ?? events.count
        events.insert(Event(deadline: deadline, action: action), at: place)
    }

    mutating func take(upTo now: Instant) -> Event? {
        guard let first = events.first, first.deadline <= now else { return nil }
        return events.removeFirst()
    }
}
