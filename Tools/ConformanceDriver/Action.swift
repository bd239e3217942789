import BLEHost
import BLEWire

/// An action of a client: one procedure, or several one after the other.
struct Action {
    /// What comes next.
    enum Next {
        case step(GATTProcedure)
        /// A value has to arrive.
        case value
        case done([String: Any])
    }

    private enum Kind {
        case single(GATTProcedure)
        case subscribe(GATTProcedure)
        case everything(Discovery)
    }

    private var kind: Kind
    private var isBegun = false
    private(set) var exchanges = false

    /// Whether it ends with a value that arrives.
    var awaitsValue: Bool {
        if case .subscribe = kind { return true }
        return false
    }

    private init(_ kind: Kind, exchanges: Bool = false) {
        self.kind = kind
        self.exchanges = exchanges
    }

    static func make(
        _ message: [String: Any], known: GivenDatabase?, mtu: Int, needsExchange: Bool
    ) -> Result<Action, Unsupported> {
        let name = message.text("action") ?? ""
        let handle = message.handle("handle") ?? .none
        let value = message.octets("value") ?? []
        switch name {
        case "exchange_mtu": return .success(Action(.single(.exchangeMTU(UInt16(mtu))), exchanges: true))
        case "discover_all":
            return .success(
                Action(.everything(Discovery(mtu: needsExchange ? UInt16(mtu) : nil)), exchanges: true))
        case "discover_primary":
            if message.text("uuid") != nil, message.uuid("uuid") == nil {
                return .failure(Unsupported(text: "a UUID that is none"))
            }
            return .success(Action(.single(.discoverServices(message.uuid("uuid")))))
        case "discover_secondary": return .success(Action(.single(.discoverSecondaryServices)))
        case "discover_included", "discover_characteristics", "discover_descriptors", "read_by_uuid":
            guard let range = message.range else {
                return .failure(Unsupported(text: "a range that ends before it starts"))
            }
            switch name {
            case "discover_included": return .success(Action(.single(.discoverIncludedServices(range))))
            case "discover_characteristics": return .success(Action(.single(.discoverCharacteristics(range))))
            case "discover_descriptors": return .success(Action(.single(.discoverDescriptors(range))))
            default:
                guard let uuid = message.uuid("uuid") else { return .failure(Unsupported(text: "a UUID that is none")) }
                return .success(Action(.single(.readByUUID(uuid, range))))
            }
        case "read": return .success(Action(.single(.read(handle))))
        case "read_long": return .success(Action(.single(.readLong(handle))))
        case "read_multiple":
            let handles = (message["handles"] as? [Int] ?? []).map {
                AttributeHandle(rawValue: UInt16(truncatingIfNeeded: $0))
            }
            return .success(Action(.single(.readMultiple(handles))))
        case "write": return .success(Action(.single(.write(handle, value))))
        case "write_command": return .success(Action(.single(.writeWithoutResponse(handle, value))))
        case "write_long": return .success(Action(.single(.writeLong(handle, value))))
        case "write_reliable":
            return .success(Action(.single(.writeReliable([GATTWrite(handle: handle, offset: 0, value: value)]))))
        case "signed_write": return .success(Action(.single(.signedWrite(handle, value))))
        case "subscribe":
            guard let (descriptor, indicates) = known?.configuration(of: handle) else {
                return .failure(Unsupported(text: "no CCCD is known for the handle"))
            }
            return .success(Action(.subscribe(.write(descriptor, [indicates ? 2 : 1, 0]))))
        default: return .failure(Unsupported(text: "an action that isn't known: \(name)"))
        }
    }

    /// What comes after the outcome of a step; the first time after nothing.
    mutating func next(_ outcome: GATTOutcome?) -> Next {
        switch kind {
        case .single(let procedure):
            if let outcome, isBegun { return .done(Self.result(outcome)) }
            isBegun = true
            return .step(procedure)
        case .subscribe(let procedure):
            if isBegun { return .value }
            isBegun = true
            return .step(procedure)
        case .everything(var discovery):
            let procedure = discovery.next(outcome)
            kind = .everything(discovery)
            return procedure.map { .step($0) } ?? .done(["event": "result", "att_error": 0])
        }
    }

    /// Whether the action goes on after an error.
    func tolerates(_ error: HostError) -> Bool {
        guard case .everything(let discovery) = kind, case .att = error else { return false }
        return discovery.isOptional
    }

    private static func result(_ outcome: GATTOutcome) -> [String: Any] {
        var result: [String: Any] = ["event": "result", "att_error": 0]
        switch outcome {
        case .value(let value): result["value"] = value.hex
        case .values(let values):
            result["values"] = values.map(\.value.hex)
            result["handles"] = values.map { Int($0.handle.rawValue) }
        case .mtu(let mtu): result["mtu"] = mtu
        default: break
        }
        return result
    }

    static func result(_ error: HostError) -> [String: Any] {
        if case .att(let code) = error { return ["event": "result", "att_error": Int(code.rawValue)] }
        return ["event": "result", "att_error": 0, "error": "\(error)"]
    }
}
