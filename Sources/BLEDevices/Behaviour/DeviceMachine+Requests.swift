import BLEWire

// Requests: reads, and writes by their rules.
extension DeviceMachine {
    /// A rule that is to be carried out for what was written.
    struct RuleApplication: Sendable {
        var characteristic: AttributeIndex
        var rule: WriteRule
        var octets: [UInt8]
        var central: CentralID
        /// Answered when this rule is carried out; nil = another one's answer stands for it.
        var request: RequestID?
    }

    mutating func read(
        _ request: RequestID, _ index: AttributeIndex, _ offset: Int, _ central: CentralID, at now: Instant,
        _ time: WallTime, _ outputs: inout [Output]
    ) {
        guard characteristics.indices.contains(index), characteristics[index].properties.contains(.read) else {
            return outputs.append(.answer(request, error: 0x02, value: nil))
        }
        // What shows the time or another value is as old as the question; the rest of a long value is of its beginning.
        let isFresh = characteristics[index].period == nil && characteristics[index].sequence == nil
        if offset == 0, isFresh, !states[index].isSet, !characteristics[index].value.isFixed {
            states[index].value = make(index, time)
        }
        let value = states[index].value
        let answer: Output =
            offset > value.count
            ? .answer(request, error: 0x07, value: nil)
            : .answer(request, error: 0, value: Array(value.dropFirst(offset)))
        respond(answer, request, .read, index, central, at: now, &outputs)
    }

    /// Answers, unless something goes wrong.
    private mutating func respond(
        _ answer: Output, _ request: RequestID, _ occasion: DeviceFault.Occasion, _ index: AttributeIndex,
        _ central: CentralID, at now: Instant, _ outputs: inout [Output]
    ) {
        guard let fault = strikes(occasion, index) else { return outputs.append(answer) }
        outputs.append(.failed(index, fault))
        switch fault.effect {
        case .error(let code): outputs.append(.answer(request, error: code, value: nil))
        case .delay(let delay): schedule.put(.output(answer), at: now + delay)
        case .silence: break
        case .disconnect: outputs.append(.disconnect(central))
        }
    }

    mutating func write(
        _ request: RequestID, _ writes: [Write], _ central: CentralID, at now: Instant, _ time: WallTime,
        _ outputs: inout [Output]
    ) {
        let whole: [(AttributeIndex, [UInt8])]
        switch assemble(writes) {
        case .success(let assembled): whole = assembled
        case .failure(let refusal):
            return outputs.append(.answer(request, error: refusal.code, value: nil))
        }
        guard let first = whole.first else { return outputs.append(.answer(request, error: 0, value: nil)) }
        var applications = whole.map { index, octets in
            RuleApplication(
                characteristic: index,
                rule: characteristics[index].writes.first { $0.match.fits(octets) } ?? WriteRule(), octets: octets,
                central: central)
        }
        // One that refuses speaks for all of them.
        if let refused = applications.first(where: { $0.rule.error != nil }) { applications = [refused] }
        applications[0].request = request
        if let fault = strikes(.write, first.0) {
            outputs.append(.failed(first.0, fault))
            switch fault.effect {
            case .error(let code): return outputs.append(.answer(request, error: code, value: nil))
            case .delay(let delay):
                for index in applications.indices {
                    applications[index].rule.delay = applications[index].rule.delay + delay
                }
            case .silence: applications[0].request = nil
            case .disconnect: return outputs.append(.disconnect(central))
            }
        }
        for application in applications {
            if application.rule.delay > .zero {
                schedule.put(.rule(application), at: now + application.rule.delay)
            } else {
                apply(application, at: now, time, &outputs)
            }
        }
    }

    mutating func apply(
        _ application: RuleApplication, at now: Instant, _ time: WallTime, _ outputs: inout [Output]
    ) {
        let (index, rule) = (application.characteristic, application.rule)
        outputs.append(.wrote(index, application.octets, application.central, error: rule.error ?? 0))
        if let says = rule.says { outputs.append(.says(says)) }
        if rule.keeps { set(index, application.octets) }
        for change in rule.sets {
            let octets = make(change.value, time, written: application.octets)
            let target = change.characteristic ?? index
            if change.delay > .zero {
                schedule.put(.change(target, octets), at: now + change.delay)
            } else {
                set(target, octets)
            }
        }
        if let request = application.request {
            outputs.append(.answer(request, error: rule.error ?? 0, value: nil))
        }
        for change in rule.notifies {
            let octets = make(change.value, time, written: application.octets)
            let target = change.characteristic ?? index
            let output = Output.update(target, octets, isOfCourse: false)
            if change.delay > .zero {
                schedule.put(.output(output), at: now + change.delay)
            } else if states[target].subscribers > 0 {
                outputs.append(output)
            }
        }
        if rule.disconnects { outputs.append(.disconnect(application.central)) }
    }

    mutating func set(_ index: AttributeIndex, _ octets: [UInt8]) {
        states[index].value = octets
        states[index].isSet = true
    }

    /// Why a write can't be: an ATT error.
    private struct Refusal: Error { let code: UInt8 }

    /// Pieces put together: those of one characteristic that continue each other are one write. [Vol 3, Part F, 3.4.6.3]
    private func assemble(_ writes: [Write]) -> Result<[(AttributeIndex, [UInt8])], Refusal> {
        var whole: [(AttributeIndex, [UInt8])] = []
        for write in writes {
            let writable: CharacteristicProperties = [.write, .writeWithoutResponse, .signedWrite]
            guard characteristics.indices.contains(write.characteristic),
                !characteristics[write.characteristic].properties.isDisjoint(with: writable)
            else { return .failure(Refusal(code: 0x03)) }
            if write.offset == 0 {
                whole.append((write.characteristic, write.octets))
            } else {
                let isMore = whole.last?.0 == write.characteristic
                let before = isMore ? whole[whole.count - 1].1 : states[write.characteristic].value
                guard write.offset <= before.count else { return .failure(Refusal(code: 0x07)) }
                let octets = before.prefix(write.offset) + write.octets
                if isMore {
                    whole[whole.count - 1].1 = Array(octets)
                } else {
                    whole.append((write.characteristic, Array(octets)))
                }
            }
            guard whole[whole.count - 1].1.count <= 512 else { return .failure(Refusal(code: 0x0D)) }
        }
        return .success(whole)
    }
}
