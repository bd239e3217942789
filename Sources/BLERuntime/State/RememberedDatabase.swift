package import BLEHost
package import BLEWire

/// What discovery has found in a bonded peer's database: the answers to whole procedures, so that each can be given again
/// in the same shape and order. [Vol 3, Part G, 2.5.2]
package struct RememberedDatabase: Equatable, Sendable {
    package struct Answer: Equatable, Sendable {
        package let procedure: GATTProcedure
        package let outcome: GATTOutcome
    }

    /// Answers, and what they list, taken together; what is more isn't remembered.
    package static let limit = 4096

    /// The Database Hash that the answers belong to, as on the air; nil where the peer has none. [Vol 3, Part G, 7.3]
    package var hash: [UInt8]?
    /// In the order in which they came.
    package private(set) var answers: [Answer] = []
    private var size = 0

    package init(hash: [UInt8]? = nil) { self.hash = hash }

    /// What the procedure would find.
    package func outcome(of procedure: GATTProcedure) -> GATTOutcome? {
        if let answer = answers.first(where: { $0.procedure == procedure }) { return answer.outcome }
        // Of all services, those of one UUID are known.
        guard case .discoverServices(let uuid?) = procedure,
            case .services(let all)? = outcome(of: .discoverServices(nil))
        else { return nil }
        return .services(all.filter { $0.uuid == uuid })
    }

    /// Remembers what a procedure has found; false where that is nothing to remember, or too much.
    package mutating func note(_ outcome: GATTOutcome, of procedure: GATTProcedure) -> Bool {
        guard let count = Self.count(outcome, of: procedure), size + count + 1 <= Self.limit,
            !answers.contains(where: { $0.procedure == procedure })
        else { return false }
        answers.append(Answer(procedure: procedure, outcome: outcome))
        size += count + 1
        return true
    }

    /// Where the peer's Service Changed is. [Vol 3, Part G, 7.1]
    package var serviceChanged: AttributeHandle? {
        for answer in answers {
            guard case .characteristics(let list) = answer.outcome else { continue }
            if let found = list.first(where: { $0.uuid == .serviceChanged }) { return found.value }
        }
        return nil
    }

    /// How much a procedure of discovery has found; nil for others, and for what is no answer to it.
    private static func count(_ outcome: GATTOutcome, of procedure: GATTProcedure) -> Int? {
        switch (procedure, outcome) {
        case (.discoverServices, .services(let list)): list.count
        case (.discoverIncludedServices, .includedServices(let list)): list.count
        case (.discoverCharacteristics, .characteristics(let list)): list.count
        case (.discoverDescriptors, .descriptors(let list)): list.count
        default: nil
        }
    }
}
