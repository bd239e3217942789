import BLEWire

/// The HCI commands of a host on their way to the controller and back.
///
/// *Role*: command flow control. [Vol 4, Part E, 4.4]
///
/// *Inputs and outputs*: commands in, packets out as the controller's credits allow; an answer in, the command that it
/// belongs to out.
///
/// *Limits*: one command at a time is without an answer, whatever Num_HCI_Command_Packets allows, so that an answer
/// belongs to exactly one command. A controller that neither answers nor gives a credit runs into `deadline`.
struct CommandQueue {
    struct Command: Equatable {
        var opcode: HCIOpcode
        var packet: [UInt8]
        var purpose: CommandPurpose
    }

    private var waiting = FIFO<Command>()
    /// The command without an answer.
    private(set) var outstanding: Command?
    /// Num_HCI_Command_Packets as said last, less what was sent since. A host may send one before it was said.
    private(set) var credits = 1
    /// When the controller has taken too long.
    private(set) var deadline = Instant.never

    init() {}

    /// The command that an expired deadline is about.
    var stuck: HCIOpcode? { (outstanding ?? waiting.first)?.opcode }

    mutating func append(_ command: Command) { waiting.append(command) }

    /// Whether `next` has something to do.
    var isPending: Bool { outstanding == nil && !waiting.isEmpty }

    /// The next packet for the controller, if it may be sent.
    mutating func next(at now: Instant, timeout: Delay) -> [UInt8]? {
        guard outstanding == nil else { return nil }
        guard !waiting.isEmpty else {
            deadline = .never
            return nil
        }
        guard credits > 0, let command = waiting.popFirst() else {
            if deadline == .never { deadline = now + timeout }
            return nil
        }
        credits -= 1
        outstanding = command
        deadline = now + timeout
        return command.packet
    }

    /// Takes an answer: the command that it ends, if it is the one that was sent.
    mutating func answered(_ opcode: HCIOpcode, credits count: UInt8) -> Command? {
        credits = Int(count)
        guard let command = outstanding, command.opcode == opcode else { return nil }
        outstanding = nil
        deadline = .never
        return command
    }

    /// Forgets everything, as HCI_Reset does.
    mutating func removeAll() {
        waiting.removeAll()
        outstanding = nil
        credits = 1
        deadline = .never
    }
}
