import BLEWire

// Values: how they are made, how they go on, and what goes wrong with them.
extension DeviceMachine {
    func surroundings(_ time: WallTime, written: [UInt8] = []) -> ValueMaker.Surroundings {
        let (states, characteristics) = (states, characteristics)
        return .init(
            time: time, value: { states.indices.contains($0) ? states[$0].value : [] },
            number: { index in
                guard characteristics.indices.contains(index),
                    case .number(let part) = characteristics[index].value.parts.first
                else { return nil }
                return part.type.number(states[index].value, places: part.places, isBigEndian: part.isBigEndian)
            }, written: written)
    }

    mutating func make(_ index: AttributeIndex, _ time: WallTime) -> [UInt8] {
        states[index].maker.octets(surroundings(time), &random)
    }

    mutating func make(_ template: ValueTemplate, _ time: WallTime, written: [UInt8]) -> [UInt8] {
        ValueMaker(template).octets(surroundings(time, written: written), &random)
    }

    /// Begins the time of a characteristic.
    mutating func run(_ index: AttributeIndex, at now: Instant) {
        states[index].run += 1
        let run = states[index].run
        if let period = characteristics[index].period {
            schedule.put(.step(index, run: run), at: now + period)
        } else if let sequence = characteristics[index].sequence, let first = sequence.steps.first {
            states[index].nextStep = 0
            schedule.put(.step(index, run: run), at: now + first.delay)
        }
    }

    /// The time has come for the next value, if the run of its time goes on.
    mutating func step(
        _ index: AttributeIndex, _ run: Int, at due: Instant, _ time: WallTime, _ outputs: inout [Output]
    ) {
        guard states[index].run == run else { return }
        if let period = characteristics[index].period {
            states[index].maker.step(surroundings(time), &random)
            states[index].isSet = false
            update(index, make(index, time), isOfCourse: true, &outputs)
            schedule.put(.step(index, run: run), at: due + period)
        } else if let sequence = characteristics[index].sequence {
            let octets = make(sequence.steps[states[index].nextStep].value, time, written: [])
            states[index].isSet = true
            update(index, octets, isOfCourse: false, &outputs)
            states[index].nextStep += 1
            if states[index].nextStep == sequence.steps.count {
                guard sequence.end == .repeats else { return }
                states[index].nextStep = 0
            }
            schedule.put(.step(index, run: run), at: due + sequence.steps[states[index].nextStep].delay)
        }
    }

    /// A new value, for who is subscribed.
    mutating func update(
        _ index: AttributeIndex, _ octets: [UInt8], isOfCourse: Bool, _ outputs: inout [Output]
    ) {
        states[index].value = octets
        guard states[index].subscribers > 0 else { return }
        if let fault = strikes(.notify, index) {
            outputs.append(.failed(index, fault))
            // Who is subscribed isn't known here by name: the caller ends the links of all of them.
            if fault.effect == .disconnect { outputs.append(.disconnect(Self.allSubscribers(of: index))) }
            return
        }
        outputs.append(.update(index, octets, isOfCourse: isOfCourse))
    }

    /// Stands for all centrals that are subscribed to a characteristic.
    package static func allSubscribers(of index: AttributeIndex) -> CentralID { -1 - index }

    /// The fault that happens on this occasion, if any does.
    mutating func strikes(_ occasion: DeviceFault.Occasion, _ index: AttributeIndex) -> DeviceFault? {
        var found: DeviceFault?
        for (number, fault) in characteristics[index].faults.enumerated() where fault.occasion == occasion {
            states[index].occasions[number] += 1
            let count = states[index].occasions[number] - fault.skip
            guard found == nil, count > 0, (count - 1) % fault.every == 0 else { continue }
            if fault.chance >= 1 || random.fraction() < fault.chance { found = fault }
        }
        return found
    }
}
