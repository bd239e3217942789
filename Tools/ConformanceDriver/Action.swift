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
        /// To the values of the handle.
        case subscribe(AttributeHandle)
        case everything
    }

    private let kind: Kind
    /// What has to be known first.
    private var discovery: Discovery?
    private var isBegun = false
    /// What is known of the peer.
    private(set) var known: GivenDatabase?

    /// Whether it ends with a value that arrives.
    var awaitsValue: Bool {
        if case .subscribe = kind { return true }
        return false
    }

    private init(_ kind: Kind) { self.kind = kind }

    /// - Parameters:
    ///   - known: what is known of the peer; nil where the stack starts from nothing.
    ///   - mtu: what the stack asks for.
    static func make(_ message: [String: Any], known: GivenDatabase?, mtu: Int) -> Result<Action, Unsupported> {
        make(message, mtu: mtu).map { action in
            var action = action
            action.known = known
            let asked = mtu > 23 ? UInt16(mtu) : nil
            switch action.kind {
            case .everything: action.discovery = Discovery(mtu: known == nil ? asked : nil)
            case .single(.exchangeMTU): break
            case .single(.discoverServices), .single(.discoverSecondaryServices), .single(.discoverIncludedServices),
                .single(.discoverCharacteristics), .single(.discoverDescriptors), .single(.readByUUID):
                if known == nil, asked != nil { action.discovery = Discovery(mtu: asked, isWhole: false) }
            default: if known == nil { action.discovery = Discovery(mtu: asked) }
            }
            return action
        }
    }

    private static func make(_ message: [String: Any], mtu: Int) -> Result<Action, Unsupported> {
        let name = message.text("action") ?? ""
        let handle = message.handle("handle") ?? .none
        let value = message.octets("value") ?? []
        switch name {
        case "exchange_mtu": return .success(Action(.single(.exchangeMTU(UInt16(mtu)))))
        case "discover_all": return .success(Action(.everything))
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
        case "subscribe": return .success(Action(.subscribe(handle)))
        default: return .failure(Unsupported(text: "an action that isn't known: \(name)"))
        }
    }

    /// What comes after the outcome of a step; the first time after nothing.
    mutating func next(_ outcome: GATTOutcome?) -> Next {
        if var running = discovery {
            let procedure = running.next(outcome)
            discovery = procedure == nil ? nil : running
            if let procedure { return .step(procedure) }
            known = running.database
            if case .everything = kind { return .done(["event": "result", "att_error": 0]) }
            return begin()
        }
        if isBegun {
            if case .subscribe = kind { return .value }
            return .done(outcome.map { Self.result($0) } ?? [:])
        }
        return begin()
    }

    private mutating func begin() -> Next {
        isBegun = true
        switch kind {
        case .single(let procedure): return .step(procedure)
        case .everything: return .done(["event": "result", "att_error": 0])
        case .subscribe(let handle):
            guard let (descriptor, indicates) = known?.configuration(of: handle) else {
                return .done(["event": "unsupported", "why": "no CCCD is known for the handle"])
            }
            return .step(.write(descriptor, [indicates ? 2 : 1, 0]))
        }
    }

    /// A list by type ends with the Error Response that says there are no more: the protocol wants its code.
    var isEndedByError: Bool {
        if case .single(.readByUUID) = kind { return true }
        return false
    }

    /// Whether the action goes on after an error.
    func tolerates(_ error: HostError) -> Bool {
        guard let discovery, case .att = error else { return false }
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
