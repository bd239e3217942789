// What passes on the bus, in a line each for who looks for a fault: `RAVNING_LOG=bluez=trace`. Passkeys, which only an
// agent's calls and answers have, are left out.

extension BusInput {
    var trace: String {
        switch self {
        case .busOpened: "the bus is open"
        case .busFailed(let failure), .busClosed(let failure): "the bus is gone: \(failure)"
        case .signal(let signal): "\(signal.path) \(signal.interface).\(signal.member) \(signal.arguments)"
        case .reply(let number, .success): "call \(number.rawValue) is answered"
        case .reply(let number, .failure(let failure)): "call \(number.rawValue) is answered with \(failure)"
        case .call(let call):
            "\(call.path) is asked \(call.member) \(call.interface == BlueZName.agent ? [] : call.arguments)"
        case .socket(let event): "\(event)"
        }
    }
}

extension BusOutput {
    var trace: String {
        switch self {
        case .call(let number, let call):
            "call \(number.rawValue): \(call.path) \(call.interface).\(call.member) \(call.arguments)"
        case .answer(_, .success): "an answer"
        case .answer(_, .failure(let failure)): "an answer: \(failure)"
        default: "\(self)"
        }
    }
}
