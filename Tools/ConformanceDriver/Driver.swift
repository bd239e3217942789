import BLEHost
import BLEWire

/// Answers frames with frames. Nothing here waits, so there is no clock: all happens at the start of time.
struct Driver {
    private var session: Session?

    mutating func handle(_ frame: Frame) -> [Frame] {
        switch frame {
        case .pdu(let pdu):
            guard session != nil else { return [] }
            return session?.received(pdu) ?? []
        case .message(let message): return handle(message)
        case .unknown: return [Self.unsupported("a frame that is neither a PDU nor an object")]
        }
    }

    private mutating func handle(_ message: [String: Any]) -> [Frame] {
        switch message.text("op") {
        case "open":
            switch Session.open(message) {
            case .success(let opened):
                session = opened
                return [.message(["event": "opened"])]
            case .failure(let reason): return [Self.unsupported(reason.text)]
            }
        case "do":
            guard session != nil else { return [Self.unsupported("no session is open")] }
            return session?.perform(message) ?? []
        case "sync": return [.message(["event": "synced"])]
        case "close":
            session = nil
            return [.message(["event": "closed"])]
        case "parse_ad": return [ParsedCases.advertising(message)]
        case "uuid": return [ParsedCases.uuid(message)]
        case "crypto": return [CryptoCases.answer(message.object("case") ?? message)]
        default: return [Self.unsupported("an operation that isn't known")]
        }
    }

    static func unsupported(_ why: String) -> Frame { .message(["event": "unsupported", "why": why]) }
}

/// Why something can't be done.
struct Unsupported: Error {
    let text: String
}
